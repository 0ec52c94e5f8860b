package catalog

import (
	"testing"

	"agentd/domains/domaintest"
)

// excused are the golden rows that docs/domains.md explains.
var excused = map[string]domaintest.Excused{
	"hamradio": {FileOrder: []string{"hamradio-a-split-two-files-in-order"}},
}

func TestGolden(t *testing.T) {
	t.Parallel()
	dir := domaintest.GoldenDir(t, "../..")
	for _, d := range All() {
		t.Run(d.Info().Name, func(t *testing.T) {
			t.Parallel()
			domaintest.Golden(t, dir, d, excused[d.Info().Name])
		})
	}
}
