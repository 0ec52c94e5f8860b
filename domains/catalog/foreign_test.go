package catalog_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/domains/domaintest"
	"agentd/environments"
	"agentd/vfs"
)

// Of the documents that others wrote, and that can be a reference, so many have so many derived edits of so many verbs.
const (
	leastShare  = 0.97
	fewestVerbs = 4
)

func TestForeignDocumentsHaveEdits(t *testing.T) {
	t.Parallel()
	all := foreign(t)
	if len(all) < 150 {
		t.Fatalf("%d documents", len(all))
	}
	short := make([]string, len(all))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, doc := range all {
		group.Go(func() error {
			edits, err := environments.Derive(doc.domain, doc.files, 2*fewest, 1)
			verbs := map[string]bool{}
			var names []string
			for _, e := range edits {
				verbs[e.Oracle.Verb.Kind()] = true
				names = append(names, e.Name)
			}
			if len(edits) < fewest || len(verbs) < fewestVerbs {
				short[i] = fmt.Sprintf("%s: %d edits of %d verbs: %s; %v", doc.name, len(edits), len(verbs), strings.Join(names, ", "), err)
			}
			return nil
		})
	}
	_ = group.Wait()
	short = slices.DeleteFunc(short, func(line string) bool { return line == "" })
	t.Logf("%d of %d documents have too few edits:\n%s", len(short), len(all), strings.Join(short, "\n"))
	if float64(len(short)) > (1-leastShare)*float64(len(all)) {
		t.Errorf("more than %.0f %% have too few", 100*(1-leastShare))
	}
}

// document is one that somebody outside the project wrote.
type document struct {
	name   string
	domain domains.Domain
	files  vfs.Files
}

// foreign are the released seeds and the references of golden rows, each once.
func foreign(t *testing.T) []document {
	t.Helper()
	var all []document
	seen := map[string]bool{}
	add := func(name string, d domains.Domain, files vfs.Files) {
		if key := fmt.Sprint(d.Info().Name, files); !seen[key] && d.Vocabulary() != nil && d.CheckReference(files) == nil {
			seen[key] = true
			all = append(all, document{name, d, files})
		}
	}
	released, err := filepath.Glob(filepath.Join(releasedDir(t), "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range released {
		envs, err := environments.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, env := range envs {
			if d, ok := catalog.Lookup(env.Domain); ok {
				add(filepath.Base(file)+" "+env.Name, env.Apply(d), env.Seed)
			}
		}
	}
	golden := domaintest.GoldenDir(t, "../..")
	for _, d := range catalog.All() {
		rows, err := domaintest.Rows(golden, d.Info().Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			if row.Corrupting != nil {
				add("golden "+row.ID, row.Domain(d), row.Reference)
			}
		}
	}
	return all
}
