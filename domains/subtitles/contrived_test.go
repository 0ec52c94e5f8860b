package subtitles

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "subtitles1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":   {Record: "0:0:0-->0:0:1\n\n\n"},
	"equal":  {Record: "1\n0:0:0-->0:0:1\na\n\n"},
	"texts":  {Record: "1\n0:0:0-->0:0:1\n%d\n\n"},
	"words":  {Record: "1\n0:0:0-->0:0:1\n[engine rumbling] %d\n\n"},
	"seeded": {Record: "1\n0:0:0-->0:0:1\n[engine rumbling]\n\n"},
	"times":  {Record: "1\n00:00:%d --> 00:00:58,958\n[engine rumbling]\n\n"},
	"one":    {Before: "1\n0:0:0-->0:0:1\n", Record: "%d\n"},
	"blanks": {Before: "1\n0:0:0-->0:0:1\n", Record: "%d\n\n"},
}
