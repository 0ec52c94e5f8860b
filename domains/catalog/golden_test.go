package catalog_test

import (
	"testing"

	"agentd/domains/catalog"
	"agentd/domains/domaintest"
	"agentd/harness/programs/programstest"
)

// excused are the golden rows that docs/domains.md explains.
var excused = map[string]domaintest.Excused{
	"hamradio": {FileOrder: []string{"hamradio-a-split-two-files-in-order"}},
	"jobboard": {FileOrder: []string{"jobboard-a-split-two-files-reversed"}},
	"mathlean": {FileOrder: []string{"mathlean-a-split-by-section", "mathlean-a-split-files-in-other-order"}},
	"vector":   {FileOrder: []string{"vector-a-19-split-across-two-files"}},
}

// TestGolden prints, with -v, a line for each domain of how far it agrees.
func TestGolden(t *testing.T) {
	t.Parallel()
	dir := domaintest.GoldenDir(t, "../..")
	all := catalog.All()
	found := make([]domaintest.Agreement, len(all))
	t.Cleanup(func() {
		t.Logf("%-12s %s", "", domaintest.AgreementHeader)
		for i, d := range all {
			t.Logf("%-12s %s", d.Info().Name, found[i])
		}
	})
	for i, d := range all {
		t.Run(d.Info().Name, func(t *testing.T) {
			t.Parallel()
			found[i] = domaintest.Golden(t, dir, programstest.Bound(t, d), excused[d.Info().Name])
		})
	}
}
