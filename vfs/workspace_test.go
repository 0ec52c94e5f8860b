package vfs

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"
)

func mustNew(t *testing.T, documents, distractors Files) *Workspace {
	t.Helper()
	w, err := New(documents, distractors)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestOutputLeavesDistractorsOut(t *testing.T) {
	t.Parallel()
	w := mustNew(t, Files{"a.ledger": "one"}, Files{"minutes.md": "two", "lease.md": "three"})
	for _, step := range []error{
		w.Write("new.csv", "x,y"),
		w.Write("minutes.md", "overwritten"),
		w.Delete("lease.md"),
		w.Write("lease.md", "deleted, then written again"),
	} {
		if step != nil {
			t.Fatal(step)
		}
	}
	got, err := w.Output()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Files{"a.ledger": "one", "new.csv": "x,y"}, got); diff != "" {
		t.Error(diff)
	}
	if origin, _ := w.Origin("new.csv"); origin != Created {
		t.Errorf("new.csv is %v, want created", origin)
	}
}

func TestReadsAreRecordedWithOriginAndTool(t *testing.T) {
	t.Parallel()
	w := mustNew(t, Files{"a.txt": "a"}, Files{"b.txt": "b"})
	if _, err := w.Read("read_file", "./b.txt"); err != nil {
		t.Fatal(err)
	}
	w.RecordRead("run_python", "a.txt")
	w.RecordRead("run_python", "no such file")
	if _, err := w.Read("read_file", "c.txt"); !errors.Is(err, ErrNotExist) || !strings.Contains(err.Error(), "a.txt, b.txt") {
		t.Errorf("reading a missing file: %v, want ErrNotExist and the list of files", err)
	}
	want := []Read{{"b.txt", Distractor, "read_file"}, {"a.txt", Document, "run_python"}}
	if diff := cmp.Diff(want, w.Reads()); diff != "" {
		t.Error(diff)
	}
}

func TestTheFileSystemAloneHoldsTheContents(t *testing.T) {
	t.Parallel()
	w := mustNew(t, Files{"a": "first", "b": "first"}, Files{"d": "first"})
	if err := w.Write("b", "second"); err != nil {
		t.Fatal(err)
	}
	before, _ := w.Snapshot()
	for _, place := range []string{at("a"), asideAt("b"), at("d")} {
		if err := afero.WriteFile(w.fs, place, []byte("other"), 0); err != nil {
			t.Fatal(err)
		}
	}
	read, _ := w.Read("read_file", "a")
	peeked, _ := w.Peek("d")
	output, _ := w.Output()
	documents, _ := w.Documents()
	snapshot, _ := w.Snapshot()
	start, _ := w.Start()
	for what, c := range map[string]struct{ got, want any }{
		"Read":                     {read, "other"},
		"Peek":                     {peeked, "other"},
		"Output":                   {output, Files{"a": "other", "b": "second"}},
		"Documents":                {documents, Files{"a": "other", "b": "second"}},
		"Snapshot":                 {snapshot, Files{"a": "other", "b": "second", "d": "other"}},
		"Start":                    {start, Files{"a": "other", "b": "other", "d": "other"}},
		"a snapshot taken earlier": {before, Files{"a": "first", "b": "second", "d": "first"}},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
}

func TestTheStartStaysWhateverBecomesOfTheFiles(t *testing.T) {
	t.Parallel()
	w := mustNew(t, Files{"kept": "1", "written": "2", "deleted": "3", "deleted, then written": "4", "overwritten": "5"}, Files{"d": "6"})
	for _, step := range []error{
		w.Write("written", "x"), w.Write("written", "y"), w.Delete("written"), w.Write("written", "z"),
		w.Delete("deleted"), w.Delete("deleted, then written"), w.Write("deleted, then written", "x"), w.Delete("deleted, then written"),
		w.Write("overwritten", "x"), w.Write("new", "x"), w.Write("d", "x"),
	} {
		if step != nil {
			t.Fatal(step)
		}
	}
	check := func(when string, want Files, read func() (Files, error)) {
		t.Helper()
		if got, err := read(); err != nil || !got.Equal(want) {
			t.Errorf("%s: %v %s", when, err, cmp.Diff(want, got))
		}
	}
	now := Files{"kept": "1", "written": "z", "overwritten": "x", "new": "x", "d": "x"}
	check("start", Files{"kept": "1", "written": "2", "deleted": "3", "deleted, then written": "4", "overwritten": "5", "d": "6"}, w.Start)
	check("now", now, w.Snapshot)
	if err := w.Settle(); err != nil {
		t.Fatal(err)
	}
	check("start of the next turn", now, w.Start)
	if err := w.Write("new", "y"); err != nil {
		t.Fatal(err)
	}
	check("start, after a change in the next turn", now, w.Start)
}

func TestClean(t *testing.T) {
	t.Parallel()
	accepted := map[string]string{
		"a.txt":                    "a.txt",
		"./a.txt":                  "a.txt",
		"dir//a.txt":               "dir/a.txt",
		"dir/./a.txt":              "dir/a.txt",
		"..a":                      "..a",
		strings.Repeat("n", 255):   strings.Repeat("n", 255),
		"1/2/3/4/5/6/7/8":          "1/2/3/4/5/6/7/8",
		"résumé of the meeting.md": "résumé of the meeting.md",
	}
	for name, want := range accepted {
		if got, err := Clean(name); got != want || err != nil {
			t.Errorf("Clean(%q) = %q, %v; want %q", name, got, err, want)
		}
	}
	for name, why := range map[string]string{
		"":                       "empty",
		".":                      "itself",
		"/etc/passwd":            "absolute",
		"../x":                   `".."`,
		"a/../../x":              `".."`,
		"a/../b":                 `".."`,
		"a\x00b":                 "control",
		"a\nb":                   "control",
		"a\xffb":                 "UTF-8",
		strings.Repeat("n", 256): "255 bytes",
		"1/2/3/4/5/6/7/8/9":      "8 levels",
	} {
		if _, err := Clean(name); !errors.Is(err, ErrPath) || !strings.Contains(err.Error(), why) {
			t.Errorf("Clean(%q): %v; want ErrPath naming %q", name, err, why)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	w := mustNew(t, nil, nil)
	for i := range MaxFiles {
		if err := w.Write(fmt.Sprint("f", i), ""); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Write("one more", ""); err == nil || !strings.Contains(err.Error(), "1000 files") {
		t.Errorf("file 1,001: %v", err)
	}
	if err := w.Write("f0", "overwriting stays possible"); err != nil {
		t.Error(err)
	}
	if err := w.Write("f1", strings.Repeat("x", MaxFileBytes+1)); err == nil {
		t.Error("a file over the size limit was accepted")
	}
}

func TestFilesAndFoldersDoNotShareNames(t *testing.T) {
	t.Parallel()
	w := mustNew(t, Files{"a": "file", "dir/b": "file"}, nil)
	for _, name := range []string{"a/below", "dir"} {
		if err := w.Write(name, ""); !errors.Is(err, ErrPath) {
			t.Errorf("Write(%q): %v, want ErrPath", name, err)
		}
	}
	if _, err := New(Files{"x": ""}, Files{"x": ""}); err == nil {
		t.Error("a file in both sets was accepted")
	}
}

func TestMatches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"*.ledger", "food.ledger", true},
		{"*.ledger", "out/food.ledger", true},
		{"out/*.ledger", "food.ledger", false},
		{"ledger.csv", "ledger.csv", true},
		{"ledger.csv", "ledger.csv.bak", false},
		{"[odd", "[odd", true},
		{"[odd", "odd", false},
	} {
		if got := Matches(c.pattern, c.name); got != c.want {
			t.Errorf("Matches(%q, %q) = %v", c.pattern, c.name, got)
		}
	}
}

func TestVerbatimNamesAreTexts(t *testing.T) {
	t.Parallel()
	w, err := NewVerbatim(Files{"a": "1", "./a": "2", "": "3", "`": "4", "a/b": "5"}, Files{"notes.md": "6"})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []error{w.Write("../up", "7"), w.Write("x\ny", "8"), w.Delete("a"), w.Write("a", "9")} {
		if step != nil {
			t.Fatal(step)
		}
	}
	got, err := w.Output()
	if err != nil {
		t.Fatal(err)
	}
	want := Files{"a": "9", "./a": "2", "": "3", "`": "4", "a/b": "5", "../up": "7", "x\ny": "8"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"../up", "x\ny", "a"}, w.Created()); diff != "" {
		t.Errorf("created, oldest first: %s", diff)
	}
}

func TestUsePathsGivesFilesThePathsOfADisk(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files Files
		want  Files // nil for an error
	}{
		"paths stay":            {Files{"a": "1", "b/c": "2", "`": "3"}, Files{"a": "1", "b/c": "2", "`": "3"}},
		"a dot is no folder":    {Files{"./a": "1", "b/./c": "2", "b//d": "3"}, Files{"a": "1", "b/c": "2", "b/d": "3"}},
		"two names of one path": {Files{"./a": "1", "a": "2"}, Files{"a": "1"}},
		"out of the workspace":  {Files{"../a": "1", "/etc/b": "2", "c": "3"}, Files{"c": "3"}},
		"no name":               {Files{"": "1"}, nil},
		"a folder's name":       {Files{"a/": "1"}, nil},
		"the workspace":         {Files{".": "1"}, nil},
		"a file and a folder":   {Files{"./a": "1", "a/b": "2"}, nil},
	} {
		w, err := NewVerbatim(c.files, nil)
		if err != nil {
			t.Fatal(err)
		}
		failed := w.UsePaths()
		got, err := w.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		if err := w.KeepPaths(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := w.Write("../x", ""); !errors.Is(err, ErrPath) {
			t.Errorf("%s: a name that is no path is accepted after KeepPaths: %v", name, err)
		}
		want := c.want
		if want == nil {
			want = c.files
		}
		if diff := cmp.Diff(want, got); diff != "" || (failed != nil) != (c.want == nil) {
			t.Errorf("%s: error %v, files %s", name, failed, diff)
		}
	}
}

func TestSettledFilesAreDocuments(t *testing.T) {
	t.Parallel()
	w, err := New(Files{"a.txt": "a", "b.txt": "b"}, Files{"d.txt": "d"})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"b.txt", "d.txt"} {
		if err := w.Delete(name); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"c.txt", "d.txt"} {
		if err := w.Write(name, "new"); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Settle(); err != nil {
		t.Fatal(err)
	}
	documents, err := w.Documents()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Files{"a.txt": "a", "c.txt": "new"}, documents); diff != "" {
		t.Error(diff)
	}
	start, err := w.Start()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Files{"a.txt": "a", "c.txt": "new", "d.txt": "new"}, start); diff != "" {
		t.Error(diff)
	}
	if created := w.Created(); len(created) > 0 {
		t.Errorf("%v are still new", created)
	}
	if err := w.ReplaceDocuments(Files{"e.txt": "e"}); err != nil {
		t.Fatal(err)
	}
	if names := w.Names(); len(names) != 2 || names[0] != "d.txt" || names[1] != "e.txt" {
		t.Errorf("%v are left", names)
	}
}
