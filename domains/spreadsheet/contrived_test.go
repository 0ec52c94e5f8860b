package spreadsheet

import (
	"strings"
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "spreadsheet1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":    {Before: "Date,Invoice\n", Record: ",\n"},
	"one":     {Before: "a\n", Record: "1\n"},
	"numbers": {Before: "Date,Invoice\n", Record: "%d\n"},
	"pairs":   {Before: "Date,Invoice\n", Record: "2023-04-03,%d\n"},
	"seeded":  {Before: "Date,Invoice,Berth,Customer,Category,Item,Qty,Amount,Note\n", Record: "2023-04-03,00%d,A3,R. Isbister,Berthing,Annual berth per m,7.6,656.64,\n"},
	"columns": {Record: "%d,"},
	"wide":    {Before: strings.Repeat("a,", 2000) + "\n", Record: "%d\n"},
	"commas":  {Record: strings.Repeat(",", 50) + "\n"},
}
