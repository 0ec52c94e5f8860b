package quantum

import (
	"testing"

	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
)

const document = "steane_cycle.qasm"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "quantum1") }

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:     demonstration(t),
		Seed:       domaintest.Seed(t, "quantum1"),
		Generate:   rapid.Custom(drawProgram),
		RSForgives: 0.35, // what is left of the weights when every subroutine is lost
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "quantum1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "quantum1"))
}
