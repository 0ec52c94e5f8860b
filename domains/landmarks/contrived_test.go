package landmarks

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "landmarks1"), contrived)
}

const kmlStart = `<kml xmlns="http://www.opengis.net/kml/2.2">`

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":        {Before: kmlStart, Record: "<Placemark/>", After: "</kml>"},
	"names":       {Before: kmlStart, Record: "<Placemark><name>%d</name></Placemark>", After: "</kml>"},
	"ids":         {Before: kmlStart, Record: `<Placemark id="p%d"><name>a</name></Placemark>`, After: "</kml>"},
	"seeded":      {Before: kmlStart, Record: `<Placemark><name>Molo Audace</name><SimpleData name="OVERVIEW">Stone %d</SimpleData></Placemark>`, After: "</kml>"},
	"one text":    {Before: kmlStart + `<Placemark><name>Molo Audace</name><SimpleData name="OVERVIEW">`, Record: "Stone %d. ", After: "</SimpleData></Placemark></kml>"},
	"long word":   {Before: kmlStart + `<Placemark><name>Molo Audace</name><SimpleData name="OVERVIEW">`, Record: "%d", After: "</SimpleData></Placemark></kml>"},
	"fields":      {Before: kmlStart + "<Placemark>", Record: `<SimpleData name="a%d"/>`, After: "</Placemark></kml>"},
	"line":        {Before: kmlStart + "<Placemark><LineString><coordinates>", Record: "1,%d ", After: "</coordinates></LineString></Placemark></kml>"},
	"folders":     {Before: kmlStart, Record: "<Folder/>", After: "</kml>"},
	"open":        {Before: kmlStart, Record: "<Folder>"},
	"styles":      {Before: kmlStart, Record: "<Style/>", After: "</kml>"},
	"titles":      {Before: kmlStart, Record: "<name>%d</name>", After: "</kml>"},
	"comments":    {Before: kmlStart, Record: "<!--%d-->", After: "</kml>"},
	"words":       {Before: kmlStart, Record: "%d\n", After: "</kml>"},
	"lines":       {Record: "%d\n"},
	"parentheses": {Before: kmlStart, Record: "a(", After: "</kml>"},
	"ampersands":  {Before: kmlStart, Record: "&", After: "</kml>"},
	"name tags":   {Before: "<Placemark>", Record: "<name>", After: "</Placemark>"},
	"features":    {Before: `{"features": [{}`, Record: ",{}", After: "]}"},
	"cut short":   {Record: `{"type": "Feature", "a": `},
}
