package domaintest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/vfs"
)

// Takes checks of an edit with parameters, given in JSON, that its forward step makes exactly
// the wanted files of a document, and that its backward step leads back to the letter.
func Takes(t *testing.T, d domains.Domain, document vfs.Files, edit, parameters string, want vfs.Files) {
	t.Helper()
	made := taking(t, d, edit, parameters)
	got, err := made.Forward(document)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%s: %v %s", edit, err, diff)
	}
	again, err := made.Backward(got)
	if diff := cmp.Diff(document, again); diff != "" || err != nil {
		t.Errorf("%s backward: %v %s", edit, err, diff)
	}
}

// Refuses checks that an edit cannot be made with its parameters, and that the forward step of
// a document says why.
func Refuses(t *testing.T, d domains.Domain, document vfs.Files, edit, parameters, want string) {
	t.Helper()
	if _, err := taking(t, d, edit, parameters).Forward(document); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: error %v, want %q", edit, err, want)
	}
}

func taking(t *testing.T, d domains.Domain, edit, parameters string) domains.Edit {
	t.Helper()
	made, err := Edit(t, d, edit).With(parameters)
	if err != nil {
		t.Fatal(err)
	}
	return made
}
