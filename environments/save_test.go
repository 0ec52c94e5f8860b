package environments_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"agentd/environments"
	"agentd/vfs"
)

func TestSavedEnvironmentsLoadAsTheyWere(t *testing.T) {
	t.Parallel()
	for _, env := range builtin(t) {
		env.Targets = append(env.Targets, "*.part") // what the seed's names do not say
		env.Seed = env.Seed.Clone()
		env.Seed["sub/x.part"] = "two\nlines\r\n"
		to := filepath.Join(t.TempDir(), "new")
		if err := env.Save(to); err != nil {
			t.Fatal(err)
		}
		got, err := environments.Load(filepath.Join(to, env.Name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]environments.Environment{env}, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", env.Name, diff)
		}
		if err := env.Save(to); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: saved over what is there: %v", env.Name, err)
		}
	}
}

func TestImportedEnvironmentsLoadAsTheyWere(t *testing.T) {
	t.Parallel()
	file := filepath.Join("..", "..", "shared", "released", "excerpts.jsonl")
	if dir := os.Getenv("AGENTD_RELEASED"); dir != "" {
		file = filepath.Join(dir, "excerpts.jsonl")
	}
	envs, err := environments.Load(file)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no released excerpts at %s: set AGENTD_RELEASED to their folder to import them", file)
	}
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, env := range envs {
		if err := env.Save(dir); err != nil {
			t.Fatal(err)
		}
		got, err := environments.Load(filepath.Join(dir, env.Name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]environments.Environment{env}, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", env.Name, diff)
		}
	}
}

func TestWhatCannotBeSavedWholeIsNotThere(t *testing.T) {
	t.Parallel()
	env := builtin(t)[0]
	env.Seed = env.Seed.Clone()
	env.Seed[strings.Repeat("é", 127)+".txt"] = "a name that this file system does not take" // 258 bytes
	to := t.TempDir()
	if err := env.Save(to); err == nil {
		t.Fatal("it was saved")
	}
	if left, err := os.ReadDir(to); err != nil || len(left) > 0 {
		t.Errorf("something is left: %v, %v", left, err)
	}
}

// Every name that a data set gives is refused where it could lead out of the
// folder, both when it is loaded and when it is written.
func TestNamesOfADataSetLeadNowhereElse(t *testing.T) {
	t.Parallel()
	attacks := []string{
		"../x", "../../x", "a/../../x", "/tmp/x", "..", ".", "", "a\x00b", "a\nb", "a\x1b[2Jb", "./x", "a//b", "a/", strings.Repeat("d/", 9) + "x", strings.Repeat("n", 256),
	}
	of := map[string]func(*environments.Environment, string){
		"environment": func(e *environments.Environment, name string) { e.Name = name },
		"seed":        func(e *environments.Environment, name string) { e.Seed = vfs.Files{name: "x"} },
		"distractor":  func(e *environments.Environment, name string) { e.Distractors = vfs.Files{name: "x"} },
		"scaffold":    func(e *environments.Environment, name string) { e.Scaffold = vfs.Files{name: "x", "testing.py": ""} },
		"target": func(e *environments.Environment, name string) {
			e.Edits = slices.Clone(e.Edits)
			e.Edits[0].Targets = []string{name}
		},
	}
	allowed := []string{"./x", "a//b", "a/"} // of targets, which only match names
	good := builtin(t)[0]
	for kind, set := range of {
		names := attacks
		if kind == "environment" {
			names = append(slices.Clone(attacks), "a/b", `a\b`, ".git", "-rf")
		}
		for _, name := range names {
			if kind == "target" && slices.Contains(allowed, name) {
				continue
			}
			env := good
			set(&env, name)
			above := t.TempDir()
			to := filepath.Join(above, "in", "to")
			if err := env.Save(to); err == nil {
				t.Errorf("%s %q was saved", kind, name)
			}
			if left, err := os.ReadDir(above); err != nil || len(left) > 0 {
				t.Errorf("%s %q: left %v, %v", kind, name, left, err)
			}
			line, err := json.Marshal(env.Sample())
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(above, "x.jsonl")
			if err := os.WriteFile(file, line, 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := environments.Load(file); err == nil {
				t.Errorf("%s %q was loaded", kind, name)
			}
		}
	}
}

func TestSavingFollowsNoLink(t *testing.T) {
	t.Parallel()
	env := builtin(t)[0]
	to, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(to, env.Name)); err != nil {
		t.Fatal(err)
	}
	if err := env.Save(to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("saved through a link: %v", err)
	}
	if written, err := os.ReadDir(outside); err != nil || len(written) > 0 {
		t.Errorf("written: %v, %v", written, err)
	}
}
