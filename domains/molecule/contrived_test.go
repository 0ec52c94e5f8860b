package molecule

import (
	"strings"
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, environment), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":     {Record: "\n\n\n  0  0\nM  END\n$$$$\n"},
	"titles":   {Record: "%d\n\n\n  0  0\nM  END\n$$$$\n"},
	"names":    {Record: "\n\n\n  0  0\nM  END\n>  <ID>\nAS-%d\n\n$$$$\n"},
	"name":     {Record: "\n\n\n  0  0\nM  END\n>  <ID>\nAS-001\n\n$$$$\n"},
	"rings":    {Record: "%d\n\n\n  6  6\n" + strings.Repeat("    0.0000    0.0000    0.0000 C  \n", 6) + "  1  2  2\n  2  3  1\n  3  4  2\n  4  5  1\n  5  6  2\n  1  6  1\nM  END\n$$$$\n"},
	"atoms":    {Before: "x\n\n\n999  0\n", Record: "    0.0000    0.0000    0.0000 C  \n", After: "M  END\n"},
	"bonds":    {Before: "x\n\n\n  2999\n" + strings.Repeat("    0.0000    0.0000    0.0000 C  \n", 2), Record: "  1  2  1\n", After: "M  END\n"},
	"charges":  {Before: "x\n\n\n  1  0\n    0.0000    0.0000    0.0000 C  \n", Record: "M  CHG  1   1   1\n", After: "M  END\n"},
	"extended": {Before: "x\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 BEGIN ATOM\n", Record: "M  V30 %d C 0 0 0 0\n"},
	"fields":   {Before: "x\n\n\n  0  0\nM  END\n>  <ID>\nAS-001\n\n", Record: "> <A%d>\n1\n\n"},
	"field":    {Before: "x\n\n\n  0  0\nM  END\n>  <ID>\nAS-001\n\n", Record: "> <NOTE>\n%d\n\n"},
	"value":    {Before: "x\n\n\n  0  0\nM  END\n>  <ID>\nAS-001\n\n> <NOTE>\n", Record: "%d\n"},
	"headers":  {Record: "> <>\n\n"},
	"ends":     {Record: "$$$$\n"},
	"counts":   {Record: "V2000\n"},
	"lines":    {Record: "a %d\n"},
}
