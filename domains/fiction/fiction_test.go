package fiction

import (
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
)

// scored is the domain with a judge and the length of the seed.
func scored(length string) domains.Domain {
	return New().With(domains.Metadata{"target_length": length}).(domains.Judged).WithJudge(domaintest.Unmoved{})
}

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain: demonstration(t), Seed: domaintest.Seed(t, "fiction1"), Generate: drawn(),
		RSForgives: 1, // any text of the length has the same opinion; see TestLengthCosts
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "fiction1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "fiction1"))
}
