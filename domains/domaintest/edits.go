package domaintest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/vfs"
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

// Back is how exactly backward steps must lead back to a document.
type Back uint8

const (
	ToTheLetter Back = iota
	InMeaning        // in files of the same names, without a difference
)

// Results checks of every edit that its forward step makes exactly the wanted
// files of a document, and that its backward step leads back. Edits whose wanted
// files are nil show them in a test of their own.
func Results(t *testing.T, d domains.Domain, document vfs.Files, want map[string]vfs.Files, back Back) {
	t.Helper()
	for name := range want {
		Edit(t, d, name)
	}
	for _, edit := range d.Edits() {
		t.Run(edit.Name, func(t *testing.T) {
			t.Parallel()
			files, listed := want[edit.Name]
			if !listed {
				t.Fatal("no wanted files")
			}
			got, err := edit.Forward(document)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(files, got); files != nil && diff != "" {
				t.Errorf("forward: %s", diff)
			}
			again, err := edit.Backward(got)
			if err != nil {
				t.Fatal(err)
			}
			if back == ToTheLetter {
				if diff := cmp.Diff(document, again); diff != "" {
					t.Errorf("backward: %s", diff)
				}
				return
			}
			if diff := cmp.Diff(document.Names(), again.Names()); diff != "" {
				t.Errorf("backward: %s", diff)
			}
			if differences := d.Differences(document, again); len(differences) > 0 {
				t.Errorf("backward: %v", differences)
			}
		})
	}
}
