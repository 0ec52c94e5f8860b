package foodmenu

import (
	"testing"

	"pgregory.net/rapid"

	"agentd/domains/domaintest"
)

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, "foodmenu1"),
		Generate: rapid.Custom(drawMenu),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "foodmenu1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "foodmenu1"))
}
