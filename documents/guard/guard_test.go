package guard

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"agentd/documents/compare"
	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/sandbox"
	"agentd/vfs"
)

const (
	cafe = "2024-03-02 * Harbour Cafe\n    Expenses:Food  12 EUR\n    Assets:Cash\n\n"
	rent = "2024-03-09 * Rent\n    Expenses:Rent  900 EUR\n    Assets:Bank\n"
)

// opened is a folder with files, and the log in another one.
func opened(t testing.TB, files vfs.Files) (*Folder, string) {
	t.Helper()
	above := temporary(t)
	dir := filepath.Join(above, "books")
	for name, text := range files {
		put(t, filepath.Join(dir, name), text)
	}
	f, err := Open(t.Context(), dir, filepath.Join(above, "state"))
	if err != nil {
		t.Fatal(err)
	}
	return f, dir
}

func TestAFileThatTheCopyDoesNotHaveIsNamed(t *testing.T) {
	t.Parallel()
	f, dir := opened(t, vfs.Files{"sub/tidy.sh": "true\n", "guard_test.go": "package books\n"}) // this file is in the test's folder too
	elsewhere := filepath.Join(t.TempDir(), "tidy.sh")
	put(t, elsewhere, "true\n")
	inside := filepath.Join(dir, "sub", "tidy.sh")
	for arg, want := range map[string]string{
		elsewhere: "put it into the folder", inside: "is sub/tidy.sh", "sub/tidy.sh": "", "./guard_test.go": "", "nowhere.sh": "", "/usr/bin/env": "", "/bin/sh": "",
	} {
		hint := f.misnamed([]string{"sh", arg}, vfs.Files{"sub/tidy.sh": "", "guard_test.go": ""})
		if (hint != "") != (want != "") || !strings.HasSuffix(hint, want) {
			t.Errorf("%s: %q, want %q", arg, hint, want)
		}
	}
}

// temporary is a folder in memory, where flushing takes no time, unless the tests are to run elsewhere.
func temporary(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "guard")
	if err != nil || os.Getenv(placeChild) != "" {
		_ = os.RemoveAll(dir) // empty
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func put(t testing.TB, name, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// on is what is on the disk.
func on(t testing.TB, dir string) vfs.Files {
	t.Helper()
	files := vfs.Files{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path) // it is below
		files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestRules(t *testing.T) {
	t.Parallel()
	before := vfs.Files{"a.ledger": cafe + rent}
	changed := vfs.Files{"a.ledger": cafe + strings.Replace(rent, "900", "950", 1)}
	lost := vfs.Files{"a.ledger": rent}
	for name, c := range map[string]struct {
		after       vfs.Files
		allow, deny string
		want        Verdict
		unattended  Verdict
	}{
		"nothing changed":                {before, "", "", Allowed, Allowed},
		"blanks alone":                   {vfs.Files{"a.ledger": strings.ReplaceAll(cafe+rent, "  ", "   ")}, "", "lost", Allowed, Allowed},
		"a loss without a rule":          {lost, "", "", Undecided, Allowed},
		"a loss that is denied":          {lost, "", "lost", Denied, Denied},
		"a loss of what is denied":       {lost, "", "lost:transaction", Denied, Denied},
		"a loss of something else":       {lost, "", "lost:account", Undecided, Allowed},
		"a loss that is not allowed":     {lost, "changed", "", Undecided, Denied},
		"a change that is allowed":       {changed, "changed:posting", "lost", Allowed, Allowed},
		"a change of the element":        {changed, "changed:transaction", "lost", Allowed, Allowed},
		"a change of another field":      {changed, "changed:payee", "lost", Undecided, Denied},
		"deny is stronger than allow":    {lost, "lost", "lost", Denied, Denied},
		"an unreadable file":             {vfs.Files{"a.ledger": "\x00"}, "changed,lost,added", "moved", Denied, Denied},
		"an unreadable file, no rule":    {vfs.Files{"a.ledger": "\x00"}, "changed", "", Undecided, Denied},
		"a removed file":                 {vfs.Files{}, "changed", "lost", Denied, Denied},
		"a new file":                     {vfs.Files{"a.ledger": cafe + rent, "Notes": "x"}, "added", "lost", Allowed, Allowed},
		"a new file that is not allowed": {vfs.Files{"a.ledger": cafe + rent, "Notes": "x"}, "changed", "lost", Undecided, Denied},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rule, err := NewRule(split(c.allow), split(c.deny))
			if err != nil {
				t.Fatal(err)
			}
			got := Allowed
			r := compare.Compare(before, c.after, nil)
			for _, d := range r.Documents {
				got = max(got, rule.Judge(d))
			}
			if got != c.want || rule.Unattended(got) != c.unattended {
				t.Errorf("verdict %d, unattended %d, want %d and %d: %+v", got, rule.Unattended(got), c.want, c.unattended, r)
			}
		})
	}
	if _, err := NewRule([]string{"lots"}, nil); err == nil {
		t.Error("a kind that does not exist is taken")
	}
}

func split(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

func TestChangesAreAppliedAndUndone(t *testing.T) {
	t.Parallel()
	before := vfs.Files{"a.ledger": cafe + rent, "sub/b.txt": "b\n", "sub/c.txt": "c\n", ".git/HEAD": "ref\n"}
	f, dir := opened(t, before)
	for _, err := range []error{os.Chmod(filepath.Join(dir, "a.ledger"), 0o600), os.Symlink("a.ledger", filepath.Join(dir, "link")), os.Mkdir(filepath.Join(dir, "empty"), 0o700)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	after := vfs.Files{"a.ledger": rent, "sub/b.txt": "b\n", "new/d.txt": "d\n", ".git/HEAD": "ref\n"}
	number, err := f.Apply(t.Context(), changed(before, after), Acceptance{Reason: "consent", Command: []string{"tidy"}})
	if err != nil || number != 1 {
		t.Fatal(number, err)
	}
	if got := on(t, dir); !got.Equal(after) {
		t.Errorf("after applying: %v", got)
	}
	if info, err := os.Stat(filepath.Join(dir, "a.ledger")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("rights are not kept: %v, %v", info.Mode(), err)
	}
	if to, err := os.Readlink(filepath.Join(dir, "link")); to != "a.ledger" || err != nil {
		t.Errorf("the link: %s, %v", to, err)
	}
	if info, err := os.Stat(filepath.Join(dir, "empty")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the empty folder: %v", err)
	}
	if number, err = f.Undo(t.Context(), 1); err != nil || number != 2 {
		t.Fatal(number, err)
	}
	if got := on(t, dir); !got.Equal(before) {
		t.Errorf("after undoing: %v", got)
	}
	log, err := f.Log()
	if err != nil || len(log) != 2 || log[0].Reason != "consent" || log[1].Reason != "undo of 1" || log[0].state != finished || !slices.Equal(log[0].Command, []string{"tidy"}) {
		t.Errorf("%+v, %v", log, err)
	}
	if _, err := f.Undo(t.Context(), 1); !errors.Is(err, ErrRace) {
		t.Errorf("undone twice: %v", err)
	}
	if _, err := f.Undo(t.Context(), 7); err == nil {
		t.Error("a number that does not exist is undone")
	}
	if left, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(left) != 2 {
		t.Errorf("left next to the folder: %v, %v", left, err)
	}
}

func TestAFolderThatSomebodyElseChangesIsLeftAsItIs(t *testing.T) {
	t.Parallel()
	before := vfs.Files{"a.txt": "a\n", "b.txt": "b\n"}
	for name, meddle := range map[string]func(t *testing.T, dir string){
		"another content": func(t *testing.T, dir string) { put(t, filepath.Join(dir, "a.txt"), "x\n") },
		"removed":         func(t *testing.T, dir string) { _ = os.Remove(filepath.Join(dir, "a.txt")) },
		"a link in its place": func(t *testing.T, dir string) {
			_ = os.Remove(filepath.Join(dir, "a.txt"))
			_ = os.Symlink("/etc/passwd", filepath.Join(dir, "a.txt"))
		},
		"a new file of the name": func(t *testing.T, dir string) { put(t, filepath.Join(dir, "new.txt"), "mine\n") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, dir := opened(t, before)
			meddle(t, dir)
			was := on(t, dir)
			_, err := f.Apply(t.Context(), changed(before, vfs.Files{"a.txt": "z\n", "new.txt": "z\n"}), Acceptance{Reason: "x"})
			if !errors.Is(err, ErrRace) {
				t.Errorf("error %v, want a race", err)
			}
			if got := on(t, dir); !got.Equal(was) {
				t.Errorf("the folder was changed: %v", got)
			}
			if log, err := f.Log(); len(log) != 0 || err != nil {
				t.Errorf("in the log: %v, %v", log, err)
			}
		})
	}
}

// What a program must not write: files it was not shown, and what is no file.
func TestNamesThatAreNotWritten(t *testing.T) {
	t.Parallel()
	f, dir := opened(t, vfs.Files{"a.txt": "a\n", ".git/config": "x\n", "sub/b.txt": "b\n"})
	if err := os.Symlink("/etc", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	before, skipped, err := f.Files()
	if err != nil || !before.Equal(vfs.Files{"a.txt": "a\n", "sub/b.txt": "b\n"}) || len(skipped) != 1 || skipped[0].Path != "link" {
		t.Fatalf("%v, %v, %v", before, skipped, err)
	}
	for _, name := range []string{".git/config", ".git/hooks/post-checkout", "link/passwd", "link", "sub", "a.txt/x"} {
		after := before.Clone()
		after[name] = "attacked"
		if err := f.propose(&Proposal{before: before}, after); err == nil {
			t.Errorf("%s can be written", name)
		}
	}
}

// The server refuses a write that loses what the rule protects, says what it lost, and takes the mended one.
func TestTheServerChecksEveryWrite(t *testing.T) {
	t.Parallel()
	f, dir := opened(t, vfs.Files{"a.ledger": cafe + rent})
	rule, err := NewRule(nil, []string{"lost"})
	if err != nil {
		t.Fatal(err)
	}
	server := NewServer(f, rule, func() (sandbox.Backend, error) { return nil, sandbox.ErrUnavailable })
	write := func(text string) (string, bool) {
		t.Helper()
		outcome, err := server.Call(t.Context(), "write_file", `{"path":"a.ledger","content":`+quoted(text)+`}`)
		if err != nil {
			t.Fatal(err)
		}
		return outcome.Text, outcome.Failed
	}
	if text, failed := write(rent); !failed || !strings.Contains(text, "lost 2024-03-02 Harbour Cafe") {
		t.Errorf("a write that loses a transaction: %v %s", failed, text)
	}
	if got := on(t, dir); got["a.ledger"] != cafe+rent {
		t.Errorf("it was written: %v", got)
	}
	mended := cafe + strings.Replace(rent, "900", "950", 1)
	if text, failed := write(mended); failed || !strings.Contains(text, "Accepted as change 1") {
		t.Errorf("a write that loses nothing: %v %s", failed, text)
	}
	if got := on(t, dir); got["a.ledger"] != mended {
		t.Errorf("it was not written: %v", got)
	}
	outcome, err := server.Call(t.Context(), "delete_file", `{"path":"a.ledger"}`)
	if err != nil || !outcome.Failed {
		t.Errorf("deleting: %+v, %v", outcome, err)
	}
	for _, name := range []string{".git", ".envrc", "AGENTS.md"} {
		outcome, err := server.Call(t.Context(), "write_file", `{"path":"`+name+`","content":"gitdir: evil"}`)
		if _, there := on(t, dir)[name]; err != nil || !outcome.Failed || !strings.Contains(outcome.Text, "--allow-file") || there {
			t.Errorf("%s: %+v, %v", name, outcome, err)
		}
	}
	if outcome, err = server.Call(t.Context(), "write_file", `{"path":"../x","content":""}`); err != nil || !outcome.Failed {
		t.Errorf("out of the folder: %+v, %v", outcome, err)
	}
	if outcome, err = server.Call(t.Context(), "read_file", `{"path":"a.ledger"}`); err != nil || outcome.Text != mended {
		t.Errorf("reading: %+v, %v", outcome, err)
	}
}

func quoted(text string) string {
	return `"` + strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(text) + `"`
}

// cpuTime is what the process has spent so far, in user and system time.
func cpuTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkCheck compares the seeds of all built-in environments, of up to 5,000 tokens, with damaged ones and judges
// them. It reports CPU time, that of the garbage collector included, as a percentile of all checks.
func BenchmarkCheck(b *testing.B) {
	envs, err := environments.Builtin()
	if err != nil {
		b.Fatal(err)
	}
	rule, err := NewRule(nil, []string{"lost"})
	if err != nil {
		b.Fatal(err)
	}
	var times []time.Duration
	for b.Loop() {
		for i := range envs {
			d, _ := catalog.Lookup(envs[i].Domain) // every built-in environment has one
			after := d.Without(envs[i].Seed, func(n int) bool { return n%20 == 7 })
			began := cpuTime(b)
			for _, document := range compare.Compare(envs[i].Seed, after, nil).Documents {
				rule.Judge(document)
			}
			times = append(times, cpuTime(b)-began)
		}
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-cpu-ms")
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "median-cpu-ms")
	b.ReportMetric(float64(times[len(times)-1].Microseconds())/1000, "most-cpu-ms")
}
