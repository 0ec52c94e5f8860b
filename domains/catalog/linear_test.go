package catalog

import (
	"testing"

	"agentd/domains/domaintest"
)

// TestCompareIsLinear is not parallel, since it counts what is allocated.
func TestCompareIsLinear(t *testing.T) {
	for _, d := range All() {
		if d.Info().Binary {
			continue // it is made no longer by joining another
		}
		t.Run(d.Info().Name, func(t *testing.T) {
			domaintest.Linear(t, d, domaintest.Seed(t, d.Info().Name+"1"))
		})
	}
}
