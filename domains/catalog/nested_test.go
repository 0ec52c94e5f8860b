package catalog

import (
	"testing"

	"agentd/domains/domaintest"
)

// TestNestingIsReadInLinearTime is not parallel, since it counts what the program uses.
func TestNestingIsReadInLinearTime(t *testing.T) {
	for _, d := range All() {
		if d.Info().Binary {
			continue
		}
		t.Run(d.Info().Name, func(t *testing.T) { domaintest.Nested(t, d, domaintest.Seed(t, d.Info().Name+"1")) })
	}
}
