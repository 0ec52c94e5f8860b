package domaintest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"agentd/domains"
	"agentd/vfs"
)

// Made is an edit with parameters, which are a JSON object, and the files that its forward step makes.
type Made struct {
	Edit, Parameters string
	Want             vfs.Files
}

// Parameters checks edits with parameters of a test's own, as Results does.
func Parameters(t *testing.T, d domains.Domain, document vfs.Files, back Back, all ...Made) {
	t.Helper()
	with := &withEdits{Domain: d}
	want := map[string]vfs.Files{}
	for n, one := range all {
		edit := made(t, d, one.Edit, one.Parameters)
		edit.Name = fmt.Sprintf("%s %d", one.Edit, n+1)
		with.edits = append(with.edits, edit)
		want[edit.Name] = one.Want
	}
	Results(t, with, document, want, back)
}

// Takes checks one edit with parameters, which leads back to the letter.
func Takes(t *testing.T, d domains.Domain, document vfs.Files, edit, parameters string, want vfs.Files) {
	t.Helper()
	Parameters(t, d, document, ToTheLetter, Made{edit, parameters, want})
}

// Refuses checks that an edit cannot be made with parameters: both of its steps say why.
func Refuses(t *testing.T, d domains.Domain, edit, parameters, want string) {
	t.Helper()
	refused := made(t, d, edit, parameters)
	for _, step := range []func(vfs.Files) (vfs.Files, error){refused.Forward, refused.Backward} {
		if got, err := step(vfs.Files{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v and the error %v, want %q", edit, got, err, want)
		}
	}
}

// Making returns a domain with some of its edits, by their names, with parameters of a test's own.
func Making(t testing.TB, d domains.Domain, parameters map[string]string) domains.Domain {
	t.Helper()
	with := &withEdits{Domain: d}
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		with.edits = append(with.edits, made(t, d, name, parameters[name]))
	}
	return with
}

func made(t testing.TB, d domains.Domain, edit, parameters string) domains.Edit {
	t.Helper()
	made, err := Edit(t, d, edit).With(parameters)
	if err != nil {
		t.Fatal(err)
	}
	return made
}
