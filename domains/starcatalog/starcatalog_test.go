package starcatalog

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/domains/internal/xml"
	published "agentd/domains/published/starcatalog"
	"agentd/vfs"
)

// one is a file of one table, with a field of identifiers and one of numbers.
func one(rows string) string {
	return `<VOTABLE><RESOURCE><TABLE><FIELD name="id" ucd="meta.id;meta.main"/><FIELD name="v" datatype="double"/><FIELD name="s"/><DATA><TABLEDATA>` +
		rows + `</TABLEDATA></DATA></TABLE></RESOURCE></VOTABLE>`
}

func row3(id, number, text string) string {
	return "<TR><TD>" + id + "</TD><TD>" + number + "</TD><TD>" + text + "</TD></TR>"
}

func TestWhatIsRead(t *testing.T) {
	t.Parallel()
	nested := "<VOTABLE><RESOURCE><RESOURCE><TABLE><FIELD name='a'/><DATA><TABLEDATA><TR><TD>1</TD></TR></TABLEDATA></DATA></TABLE></RESOURCE></RESOURCE></VOTABLE>"
	for rule, c := range map[string]struct {
		files vfs.Files
		want  string // Fields, Rows and Resources
	}{
		"a table":                             {vfs.Files{"a.xml": one(row3("1", "2", "3"))}, "3 1 1"},
		"the first file alone":                {vfs.Files{"a.vot": one(""), "b.xml": one(row3("1", "2", "3"))}, "3 0 1"},
		"a VOTable before other files":        {vfs.Files{"a.txt": one(""), "b.xml": one(row3("1", "2", "3"))}, "3 1 1"},
		"a file of any name":                  {vfs.Files{"a": one(row3("1", "2", "3"))}, "3 1 1"},
		"a suffix in capitals is another":     {vfs.Files{"a.XML": one(""), "b.vot": one(row3("1", "2", "3"))}, "3 1 1"},
		"rows in nested resources twice":      {vfs.Files{"a.xml": nested}, "2 2 2"},
		"no field of a group":                 {vfs.Files{"a.xml": "<VOTABLE><RESOURCE><TABLE><GROUP><FIELD name='a'/></GROUP></TABLE></RESOURCE></VOTABLE>"}, "0 0 1"},
		"no table outside of a resource":      {vfs.Files{"a.xml": "<VOTABLE><TABLE><FIELD name='a'/></TABLE></VOTABLE>"}, "0 0 0"},
		"the first data alone":                {vfs.Files{"a.xml": strings.Replace(one(row3("1", "2", "3")), "<DATA>", "<DATA/><DATA>", 1)}, "3 0 1"},
		"nothing of an unknown namespace":     {vfs.Files{"a.xml": strings.Replace(one(""), "<VOTABLE", "<VOTABLE xmlns='http://www.ivoa.net/xml/VOTable/v1.4'", 1)}, "0 0 0"},
		"a namespace of another version":      {vfs.Files{"a.xml": strings.Replace(one(""), "<VOTABLE", "<VOTABLE xmlns='http://www.ivoa.net/xml/VOTable/v1.1'", 1)}, "3 0 1"},
		"nothing below another root":          {vfs.Files{"a.xml": "<x>" + one("") + "</x>"}, "0 0 0"},
		"elements of the root's namespace":    {vfs.Files{"a.xml": strings.Replace(one(""), "<RESOURCE", "<RESOURCE xmlns='u'", 1)}, "0 0 0"},
		"a byte order mark":                   {vfs.Files{"a.xml": "\ufeff" + one("")}, "3 0 1"},
		"another encoding":                    {vfs.Files{"a.xml": `<?xml version="1.0" encoding="latin-1"?>` + one("")}, "3 0 1"},
		"a declared entity":                   {vfs.Files{"a.xml": "<!DOCTYPE VOTABLE [<!ENTITY e 'x'>]>" + one(row3("&e;", "", ""))}, "3 1 1"},
		"no undeclared entity":                {vfs.Files{"a.xml": one(row3("&deg;", "", ""))}, ""},
		"no bare ampersand":                   {vfs.Files{"a.xml": one(row3("a & b", "", ""))}, ""},
		"no blank line before a declaration":  {vfs.Files{"a.xml": "\n<?xml version='1.0'?>" + one("")}, ""},
		"a blank line without a declaration":  {vfs.Files{"a.xml": "\n" + one("")}, "3 0 1"},
		"nothing after the root":              {vfs.Files{"a.xml": one("") + "done"}, ""},
		"no attribute with a strange prefix":  {vfs.Files{"a.xml": strings.Replace(one(""), "<RESOURCE", "<RESOURCE q:a=''", 1)}, ""},
		"no attribute twice":                  {vfs.Files{"a.xml": strings.Replace(one(""), "<RESOURCE", "<RESOURCE a='' a=''", 1)}, ""},
		"nothing of an empty file":            {vfs.Files{"a.xml": ""}, ""},
		"nothing without a file":              {vfs.Files{}, ""},
		"nothing of a code fence":             {vfs.Files{"a.xml": "```xml\n" + one("") + "\n```"}, ""},
		"deeply nested elements, as in expat": {vfs.Files{"a.xml": strings.Replace(one(""), "<TABLE>", "<TABLE>"+strings.Repeat("<a>", 300)+strings.Repeat("</a>", 300), 1)}, "3 0 1"},
	} {
		got := ""
		if stats, err := New().Statistics(c.files); err == nil {
			var counts []string
			for _, count := range stats.Counts {
				counts = append(counts, count.Value)
			}
			got = strings.Join(counts, " ")
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", rule, got, c.want)
		}
	}
}

func TestValue(t *testing.T) {
	t.Parallel()
	a, b, c := row3("1", "2", "x"), row3("2", "3", "y"), row3("3", "4", "z")
	for rule, documents := range map[string]struct {
		ref, got string
		want     float64
	}{
		"nothing changed":                   {one(a + b + c), one(a + b + c), 1},
		"a row of three":                    {one(a + b + c), one(a + b), math.Pow(2.0/3, 1.2)},
		"an invented row":                   {one(a + b), one(a + b + c), math.Pow(2.0/3, 1.2)},
		"two of three rows exchanged":       {one(a + b + c), one(b + a + c), math.Sqrt((1 + 2.0/3) / 2)},
		"of two rows the last counts":       {one(a), one(row3("1", "9", "q") + a), math.Sqrt((1 + 2.0/3) / 2)},
		"no rows on both sides":             {one(""), one(""), 1},
		"no rows on one":                    {one(a), one(""), 0},
		"no fields":                         {"<VOTABLE><RESOURCE><TABLE/></RESOURCE></VOTABLE>", "<VOTABLE><RESOURCE><TABLE/></RESOURCE></VOTABLE>", 0},
		"rows without identifiers":          {one(row3("", "2", "x")), one(row3("", "2", "x")), 0.3},
		"as many rows without, but in part": {one(row3("", "2", "x") + row3("", "3", "y")), one(row3("", "2", "x")), math.Pow(0.5, 1.2) * 0.3 * math.Sqrt((1+2.0/3)/2)},
		"another unit":                      {one(a), strings.Replace(one(a), `"double"`, `"double" unit="m"`, 1), 1 - 0.2*0.5/3},
		"a column that was renamed":         {one(a), strings.Replace(one(a), `"s"`, `"t"`, 1), 1 - 0.7*2/3 - 0.1*0.5},
		"a description":                     {one(a), strings.Replace(one(a), "<TABLE>", "<DESCRIPTION>d</DESCRIPTION><TABLE>", 1), math.Sqrt(0.5)},
		"an epoch":                          {withSystem("2000.0"), withSystem("1991.25"), math.Sqrt((1 + 2.0/3) / 2)},
	} {
		score := New().Compare(vfs.Files{"a.xml": documents.ref}, vfs.Files{"a.xml": documents.got})
		if math.Abs(score.RS-documents.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", rule, score.RS, documents.want)
		}
	}
}

func withSystem(epoch string) string {
	return strings.Replace(one(row3("1", "2", "3")), "</RESOURCE>", `</RESOURCE><RESOURCE><COOSYS ID="c" system="ICRS" epoch="`+epoch+`"/></RESOURCE>`, 1)
}

func TestNestedResourcesAreBounded(t *testing.T) {
	t.Parallel()
	const depth, rows = 250, 5000
	text := "<VOTABLE>" + strings.Repeat("<RESOURCE>", depth) + "<TABLE><FIELD name='a'/><DATA><TABLEDATA>" +
		strings.Repeat("<TR><TD>1</TD></TR>", rows) + "</TABLEDATA></DATA></TABLE>" + strings.Repeat("</RESOURCE>", depth) + "</VOTABLE>"
	stats, err := New().Statistics(vfs.Files{"a.xml": text})
	if err != nil || stats.Elements < rows || stats.Elements > rows+published.MostRepeated {
		t.Errorf("%d rows, %v", stats.Elements, err)
	}
}

func TestBadInputIsReadFast(t *testing.T) {
	t.Parallel()
	const size = 1 << 18
	reference := vfs.Files{sampleFile: sample}
	for name, text := range map[string]string{
		"rows":                "<VOTABLE><RESOURCE><TABLE><DATA><TABLEDATA>" + strings.Repeat("<TR/>", size/5) + "</TABLEDATA></DATA></TABLE></RESOURCE></VOTABLE>",
		"elements that open":  strings.Repeat("<a>", size/3),
		"groups that open":    "<VOTABLE>" + strings.Repeat("<GROUP name='a'>", size/15),
		"elements that close": strings.Repeat("</a>", size/4),
		"bare marks":          strings.Repeat("< & <! ", size/7),
		"quotes that open":    strings.Repeat(`<a b="`, size/6),
		"attributes":          "<VOTABLE " + strings.Repeat(`a="1" `, size/6) + "/>",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(reference, vfs.Files{sampleFile: text})
			if score.Problem == "" && name != "rows" || score.Strict > 0.1 {
				t.Errorf("%+v", score)
			}
		})
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{sampleFile: sample}
	for text, want := range map[string]string{
		"":                            "near.vot: no element",
		"<a/>":                        domains.ErrNothingFound.Error() + " row",
		domaintest.Hostile()["prose"]: "near.vot: ",
	} {
		score := New().Compare(reference, vfs.Files{sampleFile: text})
		if !strings.HasPrefix(score.Problem, want) || score.RS != 0 || score.Elements.Reference != 6 {
			t.Errorf("%q: %+v", text, score)
		}
	}
}

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
