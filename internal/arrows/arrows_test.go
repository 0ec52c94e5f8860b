// Package arrows tests that packages import what docs/design.md says they may, and
// nothing else of this module.
package arrows

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const (
	module   = "agentd/"
	document = "../../docs/design.md"
	arrow    = "->"
	// anything stands on the right for all packages, nothing for none.
	anything, nothing = "everything", "nothing"
	// alone follows a folder of which only its own package may be imported, and none below it.
	alone = " alone"
)

// rules are the lines of the table in docs/design.md: what a folder's packages may
// import, by folder. A folder below another one with a line of its own has that line.
func rules(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		left, right, found := strings.Cut(line, arrow)
		if !found || !strings.HasPrefix(line, "    ") {
			continue
		}
		for _, folder := range strings.Split(left, ",") {
			folder = strings.TrimSpace(folder)
			for _, known := range strings.Split(right, ",") {
				all[folder] = append(all[folder], strings.TrimSpace(known))
			}
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s has no table of folders and what they may know", document)
	}
	return all
}

// of returns the folder of the rules that a package is in, the longest one.
func of(all map[string][]string, pkg string) (folder string, found bool) {
	for f := range all {
		if (pkg == f || strings.HasPrefix(pkg, f+"/")) && len(f) >= len(folder) {
			folder, found = f, true
		}
	}
	return folder, found
}

// allowed reports whether packages of one folder may import a package.
func allowed(known []string, from, pkg string) bool {
	return slices.Contains(known, anything) || slices.ContainsFunc(append(known, from), func(f string) bool {
		if top, only := strings.CutSuffix(f, alone); only {
			return pkg == top
		}
		return pkg == f || strings.HasPrefix(pkg, f+"/")
	})
}

func TestPackagesKnowOnlyWhatTheDesignSays(t *testing.T) {
	t.Parallel()
	all := rules(t)
	list := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports", module+"...")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		pkg := strings.TrimPrefix(p.ImportPath, module)
		folder, found := of(all, pkg)
		if !found {
			t.Errorf("%s is in no line of %s", pkg, document)
			continue
		}
		used[folder] = true
		for _, imported := range p.Imports {
			name, ours := strings.CutPrefix(imported, module)
			if ours && !allowed(all[folder], folder, name) {
				t.Errorf("%s imports %s; %s may know %s alone (%s)", pkg, name, folder, strings.Join(all[folder], ", "), document)
			}
		}
	}
	for folder, known := range all {
		if !used[folder] {
			t.Errorf("%s is in %s, and has no packages", folder, document)
		}
		for _, name := range known {
			if _, found := of(all, strings.TrimSuffix(name, alone)); !found && name != anything && name != nothing {
				t.Errorf("%s: %s may know %s, which has no line of its own", document, folder, name)
			}
		}
	}
}

func TestWhatIsAllowed(t *testing.T) {
	t.Parallel()
	all := map[string][]string{"a": {"b"}, "a/inner": {nothing}, "b": {nothing}, "only": {"b alone"}, "top": {anything}}
	for name, c := range map[string]struct {
		pkg, imported string
		want          bool
	}{
		"a folder that is named":               {"a", "b", true},
		"a package in it":                      {"a/x", "b/y", true},
		"a package of the same folder":         {"a/x", "a/y", true},
		"a folder that is not named":           {"b", "a", false},
		"a name that only begins alike":        {"b", "bb", false},
		"a package alone":                      {"only", "b", true},
		"what is below a package alone":        {"only", "b/y", false},
		"a folder with a line of its own":      {"a/inner/x", "b", false},
		"a package of its own, all the same":   {"a/inner", "a/inner/y", true},
		"a folder that may know everything":    {"top", "a/inner", true},
		"what is above a folder with its line": {"a/inner", "a", false},
	} {
		folder, _ := of(all, c.pkg)
		if got := allowed(all[folder], folder, c.imported); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
