package environments_test

import (
	"testing"

	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/vfs"
)

func TestDerivedEditsAreAddedToTheOwn(t *testing.T) {
	t.Parallel()
	env := builtin(t)[0] // accounting1
	d, _ := catalog.Lookup(env.Domain)
	own := len(env.Edits)
	added, err := env.AddDerived(d, 4, 1)
	if err != nil || added != 4 || len(env.Edits) != own+4 {
		t.Fatalf("%d of %d edits are new, %v", added, len(env.Edits), err)
	}
	// The same again have other names, and none has the name of a distractor.
	first := env.Edits[own]
	for _, target := range first.Targets {
		env.Distractors = vfs.Files{target: "in the way"}
	}
	again, err := env.AddDerived(d, 4, 1)
	if err != nil || again >= 4 {
		t.Errorf("%d edits were added though one would make the distractor %v, %v", again, env.Distractors.Names(), err)
	}
	names := map[string]bool{}
	for _, edit := range env.Edits {
		if names[edit.Name] {
			t.Errorf("two edits are called %s", edit.Name)
		}
		names[edit.Name] = true
		if err := env.Exact(edit, d); err != nil {
			t.Errorf("%s: %v", edit.Name, err)
		}
	}
	tiny := environments.Environment{Name: "tiny", Domain: "accounting", Seed: vfs.Files{"a.ledger": "2026-01-02 Baker\n  Food  3 EUR\n  Cash\n"}}
	if added, err := tiny.AddDerived(d, 4, 1); err != nil || added != 0 {
		t.Errorf("of one entry: %d, %v", added, err)
	}
}
