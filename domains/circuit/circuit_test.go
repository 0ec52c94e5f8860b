package circuit

import (
	"testing"

	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
)

const document = "hydrophone_rx.cir"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "circuit1") }

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:     demonstration(t),
		Seed:       domaintest.Seed(t, "circuit1"),
		Generate:   rapid.Custom(drawNetlist),
		RSForgives: 0.45, // what is left of a cell or of the sources counts as a whole
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "circuit1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "circuit1"))
}
