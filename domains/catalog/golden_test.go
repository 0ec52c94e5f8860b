package catalog

import (
	"testing"

	"agentd/domains/domaintest"
)

// mislabelled are the golden rows whose label docs/domains.md disputes.
var mislabelled = map[string][]string{}

func TestGolden(t *testing.T) {
	t.Parallel()
	dir := domaintest.GoldenDir(t, "../..")
	for _, d := range All() {
		t.Run(d.Info().Name, func(t *testing.T) {
			t.Parallel()
			domaintest.Golden(t, dir, d, mislabelled[d.Info().Name]...)
		})
	}
}
