package mathlean

import (
	"testing"

	"pgregory.net/rapid"

	"agentd/domains/domaintest"
)

// document is the file of the sources in these tests.
const document = "PellNumbers.lean"

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   New(),
		Seed:     domaintest.Seed(t, "mathlean1"),
		Generate: rapid.Custom(drawSource),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, New(), domaintest.Seed(f, "mathlean1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "mathlean1"))
}
