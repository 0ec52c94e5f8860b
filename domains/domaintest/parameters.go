package domaintest

import (
	"testing"

	"agentd/domains"
)

// Taking returns a domain whose edits are some of its own, with parameters in JSON by their
// names.
func Taking(t testing.TB, d domains.Domain, parameters map[string]string) domains.Domain {
	t.Helper()
	with := &withEdits{Domain: d}
	for name, text := range parameters {
		edit, err := Edit(t, d, name).With(text)
		if err != nil {
			t.Fatal(err)
		}
		with.edits = append(with.edits, edit)
	}
	return with
}
