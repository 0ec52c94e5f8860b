package landmarks

import (
	"testing"

	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
)

const documentFile = "trieste.kml"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "landmarks1") }

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, "landmarks1"),
		Generate: rapid.Custom(drawDocument),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "landmarks1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "landmarks1"))
}
