package accounting

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "accounting1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":      {Record: "2023/01/01 a\n"},
	"payees":    {Record: "2023/01/01 a%d\n"},
	"postings":  {Record: "2023/01/01 Heikkila Properties\n a  %d\n"},
	"near":      {Record: "2023/01/01 Heikkila Propertie%d\n a  %d\n"},
	"one entry": {Before: "2023/01/01 Heikkila Properties\n", Record: " a%d\n"},
	"comments":  {Before: "2023/01/01 Heikkila Properties\n", Record: " ;%d\n"},
	"lines":     {Record: "%d\n"},
	"dates":     {Record: "2023/01/01 b\n2023/01/05 c%d\n2023/01/06 d\n2023/02/01 a\n"},
}
