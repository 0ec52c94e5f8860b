package treebank

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "treebank1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":      {Record: "1\ta\n\n"},
	"words":     {Record: "1\t%d\n\n"},
	"lemmas":    {Record: "1\ta\tb\n\n"},
	"one":       {Before: "# sent_id = tlt014-003\n# text = Where was your father's stage, Ambrose?\n", Record: "1\ta\tb\n"},
	"forms":     {Before: "# sent_id = tlt014-003\n# text = Where was your father's stage, Ambrose?\n", Record: "1\t%d\tb\n"},
	"texts":     {Record: "# text = Where was %d\n\n"},
	"comments":  {Record: "#\n\n"},
	"comment":   {Record: "# a%d = %d\n", After: "1\ta\tb\n"},
	"features":  {Before: "1\ta\tb\tc\td\t", Record: "a%d=1|", After: "b=1\n"},
	"sentences": {Record: "# sent_id = %d\n1\ta\tb\n\n"},
	"lines":     {Record: "a%d\n"},
}
