package earncall

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "earncall1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":      {Record: "Aa:\n"},
	"turns":     {Record: "Aa:%d\n"},
	"seeded":    {Record: "Operator: Thank you. %d\n"},
	"sentences": {Record: "Aa:B. C. %d\n"},
	"cast":      {Record: "Aa:\nAb:\nAc:\nAd:\nAe:\nAf:\nAg:\nAh:\nAi:\nAj:\nAk:\nAl:\n"},
	"one":       {Before: "Operator: ", Record: "word %d "},
	"said":      {Before: "Operator: ", Record: "A%d. "},
	"signs":     {Before: "Operator: ", Record: "!#$&()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~ÄÖÜäöüß%d"},
	"wrapped":   {Before: "Operator: ", Record: "%d\n"},
	"amounts":   {Before: "Operator: ", Record: "$%d "},
	"scales":    {Before: "Operator: ", Record: "$%d million "},
	"commas":    {Before: "Operator: $", Record: "1,"},
	"digits":    {Before: "Operator: $", Record: "1", After: "a"},
	"points":    {Before: "Operator: ", Record: "1.1"},
	"stops":     {Before: "Operator: ", Record: "."},
	"headings":  {Record: "Q&A\n"},
	"sections":  {Record: "Q&A\nAa:%d\n"},
	"lists":     {Record: "Executives\n%d\n"},
	"dashes":    {Record: "A - %d\n"},
	"names":     {Record: "A A A A A A A A A A\n"},
	"lines":     {Record: "%d\n"},
}
