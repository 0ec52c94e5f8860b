package audiosyn

import (
	"testing"

	"pgregory.net/rapid"

	"agentd/domains/domaintest"
)

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, "audiosyn1"),
		Generate: rapid.Custom(drawPiece),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "audiosyn1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "audiosyn1"))
}
