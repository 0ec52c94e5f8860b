package starcatalog

import (
	"strings"
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "starcatalog1"), contrived)
}

const (
	starResource    = `<VOTABLE xmlns="http://www.ivoa.net/xml/VOTable/v1.3"><RESOURCE>`
	starResourceEnd = "</RESOURCE></VOTABLE>"
	starTable       = starResource + "<TABLE>"
	starTableEnd    = "</TABLEDATA></DATA></TABLE>" + starResourceEnd
)

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":        {Before: starTable + "<DATA><TABLEDATA>", Record: "<TR/>"},
	"rows":        {Before: starTable + `<FIELD name="HIP" ucd="meta.id;meta.main"/><DATA><TABLEDATA>`, Record: "<TR><TD>%d</TD></TR>", After: starTableEnd},
	"same rows":   {Before: starTable + `<FIELD name="HIP"/><DATA><TABLEDATA>`, Record: "<TR><TD>8102</TD></TR>", After: starTableEnd},
	"unnamed":     {Before: starTable + `<FIELD name="HIP"/><DATA><TABLEDATA>`, Record: "<TR><TD/></TR>", After: starTableEnd},
	"empty rows":  {Before: starTable + `<FIELD name="HIP"/><DATA><TABLEDATA>`, Record: "<TR/>", After: starTableEnd},
	"cells":       {Before: starTable + `<FIELD name="HIP"/><DATA><TABLEDATA><TR>`, Record: "<TD>%d</TD>", After: "</TR>" + starTableEnd},
	"one cell":    {Before: starTable + `<FIELD name="HIP"/><FIELD name="Name"/><DATA><TABLEDATA><TR><TD>8102</TD><TD>`, Record: "a %d ", After: "</TD></TR>" + starTableEnd},
	"numbers":     {Before: starTable + `<FIELD name="HIP"/><FIELD name="Vmag" datatype="float"/><DATA><TABLEDATA><TR><TD>8102</TD><TD>`, Record: "%d ", After: "</TD></TR>" + starTableEnd},
	"fields":      {Before: starTable, Record: `<FIELD name="a%d"/>`, After: "<DATA><TABLEDATA><TR><TD>1</TD></TR>" + starTableEnd},
	"same fields": {Before: starTable, Record: `<FIELD name="a"/>`, After: "<DATA><TABLEDATA><TR><TD>1</TD></TR>" + starTableEnd},
	"tables":      {Before: starResource, Record: "<TABLE/>", After: starResourceEnd},
	"full tables": {Before: starResource, Record: `<TABLE><FIELD name="HIP"/><DATA><TABLEDATA><TR><TD>%d</TD></TR></TABLEDATA></DATA></TABLE>`, After: starResourceEnd},
	"resources":   {Before: starResource, Record: "<RESOURCE/>", After: starResourceEnd},
	"nested":      {Before: starResource + strings.Repeat("<RESOURCE>", 200) + "<TABLE><FIELD name='HIP'/><DATA><TABLEDATA>", Record: "<TR><TD>%d</TD></TR>", After: "</TABLEDATA></DATA></TABLE>" + strings.Repeat("</RESOURCE>", 200) + starResourceEnd},
	"open":        {Before: starResource, Record: "<RESOURCE>"},
	"open tables": {Before: starResource, Record: "<TABLE>"},
	"infos":       {Before: starResource, Record: `<INFO name="a%d"/>`, After: starResourceEnd},
	"same infos":  {Before: starResource, Record: "<INFO/>", After: starResourceEnd},
	"systems":     {Before: starResource, Record: "<COOSYS/>", After: starResourceEnd},
	"references":  {Before: starTable + "<GROUP>", Record: `<FIELDref ref="%d"/>`, After: "</GROUP></TABLE>" + starResourceEnd},
	"data":        {Before: starTable, Record: "<DATA/>", After: "</TABLE>" + starResourceEnd},
	"attributes":  {Before: starResource + "<TABLE ", Record: `a%d="" `, After: "/>" + starResourceEnd},
	"prefixes":    {Before: starResource + "<TABLE ", Record: `xmlns:a%d="u" `, After: "/>" + starResourceEnd},
	"description": {Before: starResource + "<DESCRIPTION>", Record: "a %d ", After: "</DESCRIPTION>" + starResourceEnd},
	"described":   {Before: starResource, Record: "<DESCRIPTION>%d</DESCRIPTION>", After: starResourceEnd},
	"comments":    {Before: starResource, Record: "<!--%d-->", After: starResourceEnd},
	"lines":       {Before: starResource, Record: "%d\n", After: starResourceEnd},
}
