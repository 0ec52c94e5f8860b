package standin

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/models/sim"
	"agentd/vfs"
)

func builtin(t *testing.T) []environments.Environment {
	t.Helper()
	envs, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return envs
}

// withDistractors is what a prompt shows.
func withDistractors(env *environments.Environment, documents vfs.Files) vfs.Files {
	all := env.Distractors.Clone()
	for name, content := range documents {
		all[name] = content
	}
	return all
}

func TestBuiltInEditsAreDoneExactly(t *testing.T) {
	t.Parallel()
	envs := builtin(t)
	index := NewIndex(envs, catalog.Lookup)
	for i := range envs {
		env := &envs[i]
		domain, _ := catalog.Lookup(env.Domain)
		for _, edit := range env.Edits {
			oracle, ok := env.OracleFor(edit, domain)
			if !ok {
				t.Fatalf("%s, %s has no oracle", env.Name, edit.Name)
			}
			state := env.Seed
			for _, step := range []struct {
				instruction string
				targets     []string
				exact       func(vfs.Files) (vfs.Files, error)
			}{{edit.Forward, edit.Targets, oracle.Forward}, {edit.Backward, env.Targets, oracle.Backward}} {
				want, err := step.exact(state)
				if err != nil {
					t.Fatal(err)
				}
				shown := withDistractors(env, state)
				job, ok := index.Find("Hello.\n"+step.instruction+"\nThank you.", shown.Names(), step.targets)
				if !ok || !job.Exact {
					t.Fatalf("%s, %s: found %v, exact %v: %s", env.Name, edit.Name, ok, job.Exact, step.instruction)
				}
				for name := range shown {
					if _, document := state[name]; job.IsDocument(name) != document {
						t.Errorf("%s, %s: %s is a document: %v", env.Name, edit.Name, name, !document)
					}
				}
				if diff := cmp.Diff(want, vfs.Files(job.Do(shown, sim.Damage{}))); diff != "" {
					t.Errorf("%s, %s: %s", env.Name, edit.Name, diff)
				}
				state = want
			}
		}
	}
}

func TestWhatABuiltInEditRefusesComesBackUnchanged(t *testing.T) {
	t.Parallel()
	envs := builtin(t)
	index := NewIndex(envs, catalog.Lookup)
	refused := 0
	for i := range envs {
		env := &envs[i]
		domain, _ := catalog.Lookup(env.Domain)
		state := vfs.Files{}
		for _, name := range env.Seed.Names() {
			state[name] = "\x00 is no " + env.Domain + "\n"
		}
		for _, edit := range env.Edits {
			oracle, _ := env.OracleFor(edit, domain)
			if _, err := oracle.Forward(state); err == nil {
				continue
			}
			refused++
			there, _ := index.Find(edit.Forward, state.Names(), edit.Targets)
			carried := vfs.Files(there.Do(state, sim.Damage{}))
			back, _ := index.Find(edit.Backward, carried.Names(), env.Targets)
			if diff := cmp.Diff(state, vfs.Files(back.Do(carried, sim.Damage{}))); diff != "" {
				t.Errorf("%s, %s: %s", env.Name, edit.Name, diff)
			}
		}
	}
	if refused < len(envs) {
		t.Errorf("%d edits refuse", refused)
	}
}

// stub is a domain whose one edit, "stamp", marks files with the name of the
// domain, and refuses anything but files that end in .in or .out.
type stub struct {
	domains.Domain
	name string
}

func (s stub) With(options domains.Metadata) domains.Domain {
	return stub{name: s.name + options["suffix"]}
}

func (s stub) Edits() []domains.Edit {
	stamp := func(files vfs.Files, ending string) (vfs.Files, error) {
		if len(files) == 0 || len(files.Match([]string{"*.in", "*.out"})) < len(files) {
			return nil, errors.New("not mine")
		}
		return vfs.Files{s.name + ending: strings.Join(files.Names(), " ")}, nil
	}
	return []domains.Edit{{Name: "stamp",
		Forward:  func(files vfs.Files) (vfs.Files, error) { return stamp(files, ".out") },
		Backward: func(files vfs.Files) (vfs.Files, error) { return stamp(files, ".in") },
	}}
}

func TestTheRightJobIsFound(t *testing.T) {
	t.Parallel()
	env := func(domain, source, target, forward string) environments.Environment {
		return environments.Environment{Domain: domain, Targets: []string{source}, Distractors: vfs.Files{"other.in": "", "notes.md": ""},
			Edits: []environments.Edit{{Forward: forward, Backward: "Back.", Targets: []string{target}, Oracle: environments.Oracle{Name: "stamp"}}}}
	}
	options := env("d", "o.in", "o.out", "With options.")
	options.Metadata = domains.Metadata{"suffix": "+"}
	index := NewIndex([]environments.Environment{
		env("a", "a.in", "same.out", "Do it."),
		env("b", "b.in", "same.out", "Do it.\n"),
		env("c", "b.in", "other.out", "Do it."),
		env("long", "b.in", "same.out", "Do it. Then sort it."),
		env("pattern", "*.in", "*.out", "Any name."),
		env("unbuilt", "u.in", "u.out", "Not built."),
		options,
	}, func(name string) (domains.Domain, bool) { return stub{name: name}, name != "unbuilt" })
	for name, c := range map[string]struct {
		text           string
		files, targets []string
		want           vfs.Files // nil if no job is found
	}{
		"told apart by the files, first":                 {"Do it.", []string{"a.in", "notes.md"}, []string{"same.out"}, vfs.Files{"a.out": "a.in"}},
		"told apart by the files":                        {"Do it.", []string{"b.in", "notes.md"}, []string{"same.out"}, vfs.Files{"b.out": "b.in"}},
		"told apart by the targets":                      {"Do it.", []string{"b.in", "notes.md"}, []string{"other.out"}, vfs.Files{"c.out": "b.in"}},
		"told apart by the files, no targets":            {"Do it.", []string{"b.in", "notes.md"}, nil, vfs.Files{"b.out": "b.in"}},
		"the longer one holds a shorter":                 {"Do it. Then sort it.", []string{"b.in"}, []string{"same.out"}, vfs.Files{"long.out": "b.in"}},
		"backward":                                       {"Back.", []string{"other.out"}, []string{"b.in"}, vfs.Files{"c.in": "other.out"}},
		"a distractor that fits a pattern is none of it": {"Any name.", []string{"x.in", "other.in"}, []string{"*.out"}, vfs.Files{"pattern.out": "x.in"}},
		"a domain gets the environment's options":        {"With options.", []string{"o.in"}, []string{"o.out"}, vfs.Files{"d+.out": "o.in"}},
		"what the exact program refuses is carried":      {"Do it.", []string{"lost.txt", "other.in"}, []string{"same.out"}, vfs.Files{"same.out": "=== carried: lost.txt\nof lost.txt"}},
		"an edit without an exact program is carried":    {"Not built.", []string{"u.in", "other.in"}, []string{"u.out"}, vfs.Files{"u.out": "=== carried: u.in\nof u.in"}},
		"an unknown instruction is carried":              {"Sing.", []string{"u.in"}, []string{"song.txt"}, vfs.Files{"song.txt": "=== carried: u.in\nof u.in"}},
		"an unknown instruction without targets":         {"Sing.", []string{"u.in"}, nil, nil},
	} {
		job, ok := index.Find("Please: "+c.text, c.files, c.targets)
		if ok != (c.want != nil) {
			t.Errorf("%s: found %v", name, ok)
		}
		if !ok {
			continue
		}
		if job.Exact && job.IsDocument("other.in") {
			t.Errorf("%s: takes a distractor for a document", name)
		}
		files := vfs.Files{}
		for _, file := range c.files {
			files[file] = "of " + file
		}
		before := files.Clone()
		got := vfs.Files(job.Do(files, sim.Damage{}))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if !before.Equal(files) {
			t.Errorf("%s: the files given were changed", name)
		}
		if carried := strings.Contains(strings.Join(slices.Collect(maps.Values(got)), ""), mark); job.Exact && carried && c.files[0] != "lost.txt" {
			t.Errorf("%s: carried over, but said to be exact", name)
		} else if !job.Exact && !carried {
			t.Errorf("%s: exact, but not said to be", name)
		}
	}
}
