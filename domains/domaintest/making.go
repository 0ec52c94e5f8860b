package domaintest

import (
	"maps"
	"slices"
	"testing"

	"agentd/domains"
)

// Making returns a domain with some of its edits, made with parameters other than those of the
// built-in environment: the parameters by the edits' names.
func Making(t testing.TB, d domains.Domain, parameters map[string]string) domains.Domain {
	t.Helper()
	with := &withEdits{Domain: d}
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		made, err := Edit(t, d, name).With(parameters[name])
		if err != nil {
			t.Fatal(err)
		}
		with.edits = append(with.edits, made)
	}
	return with
}
