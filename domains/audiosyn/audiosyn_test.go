package audiosyn

import (
	"testing"

	"pgregory.net/rapid"

	"agentd/domains/domaintest"
)

// document is the file of the built-in environment.
const document = "nebelhorn.csd"

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   New(),
		Seed:     domaintest.Seed(t, "audiosyn1"),
		Generate: rapid.Custom(drawPiece),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, New(), domaintest.Seed(f, "audiosyn1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "audiosyn1"))
}
