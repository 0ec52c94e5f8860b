package environments_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/vfs"
)

// large are documents of any length, by the domain that reads them: a name, what is before and after the parts, and a part.
var large = map[string]struct {
	file, before, between, after string
	part                         func(n int, random *rand.Rand) string
}{
	"dbschema": {"dump.sql", "-- MySQL dump 10.13\n/*!40101 SET NAMES utf8 */;\n\n", "\n", "", func(n int, random *rand.Rand) string {
		return fmt.Sprintf("--\n-- Table structure for table `t_%d`\n--\nDROP TABLE IF EXISTS `t_%d`;\nCREATE TABLE `t_%d` (\n  `id` int(10) unsigned NOT NULL AUTO_INCREMENT,\n"+
			"  `ref` char(%d) NOT NULL COMMENT 'as printed on the card %d',\n  `name` varchar(%d) NOT NULL DEFAULT '',\n  `price` decimal(%d,2) DEFAULT NULL,\n"+
			"  `state` enum('ok','stopped') NOT NULL DEFAULT 'ok',\n  `made` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP,\n  PRIMARY KEY (`id`),\n"+
			"  UNIQUE KEY `ref_%d` (`ref`),\n  KEY `name` (`name`,`state`)\n) ENGINE=%s AUTO_INCREMENT=%d DEFAULT CHARSET=utf8 COMMENT='%s of ward %d';\n",
			n, n, n, 4+random.IntN(9), n, 20+random.IntN(80), 4+random.IntN(8), n, pick(random, "InnoDB", "MyISAM", "InnoDB"), random.IntN(20000), pick(random, "Visits", "Bills", "Stock", "Staff"), n%7)
	}},
	"geodata": {"sites.geojson", "{\n  \"type\": \"FeatureCollection\",\n  \"name\": \"sites\",\n  \"features\": [\n", ",\n", "\n  ]\n}\n", func(n int, random *rand.Rand) string {
		return fmt.Sprintf("    {\n      \"type\": \"Feature\",\n      \"id\": %d,\n      \"properties\": {\n        \"id\": \"CW%05d\",\n        \"name\": \"%s %d\",\n        \"kind\": \"%s\",\n"+
			"        \"condition\": %d,\n        \"surveyed\": \"2024-0%d-1%d\",\n        \"note\": \"%s; looked at from the %s bank, reading %d.\"\n      },\n"+
			"      \"geometry\": {\"type\": \"Point\", \"coordinates\": [%.5f, %.5f, %d]}\n    }",
			n, n, pick(random, "Jack", "Mill", "Strines", "Land"), n, pick(random, "footbridge", "pond", "weir", "culvert"), 1+random.IntN(5), 1+random.IntN(9), random.IntN(10),
			pick(random, "Two thirds silted", "Parapet rebuilt", "Clear water"), pick(random, "left", "right"), random.IntN(1000), -2-random.Float64(), 53+random.Float64(), random.IntN(400))
	}},
	"landmarks": {"map.kml", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\">\n  <Document>\n    <name>Map</name>\n    <Folder>\n      <name>All</name>\n", "", "    </Folder>\n  </Document>\n</kml>\n", func(n int, random *rand.Rand) string {
		return fmt.Sprintf("      <Placemark id=\"tl_%d\">\n        <name>%s %d</name>\n        <styleUrl>#%s</styleUrl>\n        <ExtendedData>\n          <SchemaData schemaUrl=\"#poi\">\n"+
			"            <SimpleData name=\"ADDRESS\">Via %s %d</SimpleData>\n            <SimpleData name=\"OVERVIEW\">%s, seen from number %d.</SimpleData>\n            <SimpleData name=\"BUS\">%d</SimpleData>\n"+
			"          </SchemaData>\n        </ExtendedData>\n        <Point><coordinates>%.5f,%.5f,0</coordinates></Point>\n      </Placemark>\n",
			n, pick(random, "Piazza", "Molo", "Museo", "Castello"), n, pick(random, "museum", "faith", "coffee", "open_air"), pick(random, "Dante", "Roma", "Carducci"), 1+random.IntN(90),
			pick(random, "Open to the sea", "Best after rain", "A tower"), random.IntN(5000), 1+random.IntN(40), 13+random.Float64(), 45+random.Float64())
	}},
	"starcatalog": {"stars.vot", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<VOTABLE version=\"1.3\" xmlns=\"http://www.ivoa.net/xml/VOTable/v1.3\">\n  <RESOURCE name=\"stars\">\n    <TABLE name=\"programme\">\n" +
		"      <FIELD name=\"HIP\" ucd=\"meta.id;meta.main\" datatype=\"int\" width=\"6\"/>\n      <FIELD name=\"Name\" datatype=\"char\" arraysize=\"*\"/>\n      <FIELD name=\"RAdeg\" datatype=\"double\" unit=\"deg\"/>\n" +
		"      <FIELD name=\"DEdeg\" datatype=\"double\" unit=\"deg\"/>\n      <FIELD name=\"Vmag\" datatype=\"float\" unit=\"mag\"/>\n      <FIELD name=\"SpType\" datatype=\"char\" arraysize=\"*\"/>\n      <DATA>\n        <TABLEDATA>\n", "", "        </TABLEDATA>\n      </DATA>\n    </TABLE>\n  </RESOURCE>\n</VOTABLE>\n", func(n int, random *rand.Rand) string {
		return fmt.Sprintf("          <TR><TD>%d</TD><TD>Gliese %d</TD><TD>%.6f</TD><TD>%.6f</TD><TD>%.2f</TD><TD>%s%dV</TD></TR>\n",
			1000+n*3, n, 360*random.Float64(), 180*random.Float64()-90, 4+8*random.Float64(), pick(random, "G", "K", "M"), random.IntN(10))
	}},
	"spreadsheet": {file: "t.csv"},
}

func pick(random *rand.Rand, values ...string) string { return values[random.IntN(len(values))] }

// largeOf is a document of a domain with about so many bytes.
func largeOf(domain string, length int) vfs.Files {
	of := large[domain]
	if of.part == nil {
		return vfs.Files{of.file: members(length / 88)}
	}
	random := rand.New(rand.NewPCG(1, 0))
	var b strings.Builder
	b.WriteString(of.before)
	for n := 1; b.Len() < length; n++ {
		if n > 1 {
			b.WriteString(of.between)
		}
		b.WriteString(of.part(n, random))
	}
	b.WriteString(of.after)
	return vfs.Files{of.file: b.String()}
}

// BenchmarkDerive is of tables of several lengths, as the time for a megabyte must not grow with the document, and of other formats.
func BenchmarkDerive(b *testing.B) {
	for _, c := range []struct {
		domain string
		length int
	}{{"spreadsheet", 130_000}, {"spreadsheet", 520_000}, {"spreadsheet", 2_100_000}, {"dbschema", 500_000}, {"geodata", 500_000}, {"landmarks", 500_000}, {"starcatalog", 500_000}} {
		d, _ := catalog.Lookup(c.domain)
		files := largeOf(c.domain, c.length)
		b.Run(fmt.Sprintf("%s, %d kB", c.domain, files.Bytes()/1000), func(b *testing.B) {
			b.SetBytes(int64(files.Bytes()))
			for b.Loop() {
				edits, err := environments.Derive(d, files, 8, 1)
				if err != nil || len(edits) < 8 {
					b.Fatalf("%d edits, %v", len(edits), err)
				}
			}
		})
	}
}
