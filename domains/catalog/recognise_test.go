package catalog_test

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentd/domains/catalog"
	"agentd/domains/domaintest"
	"agentd/domains/domaintest/equivalences"
	"agentd/environments"
	"agentd/vfs"
)

// leastFound is the share of documents that the right domain must be found for.
const leastFound = 0.97

// prose are domains whose documents are prose, lists without words of their own, or tables that are known by their names.
var prose = []string{"earncall", "fiction", "foodmenu", "jobboard", "markdown", "recipe", "screenplay", "slides", "text", "transit"}

// names are the forms of a file's name under which a document is looked at.
var names = map[string]func(string) string{
	"own": func(name string) string { return name },
	"upper": func(name string) string {
		return strings.TrimSuffix(name, path.Ext(name)) + strings.ToUpper(path.Ext(name))
	},
	"neutral": func(string) string { return "document" },
}

// found counts documents for which the right domain is found, by forms of names.
type found struct{ right, all map[string]int }

// look looks for the domain of a document under each form of name.
func (f *found) look(t *testing.T, id, domain string, document vfs.Files) {
	t.Helper()
	if d, _ := catalog.Lookup(domain); d.Info().Binary {
		return // known by the name alone
	}
	for form, rename := range names {
		if form == "neutral" && (len(document) > 1 || slices.Contains(prose, domain)) {
			continue
		}
		files := vfs.Files{}
		for name, content := range document {
			files[rename(name)] = content
		}
		f.all[form]++
		recognised := catalog.Recognise(files)
		switch {
		case len(recognised) == 0:
			t.Logf("%s as %v: none", id, files.Names())
		case recognised[0].Domain.Info().Name != domain:
			t.Logf("%s as %v: %s (%s)", id, files.Names(), recognised[0].Domain.Info().Name, recognised[0].Why())
		default:
			f.right[form]++
		}
	}
}

// check fails where too few are found.
func (f *found) check(t *testing.T) {
	t.Helper()
	for _, form := range slices.Sorted(maps.Keys(f.all)) {
		t.Logf("%s names: %d of %d found", form, f.right[form], f.all[form])
		if float64(f.right[form]) < leastFound*float64(f.all[form]) {
			t.Errorf("%s names: %d of %d documents are found", form, f.right[form], f.all[form])
		}
	}
}

func newFound() *found { return &found{map[string]int{}, map[string]int{}} }

// The seeds of the built-in environments are found by their content; with AGENTD_DETECTION=1, what the equivalences
// make of them, too.
func TestBuiltInDocumentsAreFound(t *testing.T) {
	t.Parallel()
	envs, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	counts := newFound()
	for _, env := range envs {
		counts.look(t, env.Name, env.Domain, env.Seed)
		if os.Getenv("AGENTD_DETECTION") == "" || !strings.HasSuffix(env.Name, "1") {
			continue
		}
		for _, e := range equivalences.All()[env.Domain] {
			for _, candidate := range e.Candidates(env.Seed, 1, 1) {
				counts.look(t, env.Name+", "+e.Name, env.Domain, candidate)
			}
		}
	}
	counts.check(t)
}

// The documents of the golden rows, and excerpts of public ones, are found.
func TestPublicDocumentsAreFound(t *testing.T) {
	t.Parallel()
	dir := domaintest.GoldenDir(t, "../..")
	counts := newFound()
	for _, d := range catalog.All() {
		rows, err := domaintest.Labelled(dir, d.Info().Name)
		if err != nil {
			t.Fatal(err)
		}
		var seen []vfs.Files
		for i := range rows {
			if !slices.ContainsFunc(seen, rows[i].Reference.Equal) {
				counts.look(t, rows[i].ID, d.Info().Name, rows[i].Reference)
				seen = append(seen, rows[i].Reference)
			}
		}
	}
	for _, e := range excerpts(t, filepath.Join(dir, "..", "released", "excerpts.jsonl")) {
		counts.look(t, e.ID, e.Domain, e.seed())
	}
	counts.check(t)
}

// excerpt is an environment of the released form.
type excerpt struct {
	ID     string    `json:"sample_id"`
	Domain string    `json:"sample_type"`
	Files  vfs.Files `json:"files"`
}

// seed are the documents of its start.
func (e *excerpt) seed() vfs.Files {
	files := vfs.Files{}
	for name, content := range e.Files {
		if inside, ok := strings.CutPrefix(name, "basic_state/"); ok {
			files[inside] = content
		}
	}
	return files
}

// excerpts reads environments of the released form; it skips the test where there are none.
func excerpts(t *testing.T, file string) (all []excerpt) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Skipf("no excerpts of public documents: %v", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var e excerpt
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}
