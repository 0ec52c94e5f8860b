package robotics

import (
	"testing"

	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
)

const documentFile = "kulvert.urdf"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "robotics1") }

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:     demonstration(t),
		Seed:       domaintest.Seed(t, "robotics1"),
		Generate:   rapid.Custom(drawDocument),
		RSForgives: 0.16,
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "robotics1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "robotics1"))
}
