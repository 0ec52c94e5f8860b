package hamradio

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "hamradio1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":    {Before: "x<EOH>", Record: "<EOR>"},
	"calls":   {Before: "x<EOH>", Record: "<CALL:6>%06d<EOR>"},
	"call":    {Before: "x<EOH>", Record: "<CALL:6>EA1FCR<EOR>"},
	"near":    {Before: "x<EOH>", Record: "<CALL:6>EA1FCR<BAND:3>17m<COMMENT:6>%06d<EOR>"},
	"same":    {Before: "x<EOH>", Record: "<CALL:6>EA1FCR<BAND:3>17m<EOR>"},
	"dates":   {Before: "x<EOH>", Record: "<QSO_DATE:8>20230725<BAND:3>17m<CALL:6>%06d<EOR>"},
	"fields":  {Before: "x<EOH>", Record: "<A%06d:1>1", After: "<EOR>"},
	"header":  {Before: "x", Record: "<A%06d:1>1", After: "<EOH>"},
	"endless": {Before: "x<EOH>", Record: "<CALL:6>%06d<QSO_DATE:8>20230725"},
	"lines":   {Before: "x<EOH>", Record: "a %d\n"},
}
