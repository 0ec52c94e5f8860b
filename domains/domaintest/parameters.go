package domaintest

import (
	"testing"

	"agentd/domains"
	"agentd/vfs"
)

// Made is what an edit makes of a document with some parameters, which are a JSON object.
type Made struct {
	Parameters string
	Want       vfs.Files
}

// Parameters checks a domain's edits, by their names, with parameters of a test's own, as Results
// does. The parameters name the document's files as they are.
func Parameters(t *testing.T, d domains.Domain, document vfs.Files, edits map[string]Made, back Back) {
	t.Helper()
	with := &withEdits{Domain: d}
	want := map[string]vfs.Files{}
	for name, made := range edits {
		edit, err := Edit(t, d, name).With(made.Parameters)
		if err != nil {
			t.Fatal(err)
		}
		with.edits = append(with.edits, edit)
		want[name] = made.Want
	}
	Results(t, with, document, want, back)
}
