package genealogy

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "genealogy1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":        {Record: "0 @I@ INDI\n"},
	"individuals": {Record: "0 @I%d@ INDI\n"},
	"names":       {Record: "0 @I%d@ INDI\n1 NAME %d\n"},
	"families":    {Record: "0 @F%d@ FAM\n"},
	"husbands":    {Before: "0 @I1@ INDI\n1 NAME Rasmus Jensen /Kroman/\n", Record: "0 @F%d@ FAM\n1 HUSB @I1@\n"},
	"children":    {Before: "0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n", Record: "1 CHIL @I%d@\n"},
	"child":       {Before: "0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n", Record: "1 CHIL @I1@\n"},
	"claims":      {Before: "0 @I1@ INDI\n", Record: "1 FAMS @F%d@\n"},
	"claim":       {Before: "0 @I1@ INDI\n", Record: "1 FAMS @F1@\n"},
	"facts":       {Before: "0 @I1@ INDI\n", Record: "1 A %d\n"},
	"tags":        {Before: "0 @I1@ INDI\n", Record: "1 A%d\n"},
	"births":      {Before: "0 @I1@ INDI\n", Record: "1 BIRT %d\n"},
	"records":     {Record: "0 @A%d@ A\n"},
	"record":      {Record: "0 A\n"},
	"associated":  {Before: "0 @I1@ INDI\n", Record: "1 ASSO @I1@\n"},
	"continued":   {Before: "0 @I1@ INDI\n1 NOTE\n", Record: "2 CONC %d\n"},
	"lines":       {Record: "a %d\n"},
	"header":      {Before: "0 HEAD\n", Record: "1 A %d\n"},
}
