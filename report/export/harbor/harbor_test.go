package harbor

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/internal/usage"
	"agentd/vfs"
)

// ledger is a built-in environment with its domain.
func ledger(t *testing.T) (*environments.Environment, func(to string, trips int) (int, error)) {
	t.Helper()
	all, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	env := &all[slices.IndexFunc(all, func(e environments.Environment) bool { return e.Name == "accounting1" })]
	d, ok := env.Scoring(domaincatalog.Lookup)
	if !ok {
		t.Fatal("accounting1 cannot be scored")
	}
	return env, func(to string, trips int) (int, error) { return Write(to, env, d, trips) }
}

// in are the files of a folder.
func in(t *testing.T, dir string) vfs.Files {
	t.Helper()
	files := vfs.Files{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestATaskIsARelay(t *testing.T) {
	t.Parallel()
	env, write := ledger(t)
	dir := t.TempDir()
	steps, err := write(dir, 3)
	if err != nil || steps != 6 {
		t.Fatalf("%d steps, %v", steps, err)
	}
	task := filepath.Join(dir, "accounting1")
	all := vfs.Files{}
	for _, files := range []vfs.Files{env.Seed, env.Distractors} {
		for name, content := range files {
			all[name] = content
		}
	}
	if diff := cmp.Diff(all, in(t, filepath.Join(task, "environment", "work"))); diff != "" {
		t.Errorf("what the agent finds: %s", diff)
	}
	for _, file := range []string{"solution", "tests", "environments"} {
		if _, err := os.Stat(filepath.Join(task, "environment", file)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the agent's container has %s: %v", file, err)
		}
	}
	again, err := environments.Load(filepath.Join(task, "tests", "environments"))
	if err != nil || len(again) != 1 || again[0].Hash() != env.Hash() {
		t.Errorf("the environment that test.sh scores with: %d of them, %v", len(again), err)
	}
	names, err := os.ReadDir(filepath.Join(task, "steps"))
	if err != nil {
		t.Fatal(err)
	}
	for i, entry := range names {
		edit := env.Edits[i/2]
		name, instruction := "-"+edit.Name+"-forward", edit.Forward
		if i%2 == 1 {
			name, instruction = "-"+edit.Name+"-backward", edit.Backward
		}
		text, err := os.ReadFile(filepath.Join(task, "steps", entry.Name(), "instruction.md"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(entry.Name(), name) || !strings.HasPrefix(string(text), instruction) {
			t.Errorf("step %d is %s: %.80s", i+1, entry.Name(), text)
		}
	}
}

// The solutions of the steps, one after the other, lead there and back, and leave distractors alone.
func TestTheSolutionsAreExact(t *testing.T) {
	t.Parallel()
	env, write := ledger(t)
	dir, work := t.TempDir(), t.TempDir()
	if _, err := write(dir, 0); err != nil {
		t.Fatal(err)
	}
	task := filepath.Join(dir, "accounting1")
	start := in(t, filepath.Join(task, "environment", "work"))
	if err := os.CopyFS(work, os.DirFS(filepath.Join(task, "environment", "work"))); err != nil {
		t.Fatal(err)
	}
	d, _ := env.Scoring(domaincatalog.Lookup)
	steps, err := relay(env, d, 0)
	if err != nil || len(steps) != 2*len(env.Edits) {
		t.Fatalf("%d steps of %d edits, %v", len(steps), len(env.Edits), err)
	}
	for i, s := range steps {
		solve := exec.CommandContext(t.Context(), "sh", filepath.Join(task, "steps", s.Name, "solution", "solve.sh"))
		solve.Env = append(os.Environ(), "WORK="+work)
		if out, err := solve.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", s.Name, err, out)
		}
		want := vfs.Files{}
		for _, files := range []vfs.Files{s.documents, env.Distractors} {
			for name, content := range files {
				want[name] = content
			}
		}
		if i%2 == 1 {
			want = start
		}
		if diff := cmp.Diff(want, in(t, work)); diff != "" {
			t.Fatalf("after %s: %s", s.Name, diff)
		}
	}
}

func TestTasksThatAreNotWritten(t *testing.T) {
	t.Parallel()
	env, write := ledger(t)
	d, _ := env.Scoring(domaincatalog.Lookup)
	dir := t.TempDir()
	if _, err := write(dir, 1); err != nil {
		t.Fatal(err)
	}
	before := in(t, dir)
	var wrong usage.Error
	if _, err := write(dir, 1); !errors.As(err, &wrong) || !errors.Is(err, fs.ErrExist) {
		t.Errorf("a folder that is there already: %v", err)
	}
	if diff := cmp.Diff(before, in(t, dir)); diff != "" {
		t.Errorf("it was changed: %s", diff)
	}
	without := *env
	without.Name, without.Edits = "judged", []environments.Edit{{Name: "judged", Forward: "Improve it.", Backward: "Undo that.", Targets: env.Targets}}
	if _, err := Write(dir, &without, d, 0); !errors.Is(err, ErrNoExact) {
		t.Errorf("without exact programs: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "judged")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it left something: %v", err)
	}
}

func TestTextsInTOMLAndShell(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		`plain`:       {`"plain"`, `'plain'`},
		`it's "x" \`:  {`"it's \"x\" \\"`, `'it'\''s "x" \'`},
		"a\nb\x7f<&>": {`"a\nb\u007f<&>"`, "'a\nb\x7f<&>'"},
	} {
		toml, err := inTOML(text)
		if err != nil || toml != want[0] || inShell(text) != want[1] {
			t.Errorf("%q: %s, %s, %v", text, toml, inShell(text), err)
		}
	}
	for name, want := range map[string]string{"accounting1": "accounting1", "../x y": "-x-y", "ä": "-", strings.Repeat("a", 99): strings.Repeat("a", 80)} {
		if got := portable(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
