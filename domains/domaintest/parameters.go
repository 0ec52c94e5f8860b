package domaintest

import (
	"fmt"
	"testing"

	"agentd/domains"
	"agentd/vfs"
)

// Parameterized is an edit with parameters, and the files that its forward step must make.
type Parameterized struct {
	Edit, Parameters string
	Want             vfs.Files
}

// Parameters checks edits with parameters as Results does.
func Parameters(t *testing.T, d domains.Domain, document vfs.Files, back Back, all ...Parameterized) {
	t.Helper()
	with := &withEdits{Domain: d}
	want := map[string]vfs.Files{}
	for n, one := range all {
		edit := parameterized(t, d, one.Edit, one.Parameters)
		edit.Name = fmt.Sprintf("%s %d", one.Edit, n+1)
		with.edits = append(with.edits, edit)
		want[edit.Name] = one.Want
	}
	Results(t, with, document, want, back)
}

// Refused checks that an edit cannot be made with parameters, as the error says.
func Refused(t *testing.T, d domains.Domain, edit, parameters, want string) {
	t.Helper()
	made := parameterized(t, d, edit, parameters)
	for _, step := range []func(vfs.Files) (vfs.Files, error){made.Forward, made.Backward} {
		if got, err := step(vfs.Files{}); err == nil || err.Error() != want {
			t.Errorf("%s: %v and the error %v, want %q", edit, got, err, want)
		}
	}
}

func parameterized(t *testing.T, d domains.Domain, edit, parameters string) domains.Edit {
	t.Helper()
	made, err := Edit(t, d, edit).With(parameters)
	if err != nil {
		t.Fatal(err)
	}
	return made
}
