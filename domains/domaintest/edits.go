package domaintest

import (
	"path/filepath"
	"testing"

	"agentd/domains"
	"agentd/environments"
)

// Edit returns a domain's edit by its name.
func Edit(t testing.TB, d domains.Domain, name string) domains.Edit {
	t.Helper()
	for _, edit := range d.Edits() {
		if edit.Name == name {
			return edit
		}
	}
	t.Fatalf("no edit %s", name)
	return domains.Edit{}
}

// With returns a domain whose edits are those of a built-in environment, by their names there
// and with their parameters.
func With(t testing.TB, d domains.Domain, environment string) domains.Domain {
	t.Helper()
	found, err := environments.Load(filepath.Join(builtin, environment))
	if err != nil {
		t.Fatal(err)
	}
	with := &withEdits{Domain: d}
	for _, edit := range found[0].Edits {
		made, ok := found[0].OracleFor(edit, d)
		if !ok {
			t.Fatalf("%s, %s: no oracle", environment, edit.Name)
		}
		made.Name = edit.Name
		with.edits = append(with.edits, made)
	}
	return with
}

type withEdits struct {
	domains.Domain
	edits []domains.Edit
}

func (w *withEdits) Edits() []domains.Edit { return w.edits }
