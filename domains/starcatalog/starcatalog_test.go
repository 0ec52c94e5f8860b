package starcatalog

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentd/domains/domaintest"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// documentFile is the file of the documents in these tests.
const documentFile = "solar_neighbours.vot"

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   New(),
		Seed:     domaintest.Seed(t, "starcatalog1"),
		Generate: rapid.Custom(drawDocument),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, New(), domaintest.Seed(f, "starcatalog1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "starcatalog1"))
}

// drawDocument draws a VOTable with a table of programme stars and perhaps
// another one, under one of the namespaces and with or without prefix.
func drawDocument(t *rapid.T) vfs.Files {
	d := drawer{T: t, prefix: rapid.SampledFrom([]string{"", "", "vot:"}).Draw(t, "prefix")}
	space := d.one("namespace", "http://www.ivoa.net/xml/VOTable/v1.3", "http://www.ivoa.net/xml/VOTable/v1.2", "")
	declaration := ""
	if space != "" || d.prefix != "" {
		declaration = fmt.Sprintf(` xmlns%s="%s"`, strings.TrimSuffix(":"+d.prefix, ":"), d.orFirst(space))
	}
	first := d.table("programme", 0, slices.Concat(required, d.some(optional)))
	tables := first
	if d.sometimes("second table") {
		tables += d.comment() + d.table("standards", 100, d.some(append(slices.Clone(required), optional...)))
	}
	resource := d.element("RESOURCE", ` ID="r1" name="I/239"`, d.header()+tables)
	if d.sometimes("outer resource") {
		resource = d.element("RESOURCE", ` name="outer"`, d.header()) + resource
	}
	return vfs.Files{documentFile: `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + d.comment() +
		d.element("VOTABLE", ` version="1.3"`+declaration, resource)}
}

type drawer struct {
	*rapid.T
	prefix string
}

func (d drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d drawer) sometimes(label string) bool     { return d.upTo(3, label) == 0 }
func (d drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

// orFirst is a namespace for a prefix, which cannot stand for none.
func (d drawer) orFirst(space string) string {
	if space == "" {
		return "http://www.ivoa.net/xml/VOTable/v1.1"
	}
	return space
}

func (d drawer) element(name, attributes, content string) string {
	if content == "" {
		return "<" + d.prefix + name + attributes + "/>" + d.one("gap", "", "\n", "\n  ")
	}
	return "<" + d.prefix + name + attributes + ">" + content + "</" + d.prefix + name + ">" + d.one("gap", "", "\n", "\n  ")
}

func (d drawer) text(name, text string) string { return d.element(name, "", xml.EscapeText(text)) }

func (d drawer) comment() string {
	if d.sometimes("comment") {
		return "<!-- seen twice -->\n"
	}
	return ""
}

func (d drawer) header() string {
	var b strings.Builder
	if !d.sometimes("no description") {
		b.WriteString(d.text("DESCRIPTION", d.one("description", "Stars < 10 pc & beyond", "two\n lines", "I/239")))
	}
	for range d.upTo(2, "infos") {
		b.WriteString(d.element("INFO", ` name="cites" value="2007A&amp;A...474..653V"`, d.one("info", "", "source", "a &lt; b")))
	}
	if d.sometimes("system") {
		b.WriteString(d.element("COOSYS", fmt.Sprintf(` ID="c%d" system="ICRS" epoch="2000.0"`, d.upTo(2, "number")), ""))
	}
	return b.String() + d.comment()
}

// drawnColumn is a column of the drawn tables with the values of its cells.
type drawnColumn struct {
	attributes string
	values     []string
}

var (
	required = []drawnColumn{
		{` name="HIP" ucd="meta.id;meta.main" datatype="int" width="6"`, nil},
		{` name="RAhms" ucd="pos.eq.ra" datatype="char" arraysize="11" unit="&quot;h:m:s&quot;"`,
			[]string{"14 19 26.51", "00 00 00.00", "23 59 59.99", "05 14 32.272", "11 03 20", ""}},
		{` name="DEdms" ucd="POS.EQ.DEC" datatype="char" arraysize="11" unit="&quot;d:m:s&quot;"`,
			[]string{"-75 10 45.3", "-00 00 48.0", "+37 36 36.2", "+89 15 50.72", "+00 00 00", ""}},
		{` name="Vmag" ucd="phot.mag;em.opt.V" datatype="float" width="5" precision="2" unit="mag"`,
			[]string{"7.72", "-1.44", "0.00", "12", "9.1", "10.5:", ""}},
		{` name="Plx" ucd="pos.parallax.trig" datatype="float" unit="mas"`, []string{"5.20", "768.07", "-2.39", "0", "0.4", "100", ""}},
		{` name="SpType" ucd="src.spType" datatype="char" arraysize="*"`, []string{"K2 III", "sdM1", "DA2", "?", "B9/B9.5V", "kA2hA5mA7V", "C6,3", ""}},
	}
	optional = []drawnColumn{
		{` ID="bv" name="B-V" ucd="phot.color;em.opt.B;em.opt.V" datatype="double"`, []string{"0.059", "-0.21", "1.5", "NaN", ""}},
		{` name="pmRA" ucd="pos.pm;pos.eq.ra" datatype="double" unit="mas/yr"`, []string{"-28.62", "+10328.12", "1.2e3", ""}},
		{` name="e_Plx" ucd="stat.error;pos.parallax.trig" datatype="float"`, []string{"0.66", "1"}},
		{` name="Remark" ucd="meta.note" datatype="char" arraysize="*"`, []string{`a | b \ c`, "x, \"y\"", "R & D <1>", "two  blanks", " padded ", ""}},
		{` name="Var" datatype="boolean"`, []string{"T", "F", ""}},
		{` name="Grid" datatype="double" arraysize="2"`, []string{"1.0 2.50", ""}},
	}
)

func (d drawer) some(columns []drawnColumn) []drawnColumn {
	all := rapid.Permutation(columns).Draw(d.T, "columns")
	return all[:1+d.upTo(len(all)-1, "number of columns")]
}

func (d drawer) table(name string, firstID int, columns []drawnColumn) string {
	columns = rapid.Permutation(columns).Draw(d.T, "order")
	var b strings.Builder
	if d.sometimes("table description") {
		b.WriteString(d.text("DESCRIPTION", "Main catalogue"))
	}
	if d.sometimes("parameter") {
		b.WriteString(d.element("PARAM", ` name="equinox" datatype="float" value="2000.0"`, ""))
	}
	for _, c := range columns {
		b.WriteString(d.element("FIELD", c.attributes, d.fieldContent()))
	}
	b.WriteString(d.comment())
	rows := d.comment()
	for n := range 1 + d.upTo(5, "rows") { // without identifiers RS is not 1
		rows += d.row(fmt.Sprint(firstID+n*7), columns) + d.comment()
	}
	b.WriteString(d.element("DATA", "", d.element("TABLEDATA", "", rows)))
	return d.element("TABLE", ` name="`+name+`"`, b.String())
}

func (d drawer) fieldContent() string {
	content := ""
	if d.sometimes("field description") {
		content += d.text("DESCRIPTION", d.one("about", "? Magnitude (H5)", `in deg ' "`))
	}
	if d.sometimes("null") {
		content += d.element("VALUES", ` null="-99"`, "")
	}
	return content
}

func (d drawer) row(id string, columns []drawnColumn) string {
	var cells []string
	for _, c := range columns {
		text := id
		if c.values != nil {
			text = d.one("cell", c.values...)
		}
		cells = append(cells, text)
	}
	for len(cells) > 0 && cells[len(cells)-1] == "" && d.sometimes("short row") {
		cells = cells[:len(cells)-1]
	}
	row := ""
	for _, text := range cells {
		row += d.text("TD", text)
	}
	return d.element("TR", "", row)
}
