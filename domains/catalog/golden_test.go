package catalog_test

import (
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"agentd/domains/catalog"
	"agentd/domains/domaintest"
	"agentd/environments"
	"agentd/harness/programs/programstest"
)

// excused are the golden rows that docs/domains.md explains.
var excused = map[string]excuses{
	"chess":     {Values: []string{"chess-b-27-split-by-game-names-not-in-order"}},
	"earncall":  {Labels: []string{"earncall-b-26"}, Values: []string{"earncall-b-23", "earncall-b-24"}},
	"emails":    {Labels: []string{"emails-b-07"}},
	"genealogy": {Labels: []string{"genealogy-b-23-twins-death-moved-to-the-other"}},
	"geodata":   {Values: []string{"geodata-b-32-split-across-2-files"}},
	"graphviz":  {Labels: []string{"graphviz-b-34-split-across-2-files"}},
	"hamradio":  {FileOrder: []string{"hamradio-a-split-two-files-in-order", "hamradio-b-split-by-band"}},
	"infra":     {Labels: []string{"infra-b-swap-two-list-items", "infra-b-inline-comment-dropped"}},
	"jobboard": {
		FileOrder: []string{"jobboard-a-split-two-files-reversed", "jobboard-b-split-by-country"},
		Labels:    []string{"jobboard-b-cosmetic-footer-dropped"},
	},
	"json":       {Labels: []string{"json-b-cosmetic-keys-sorted-yml", "json-b-cosmetic-anchors-expanded"}},
	"libcatalog": {Labels: []string{"libcatalog-b-one-file-of-two-broken", "libcatalog-b-bare-ampersand"}},
	"makefile": {
		Labels: []string{"makefile-b-prerequisites-reordered"}, Values: []string{"makefile-b-split-without-include"},
	},
	"mathlean": {
		FileOrder: []string{"mathlean-a-split-by-section", "mathlean-a-split-files-in-other-order", "mathlean-b-split-two-files"},
	},
	"obj3d":       {Labels: []string{"obj3d-b-04-o-keyword-written-as-g"}},
	"playlist":    {Labels: []string{"playlist-b-33-both-empty", "playlist-b-29-undeclared-prefix"}},
	"protein":     {Labels: []string{"protein-b-29-split-by-chain-unpadded-end"}},
	"python":      {Labels: []string{"python-b-02-docstrings-and-blank-lines-changed", "python-b-04-merged-into-one-file"}},
	"recipe":      {Labels: []string{"recipe-b-31-typographic-quotes-and-dashes"}},
	"starcatalog": {Strict: []string{"starcatalog-b-tables_in_other_order"}},
	"vector": {
		FileOrder: []string{"vector-a-19-split-across-two-files"},
	},
}

// refusedReferences are the labelled rows, and the damaged ones in which the published
// reader finds elements, whose references are refused, with the reason.
var refusedReferences = map[string]string{
	"filesystem-a-32-empty-reference-and-empty-candidate": "the listing is empty",
	"json-a-yaml-mixed-key-types-identical":               "the published evaluator crashes",
	"json-a-yaml-on-key-identical":                        "the published evaluator crashes",
	"fonteng-fuzz-11-308":                                 "a stray brace holds the whole file",
	"treebank-fuzz-11-155":                                "a word ends before its lemma",
	"weather-fuzz-11-346":                                 "the bulletin is cut off before its first report",
}

// TestGoldenReferences prints, with -v, how many references are refused.
func TestGoldenReferences(t *testing.T) {
	t.Parallel()
	dir := domaintest.GoldenDir(t, "../..")
	var damaged, rows atomic.Int64
	t.Cleanup(func() {
		t.Logf("of %d golden rows the references of %d randomly damaged ones are refused", rows.Load(), damaged.Load())
	})
	for _, d := range catalog.All() {
		t.Run(d.Info().Name, func(t *testing.T) {
			t.Parallel()
			refused, n := goldenReferences(t, dir, d)
			rows.Add(int64(n))
			for _, r := range refused {
				if r.damaged {
					damaged.Add(1)
				} else if refusedReferences[r.id] == "" {
					t.Errorf("%s: %v", r.id, r.reason)
				}
			}
		})
	}
}

// cutOff are the released excerpts that end in the middle of the document, so that
// the published reader finds nothing in them.
var cutOff = []string{
	"audiosyn1", "calendar1", "circuit1", "edifact1", "geodata1", "geotrack1", "graphviz1", "json1", "landmarks1",
	"libcatalog2", "robotics1", "starcatalog1",
}

func TestReleasedSeedsAreReferences(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"excerpts.jsonl", "extra_envs.jsonl"} {
		envs, err := environments.Load(filepath.Join(releasedDir(t), file))
		if err != nil {
			t.Fatal(err)
		}
		for i := range envs {
			d, ok := catalog.Lookup(envs[i].Domain)
			if !ok {
				t.Errorf("%s: there is no domain %s", envs[i].Name, envs[i].Domain)
				continue
			}
			err := envs[i].Apply(d).CheckReference(envs[i].Seed)
			if taken := err == nil; taken == slices.Contains(cutOff, envs[i].Name) {
				t.Errorf("%s is taken: %v (%v)", envs[i].Name, taken, err)
			}
		}
	}
}

// releasedDir is the folder of released environments. It skips the test where there
// is none.
func releasedDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("AGENTD_RELEASED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "released")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no released environments at %s: set AGENTD_RELEASED to their folder", dir)
	}
	return dir
}

// seedsOff is how many of a thousand damaged seeds may be off.
const seedsOff = 5

// TestGolden prints, with -v, a line for each domain of how far it agrees.
func TestGolden(t *testing.T) {
	t.Parallel()
	dir := domaintest.GoldenDir(t, "../..")
	all := catalog.All()
	found := make([]agreement, len(all))
	t.Cleanup(func() {
		var sum agreement
		t.Logf("%-12s %s", "", header())
		for i, d := range all {
			if found[i].folders[labelled].rows == 0 { // not asked for
				continue
			}
			t.Logf("%-12s %s", d.Info().Name, found[i])
			sum.add(found[i])
		}
		t.Logf("%-12s %s", "all", sum)
		seeds, fuzz := sum.folders[damagedSeeds], sum.folders[fuzzed]
		t.Logf("bounds: labelled, more and new, no row off that docs/domains.md does not name; seeds, %d in a thousand over all domains "+
			"(%d of %d); fuzz, 10 in a thousand in each domain (%d of %d over all)",
			seedsOff, seeds.valuesOff, seeds.rows, fuzz.valuesOff, fuzz.rows)
		if seeds.valuesOff*1000 > seeds.rows*seedsOff {
			t.Errorf("%d of %d damaged seeds are off, more than %d in a thousand", seeds.valuesOff, seeds.rows, seedsOff)
		}
	})
	for i, d := range all {
		t.Run(d.Info().Name, func(t *testing.T) {
			t.Parallel()
			found[i] = golden(t, dir, programstest.Bound(t, d), excused[d.Info().Name])
		})
	}
}
