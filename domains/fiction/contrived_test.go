package fiction

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "fiction1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":       {Record: "a\n\n"},
	"words":      {Record: "a "},
	"numbered":   {Record: "a%d "},
	"paragraphs": {Record: "a%d b\n\n"},
	"two words":  {Record: "a b%d "},
	"quotes":     {Record: "“%d” "},
	"dashes":     {Record: "--"},
	"one word":   {Record: "%d"},
	"lines":      {Record: "%d\n"},
	"seeded":     {Record: "the %d bell "},
}
