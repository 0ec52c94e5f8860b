package environments_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"agentd/environments"
)

func TestSavedEnvironmentsLoadAsTheyWere(t *testing.T) {
	t.Parallel()
	for _, env := range builtin(t) {
		env.Targets = append(env.Targets, "*.part") // what the seed's names do not say
		env.Seed = env.Seed.Clone()
		env.Seed["sub/x.part"] = "two\nlines\r\n"
		dir := filepath.Join(t.TempDir(), "new", env.Name)
		if err := env.Save(dir); err != nil {
			t.Fatal(err)
		}
		got, err := environments.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]environments.Environment{env}, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", env.Name, diff)
		}
		if err := env.Save(dir); !errors.Is(err, fs.ErrExist) {
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
		if err := env.Save(filepath.Join(dir, env.Name)); err != nil {
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
	env.Seed["../x"] = "x"
	dir := filepath.Join(t.TempDir(), "new")
	if err := env.Save(dir); err == nil {
		t.Error("a path out of the folder was written")
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something is left: %v", err)
	}
}

func TestTheReleasedFormHoldsAllButOracles(t *testing.T) {
	t.Parallel()
	for _, env := range builtin(t) {
		line, err := json.Marshal(env.Sample())
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "x.jsonl")
		if err := os.WriteFile(file, line, 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := environments.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		want := env
		want.Edits = nil
		for _, edit := range env.Edits {
			edit.Oracle = ""
			want.Edits = append(want.Edits, edit)
		}
		sorted := cmpopts.SortSlices(func(a, b environments.Distractor) bool { return a.File < b.File })
		if diff := cmp.Diff([]environments.Environment{want}, got, cmpopts.EquateEmpty(), sorted); diff != "" {
			t.Errorf("%s: %s", env.Name, diff)
		}
	}
}
