package domaintest

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/environments"
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

// With returns a domain whose edits are those of a built-in environment, by their names there
// and with their parameters.
func With(t testing.TB, d domains.Domain, environment string) domains.Domain {
	t.Helper()
	all, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(all, func(e environments.Environment) bool { return e.Name == environment })
	if at < 0 {
		t.Fatalf("no environment %s", environment)
	}
	with := &withEdits{Domain: d}
	for _, edit := range all[at].Edits {
		made, ok := all[at].OracleFor(edit, d)
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

// Back is how exactly backward steps must lead back to a document.
type Back uint8

// How backward steps may lead back.
const (
	ToTheLetter Back = iota // to the same bytes
	InMeaning               // to files of the same names, without a difference
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

// DamagedSteps damages what each edit's forward step makes of a seed, a row of each
// table left out and each old text replaced by the new one after it, and
// checks that the damage is carried over by the backward step, not multiplied:
// that Strict is below 1 and at least least.
func DamagedSteps(t *testing.T, d domains.Domain, seed vfs.Files, least float64, oldnew ...string) {
	t.Helper()
	replacer := strings.NewReplacer(oldnew...)
	for _, edit := range d.Edits() {
		t.Run(edit.Name, func(t *testing.T) {
			t.Parallel()
			files, err := edit.Forward(seed)
			if err != nil {
				t.Fatal(err)
			}
			damaged := vfs.Files{}
			for name, text := range files {
				lines := strings.SplitAfter(text, "\n")
				if strings.HasSuffix(name, "sv") && len(lines) > 4 {
					lines = append(lines[:2], lines[3:]...)
				}
				damaged[name] = replacer.Replace(strings.Join(lines, ""))
			}
			got, err := edit.Backward(damaged)
			if err != nil {
				t.Fatal(err)
			}
			if score := d.Compare(seed, got); score.Strict >= 1 || score.Strict < least {
				t.Errorf("Strict %v: %v", score.Strict, d.Differences(seed, got))
			}
		})
	}
}
