package tools

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/sandbox"
	"agentd/vfs"
)

func editorSession(t *testing.T) *Session {
	t.Helper()
	ws, err := vfs.New(vfs.Files{
		"a.txt": "one\ntwo\nthree\n", "open.txt": "first\nlast", "aaa.txt": "aaa", "empty.txt": "",
	}, vfs.Files{"notes.md": "nothing of use\n"})
	if err != nil {
		t.Fatal(err)
	}
	return NewSession(ws, func() (sandbox.Runner, error) { return nil, sandbox.ErrUnavailable }, Editor())
}

// call runs a tool with arguments by name.
func call(t *testing.T, s *Session, tool string, args map[string]any) Outcome {
	t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := s.Call(context.Background(), tool, string(raw))
	if err != nil {
		t.Fatal(err)
	}
	return outcome
}

func TestEditingChangesOneFile(t *testing.T) {
	t.Parallel()
	type args = map[string]any
	for name, c := range map[string]struct {
		tool string
		args args
		file string
		want string // its content afterwards
	}{
		"replace one match":               {Replace, args{"path": "a.txt", "old": "two", "new": "2"}, "a.txt", "one\n2\nthree\n"},
		"replace over lines":              {Replace, args{"path": "a.txt", "old": "one\ntwo\n", "new": ""}, "a.txt", "three\n"},
		"$ and \\ are no patterns":        {Replace, args{"path": "a.txt", "old": "two", "new": `$1\0`}, "a.txt", "one\n$1\\0\nthree\n"},
		"insert at the beginning":         {Insert, args{"path": "a.txt", "line": 0, "text": "zero"}, "a.txt", "zero\none\ntwo\nthree\n"},
		"insert between":                  {Insert, args{"path": "a.txt", "line": 1, "text": "x\ny\n"}, "a.txt", "one\nx\ny\ntwo\nthree\n"},
		"insert at the end":               {Insert, args{"path": "a.txt", "line": 3, "text": "four"}, "a.txt", "one\ntwo\nthree\nfour\n"},
		"insert after an open line":       {Insert, args{"path": "open.txt", "line": 2, "text": "more"}, "open.txt", "first\nlast\nmore\n"},
		"insert before an open line":      {Insert, args{"path": "open.txt", "line": 1, "text": "more"}, "open.txt", "first\nmore\nlast"},
		"insert into an empty file":       {Insert, args{"path": "empty.txt", "line": 0, "text": "x"}, "empty.txt", "x\n"},
		"a line number in quotes":         {Insert, args{"path": "a.txt", "line": "1", "text": "x"}, "a.txt", "one\nx\ntwo\nthree\n"},
		"copy":                            {Copy, args{"from": "a.txt", "to": "b/c.txt"}, "b/c.txt", "one\ntwo\nthree\n"},
		"rename":                          {Rename, args{"from": "a.txt", "to": "b.txt"}, "b.txt", "one\ntwo\nthree\n"},
		"write":                           {WriteFile, args{"path": "n.txt", "content": "n"}, "n.txt", "n"},
		"a replacement may repeat itself": {Replace, args{"path": "a.txt", "old": "two", "new": "two two"}, "a.txt", "one\ntwo two\nthree\n"},
	} {
		s := editorSession(t)
		outcome := call(t, s, c.tool, c.args)
		if outcome.Failed || outcome.Changed == 0 || !s.Written() {
			t.Errorf("%s: %+v", name, outcome)
		}
		if got, err := s.Workspace.Peek(c.file); err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
		if _, err := s.Workspace.Peek("a.txt"); (err == nil) == (c.tool == Rename) {
			t.Errorf("%s: a.txt: %v", name, err)
		}
		if reads := s.Workspace.Reads(); len(reads) > 0 {
			t.Errorf("%s shows the model nothing, but reads %v are recorded", name, reads)
		}
	}
}

func TestWhatAnEditorRefuses(t *testing.T) {
	t.Parallel()
	type args = map[string]any
	for name, c := range map[string]struct {
		tool string
		args args
		want string // part of the answer
	}{
		"no match":                     {Replace, args{"path": "a.txt", "old": "four", "new": "x"}, "does not occur"},
		"two matches, and where":       {Replace, args{"path": "a.txt", "old": "o", "new": "x"}, "occurs 2 times in a.txt, at lines 1, 2"},
		"matches after line breaks":    {Replace, args{"path": "a.txt", "old": "\n", "new": "x"}, "occurs 3 times in a.txt, at lines 1, 2, 3"},
		"matches that overlap":         {Replace, args{"path": "aaa.txt", "old": "aa", "new": "x"}, "occurs 2 times"},
		"nothing to replace":           {Replace, args{"path": "a.txt", "old": "", "new": "x"}, "use insert"},
		"a line that is not there":     {Insert, args{"path": "a.txt", "line": 4, "text": "x"}, "a.txt has 3 lines"},
		"a negative line":              {Insert, args{"path": "a.txt", "line": -1, "text": "x"}, "no line -1"},
		"a line that is no number":     {Insert, args{"path": "a.txt", "line": "end", "text": "x"}, `the argument "line" must be a whole number`},
		"half a line":                  {Insert, args{"path": "a.txt", "line": 1.5, "text": "x"}, "whole number"},
		"a line left out":              {Insert, args{"path": "a.txt", "text": "x"}, `send {"path": "…", "line": 1, "text": "…"}`},
		"renaming over a file":         {Rename, args{"from": "a.txt", "to": "./notes.md"}, "is there already"},
		"copying what is not there":    {Copy, args{"from": "zzz", "to": "b"}, "does not exist"},
		"copying out of reach":         {Copy, args{"from": "a.txt", "to": "../b"}, "not allowed"},
		"showing lines that are not":   {View, args{"path": "a.txt", "start": 9}, "a.txt has 3 lines"},
		"a pattern that is none":       {Grep, args{"pattern": "("}, "not a regular expression"},
		"looking where nothing is":     {Grep, args{"pattern": "x", "path": "*.csv"}, "no file matches"},
		"comparing what is not there":  {Diff, args{"path": "zzz"}, "no file matches"},
		"finish before writing":        {Finish, nil, "nothing was written yet"},
		"the five tools' read_file":    {ReadFile, args{"path": "a.txt"}, "there is no tool"},
		"an optional argument of text": {View, args{"path": "a.txt", "start": "x"}, "whole number"},
	} {
		s := editorSession(t)
		outcome := call(t, s, c.tool, c.args)
		if !outcome.Failed || !strings.Contains(outcome.Text, c.want) {
			t.Errorf("%s: failed %v, %q; want %q", name, outcome.Failed, outcome.Text, c.want)
		}
		if outcome.Changed != 0 {
			t.Errorf("%s: changed %d files", name, outcome.Changed)
		}
	}
}

func TestWhatAnEditorShows(t *testing.T) {
	t.Parallel()
	type args = map[string]any
	for name, c := range map[string]struct {
		tool  string
		args  args
		want  string
		reads []string
	}{
		"a file":                {View, args{"path": "a.txt"}, "     1\tone\n     2\ttwo\n     3\tthree\n", []string{"a.txt"}},
		"some lines":            {View, args{"path": "a.txt", "start": 2, "end": 2}, "     2\ttwo\n", []string{"a.txt"}},
		"lines to the end":      {View, args{"path": "a.txt", "start": 3, "end": 99}, "     3\tthree\n", []string{"a.txt"}},
		"null is as not given":  {View, args{"path": "a.txt", "start": nil, "end": 1}, "     1\tone\n", []string{"a.txt"}},
		"an open last line":     {View, args{"path": "open.txt"}, "     1\tfirst\n     2\tlast\n(no newline at the end)\n", []string{"open.txt"}},
		"an empty file":         {View, args{"path": "empty.txt"}, emptyFile, []string{"empty.txt"}},
		"matching lines":        {Grep, args{"pattern": "^t"}, "a.txt:2:two\na.txt:3:three\n", []string{"a.txt"}},
		"matching lines there":  {Grep, args{"pattern": "no", "path": "*.md"}, "notes.md:1:nothing of use\n", []string{"notes.md"}},
		"no matching line":      {Grep, args{"pattern": "q"}, "(no line matches)", nil},
		"the files":             {List, nil, "a.txt (3 lines, 14 bytes)\naaa.txt (1 lines, 3 bytes)\nempty.txt (0 lines, 0 bytes)\nnotes.md (1 lines, 15 bytes)\nopen.txt (2 lines, 10 bytes)\n", nil},
		"no change":             {Diff, nil, "(nothing changed)", nil},
		"no change in one file": {Diff, args{"path": "a.txt"}, "(nothing changed)", nil},
	} {
		s := editorSession(t)
		outcome := call(t, s, c.tool, c.args)
		if diff := cmp.Diff(c.want, outcome.Text); outcome.Failed || diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		var reads []string
		for _, r := range s.Workspace.Reads() {
			if r.Tool != c.tool {
				t.Errorf("%s: a reading by %s", name, r.Tool)
			}
			reads = append(reads, r.File)
		}
		if diff := cmp.Diff(c.reads, reads); diff != "" {
			t.Errorf("%s: files read: %s", name, diff)
		}
	}
}

func TestTheDiffIsAgainstTheStart(t *testing.T) {
	t.Parallel()
	s := editorSession(t)
	call(t, s, Replace, map[string]any{"path": "a.txt", "old": "two", "new": "2"})
	call(t, s, Rename, map[string]any{"from": "open.txt", "to": "shut.txt"})
	want := "--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n" +
		"--- open.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-first\n-last\n\\ No newline at end of file\n" +
		"--- /dev/null\n+++ shut.txt\n@@ -0,0 +1,2 @@\n+first\n+last\n\\ No newline at end of file\n"
	if diff := cmp.Diff(want, call(t, s, Diff, nil).Text); diff != "" {
		t.Error(diff)
	}
	call(t, s, DeleteFile, map[string]any{"path": "empty.txt"})
	if got := call(t, s, Diff, map[string]any{"path": "empty.txt"}).Text; got != "--- empty.txt\n+++ /dev/null\n" {
		t.Errorf("an empty file that is gone: %q", got)
	}
}

func TestLongAnswersAreCut(t *testing.T) {
	t.Parallel()
	s := editorSession(t)
	many := strings.Repeat("match "+strings.Repeat("é", maxLine)+"\n", maxMatches+5)
	call(t, s, WriteFile, map[string]any{"path": "many.txt", "content": many})
	got := call(t, s, Grep, map[string]any{"pattern": "^match"}).Text
	if !strings.HasSuffix(got, "…\n(and 5 more lines)\n") || len(got) > maxMatches*(maxLine+30) {
		t.Errorf("%d bytes, ending in %q", len(got), got[len(got)-40:])
	}
	if got := call(t, s, Diff, nil).Text; !strings.HasSuffix(got, "\n(the rest is left out)") || len(got) > maxDiff+100 {
		t.Errorf("the diff has %d bytes", len(got))
	}
}
