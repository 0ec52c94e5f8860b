package environments_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/environments/checks"
	"agentd/internal/usage"
	"agentd/vfs"
)

// withJudged are the built-in environments that have judged edits, with them.
func withJudged(t *testing.T) []environments.Environment {
	t.Helper()
	var found []environments.Environment
	for _, env := range builtin(t) {
		own := len(env.Edits)
		n, err := env.AddJudged()
		if err != nil {
			t.Fatal(err)
		}
		if n != env.Judged() || n != len(env.Edits)-own {
			t.Errorf("%s: %d judged edits are added, and it has %d", env.Name, n, env.Judged())
		}
		if n > 0 {
			found = append(found, env)
		}
	}
	return found
}

func TestJudgedEdits(t *testing.T) {
	t.Parallel()
	envs := withJudged(t)
	if len(envs) < 10 || len(envs) != len(environments.JudgedNames()) {
		t.Errorf("%d environments have judged edits: %q", len(envs), environments.JudgedNames())
	}
	var drafts []environments.Draft
	for _, env := range envs {
		names := map[string]bool{}
		for _, edit := range env.Edits {
			if names[edit.Name] {
				t.Errorf("%s: two edits %s", env.Name, edit.Name)
			}
			names[edit.Name] = true
			if len(edit.Judged) == 0 {
				continue
			}
			if len(edit.Judged) < 3 {
				t.Errorf("%s, %s: %d statements", env.Name, edit.Name, len(edit.Judged))
			}
			if longest := max(len(strings.Fields(edit.Forward)), len(strings.Fields(edit.Backward))); longest > mostWords {
				t.Errorf("%s, %s: %d words in an instruction", env.Name, edit.Name, longest)
			}
			// What a colleague would have to be told: every file that is made, or read again.
			for _, target := range edit.Targets {
				start, _, _ := strings.Cut(target, "*")
				if !strings.Contains(edit.Forward, start) || !strings.Contains(edit.Backward, start) {
					t.Errorf("%s, %s: an instruction does not name %s", env.Name, edit.Name, target)
				}
			}
			for _, name := range env.Seed.Names() {
				if !strings.Contains(edit.Forward, name) || !strings.Contains(edit.Backward, name) {
					t.Errorf("%s, %s: an instruction does not name %s", env.Name, edit.Name, name)
				}
			}
		}
		drafts = append(drafts, environments.Draft{Environment: env, Sample: env.Sample()})
	}
	for _, failure := range checks.Run(drafts, catalog.Lookup) {
		t.Errorf("%+v", failure)
	}
}

// Everything that a score may depend on is in the stored form, and a policy sees none of it.
func TestJudgedEditsAreStored(t *testing.T) {
	t.Parallel()
	env := withJudged(t)[0]
	again, err := environments.Decode(env.Encode())
	if err != nil || again.Judged() != env.Judged() {
		t.Errorf("%d judged edits of %d: %v", again.Judged(), env.Judged(), err)
	}
	to := t.TempDir()
	if err := env.Save(to); err != nil {
		t.Fatal(err)
	}
	if loaded, err := environments.Load(to); err != nil || loaded[0].Hash() != env.Hash() {
		t.Errorf("saved and loaded it is another: %v", err)
	}
	other := env
	other.Edits = slices.Clone(env.Edits)
	last := &other.Edits[len(other.Edits)-1]
	last.Judged = append(slices.Clone(last.Judged), "One more.")
	if other.Hash() == env.Hash() {
		t.Error("another statement makes no other environment")
	}
}

func TestJudgedEditsThatNobodyCanJudge(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*environments.Environment, *environments.Edit){
		"":                              func(*environments.Environment, *environments.Edit) {},
		"has an oracle and is judged":   func(_ *environments.Environment, e *environments.Edit) { e.Oracle.Name = "restate" },
		"a statement to judge is empty": func(_ *environments.Environment, e *environments.Edit) { e.Judged[0] = " " },
		"has 21 statements to judge":    func(_ *environments.Environment, e *environments.Edit) { e.Judged = make([]string, 21) },
		"a judge reads text only":       func(env *environments.Environment, _ *environments.Edit) { env.Seed["a.png"] = "" },
	} {
		env := environments.Environment{
			Name: "notes1", Domain: "text", Seed: vfs.Files{"a.txt": "text"}, Targets: []string{"a.txt"},
			Edits: []environments.Edit{{Name: "kind", Forward: "Be kind.", Backward: "Be frank.", Targets: []string{"b.txt"}, Judged: []string{"It is kind."}}},
		}
		change(&env, &env.Edits[0])
		err := env.Save(t.TempDir())
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v", want, err)
		}
	}
	if err := environments.CheckJudged(builtin(t)); !errors.As(err, new(usage.Error)) {
		t.Errorf("without any: %v", err)
	}
}
