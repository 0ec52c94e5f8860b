package experiment

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/environments"
	"agentd/internal/usage"
	"agentd/vfs"
)

// A program is scored by its tests; without them no score can be had.
func TestTheFirstEnvironmentsOfADomainThatCanBeScored(t *testing.T) {
	t.Parallel()
	tests := vfs.Files{"testing.py": "pass"}
	envs := []environments.Environment{
		{Name: "chess2", Domain: "chess"}, {Name: "python1", Domain: "python"}, {Name: "chess1", Domain: "chess"},
		{Name: "python2", Domain: "python", Scaffold: tests}, {Name: "chess3", Domain: "chess"}, {Name: "python3", Domain: "python", Scaffold: tests},
	}
	for n, want := range map[int][]string{
		1: {"chess2", "python2"},
		2: {"chess2", "chess1", "python2", "python3"},
		9: {"chess2", "chess1", "python2", "chess3", "python3"},
	} {
		first, err := firstOfEach(envs, n)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, env := range first {
			names = append(names, env.Name)
		}
		if diff := cmp.Diff(want, names); diff != "" {
			t.Errorf("%d of each: %s", n, diff)
		}
	}
	none := slices.DeleteFunc(slices.Clone(envs), func(e environments.Environment) bool { return e.Name != "python1" })
	var wrong usage.Error
	if _, err := firstOfEach(none, 1); !errors.As(err, &wrong) {
		t.Errorf("nothing that can be scored: %v", err)
	}
}

func TestDraftsAreChosenByName(t *testing.T) {
	t.Parallel()
	all, err := (&Environments{}).Drafts()
	if err != nil || len(all) < 50 {
		t.Fatalf("%d drafts, %v", len(all), err)
	}
	some, err := (&Environments{Names: []string{"accounting*"}}).Drafts()
	if err != nil || len(some) == 0 || len(some) >= len(all) {
		t.Errorf("%d of %d drafts, %v", len(some), len(all), err)
	}
	// A folder without a name goes by where it stands, and what is wrong with it is kept.
	broken := filepath.Join(t.TempDir(), "mine")
	if err := os.MkdirAll(broken, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(broken, "environment.yaml"), []byte("name: [\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	kept, err := (&Environments{Data: filepath.Dir(broken)}).Drafts()
	if err != nil || len(kept) != 1 || kept[0].Err == nil || draftName(kept[0]) != kept[0].Where {
		t.Errorf("%+v, %v", kept, err)
	}
}

// Environments that were made in memory are all in the experiment, those of general text too.
func TestGivenEnvironmentsAreAllThere(t *testing.T) {
	t.Parallel()
	given := Environments{Given: []environments.Environment{{Name: "notes", Domain: "text"}, {Name: "books", Domain: "accounting"}}}
	chosen, err := given.Choose()
	if err != nil || len(chosen) != 2 {
		t.Errorf("%d environments, %v", len(chosen), err)
	}
}

// Of the built-in environments an experiment has one of each domain, unless it names others.
func TestOneBuiltInEnvironmentOfEachDomain(t *testing.T) {
	t.Parallel()
	chosen, err := (&Environments{}).Choose()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, env := range chosen {
		if seen[env.Domain] {
			t.Errorf("%s is the second of %s", env.Name, env.Domain)
		}
		seen[env.Domain] = true
	}
	all, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	want := 0
	for _, env := range all {
		if env.Domain == "accounting" {
			want++
		}
	}
	for name, e := range map[string]Environments{
		"a domain": {Domains: []string{"accounting"}}, "a pattern": {Names: []string{"accounting*"}}, "so many": {PerDomain: 9, Domains: []string{"accounting"}},
	} {
		if chosen, err := e.Choose(); err != nil || len(chosen) != want {
			t.Errorf("%s: %d environments of accounting, want %d; %v", name, len(chosen), want, err)
		}
	}
}
