package libcatalog

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const document = "reading_room.xml"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "libcatalog1") }

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, "libcatalog1"),
		Generate: rapid.Custom(drawCatalog),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "libcatalog1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "libcatalog1"))
}

// drawCatalog draws a few records with different control numbers, in the
// layout of one of several systems. One may have no control number.
func drawCatalog(t *rapid.T) vfs.Files {
	d := drawer{T: t}
	d.prefix = d.one("prefix", "", "", "marc:")
	d.layout = d.one("layout", "\n", "\n    ", "", "\n\t")
	d.write(d.one("declaration", "", `<?xml version="1.0" encoding="UTF-8"?>`+"\n", "<?xml version='1.0'?>"))
	d.write(d.one("opening", "", "<!-- export of 3/4, x & y -->\n", "<!DOCTYPE collection>\n"))
	namespace := "xmlns"
	if d.prefix != "" {
		namespace += ":marc"
	}
	d.write(`<` + d.prefix + `collection ` + namespace + `="http://www.loc.gov/MARC21/slim">`)
	records := 1 + d.upTo(6, "records")
	nameless := d.upTo(2*records, "record without control number")
	for n := range records {
		d.record(n, n == nameless && n > 0)
	}
	d.write("\n</" + d.prefix + "collection>" + d.one("closing", "", "\n", "\n<!-- end -->\n"))
	return vfs.Files{document: d.text.String()}
}

type drawer struct {
	*rapid.T
	prefix, layout string
	text           strings.Builder
}

func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d *drawer) write(text string) { d.text.WriteString(text) }

func (d *drawer) record(n int, nameless bool) {
	d.write("\n<" + d.prefix + "record" + d.one("type", "", "", ` type="Bibliographic"`) + ">")
	if d.upTo(9, "leader") > 0 {
		d.write(d.layout + "<" + d.prefix + "leader>" + d.one("leader", "01274cam a2200301 i 4500", "     nas a2200000   4500", "00714nem  22002531a 4500", "02211cgm a2200409Ka 4500") + "</" + d.prefix + "leader>")
	}
	if !nameless {
		d.control("001", fmt.Sprintf("%sbib%03d", d.one("spaced", "", " "), 900-7*n))
	}
	if d.upTo(1, "other control fields") > 0 {
		d.control("005", "20210914103722.0")
		d.control("006", "m     o  d        ")
		d.control("007", d.one("007", "cr cnu---uuuuu", "aj canzn"))
		d.control("007", "vd cvaizq")
	}
	d.control("008", "091103"+d.one("dates", "s1948    ", "q186u1871", "nuuuuuuuu", "m|||||2012", "s198     ")+"enkad         000 0 eng d")
	for range d.upTo(12, "fields") {
		d.field()
	}
	d.write("\n</" + d.prefix + "record>")
}

func (d *drawer) control(tag, data string) {
	d.write(fmt.Sprintf(`%s<%scontrolfield tag="%s">%s</%[2]scontrolfield>`, d.layout, d.prefix, tag, data))
}

func (d *drawer) field() {
	tag := d.one("tag", "100", "110", "245", "264", "300", "490", "500", "500", "610", "650", "650", "655", "700", "700", "852", "852", "856", "856", "880", "9XX", "LKR")
	attributes := []string{`tag="` + tag + `"`}
	for n := 1; n <= 2; n++ {
		if d.upTo(9, "indicator") > 0 {
			attributes = append(attributes, fmt.Sprintf(`ind%d="%s"`, n, d.one("indicator", " ", "1", "0", "7", "", "#")))
		}
	}
	d.write(d.layout + "<" + d.prefix + "datafield " + strings.Join(attributes, " ") + ">")
	for range d.upTo(4, "subfields") {
		code := d.one("code", "a", "a", "b", "c", "u", "u", "0", "5", "z", "9")
		value := d.one("value", "Canals", "Rolt, L. T. C.,", "Household, Humphrey", "Ó Briain, Caoimhe, Dr.,", "L. T. C. Rolt,", "Zoe\u0308",
			"Eyre &amp; Spottiswoode,", "https://x.org/?a=1&amp;b=2", "&#163;3 = $5 {dollar}", "a\\b {lcub}", "&lt;untitled&gt;", "",
			"  spaced  out ", "大运河的闸 /", "<![CDATA[R & D]]>", "‡a ‡‡", "\"quoted\", 'so'", "S1", "U2")
		d.write(fmt.Sprintf(`<%ssubfield code="%s">%s</%[1]ssubfield>`, d.prefix, code, value))
	}
	d.write("</" + d.prefix + "datafield>")
}

func TestPrintingLosesNothing(t *testing.T) {
	t.Parallel()
	for name, text := range domaintest.Seed(t, "libcatalog1") {
		if diff := cmp.Diff(text, printed(read(text).records)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := printed(read(drawCatalog(t)[document]).records)
		if diff := cmp.Diff(text, printed(read(text).records)); diff != "" {
			t.Fatal(diff)
		}
	})
}

const sample = `<?xml version="1.0" encoding="UTF-8"?>
<collection xmlns="http://www.loc.gov/MARC21/slim">
<record>
<leader>00714cam a2200205 a 4500</leader>
<controlfield tag="001">b17</controlfield>
<controlfield tag="007">ta</controlfield>
<controlfield tag="007">cr</controlfield>
<controlfield tag="008">840312s1902    enka          000 0 eng d</controlfield>
<datafield tag="100" ind1="1" ind2=" "><subfield code="a">Vik, Zoë,</subfield><subfield code="d">1871-</subfield></datafield>
<datafield tag="245" ind1="1" ind2="0"><subfield code="a">Sails &amp; oars /</subfield><subfield code="c">Z. Vik.</subfield></datafield>
<datafield tag="300" ind1=" " ind2=" "><subfield code="a">40 p.</subfield></datafield>
<datafield tag="260" ind1=" " ind2=" "><subfield code="a">Bergen,</subfield><subfield code="c">1902</subfield></datafield>
<datafield tag="650" ind1=" " ind2="0"><subfield code="a">Boats</subfield></datafield>
<datafield tag="650" ind1=" " ind2="0"><subfield code="a">Ropes</subfield></datafield>
</record>
<record>
<leader>00391nem a2200109 a 4500</leader>
<controlfield tag="001">b18</controlfield>
<datafield tag="245" ind1="0" ind2="0"><subfield code="a">Plan of the harbour</subfield></datafield>
<datafield tag="852" ind1="8" ind2=" "><subfield code="j">M 3</subfield></datafield>
</record>
</collection>
`

// change is the sample with one text replaced by another.
func change(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{"boats.xml": strings.ReplaceAll(sample, was, is)}
}

func secondRecord() string {
	return sample[strings.LastIndex(sample, "<record>"):strings.Index(sample, "</collection>")]
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	const bergen = `<datafield tag="260" ind1=" " ind2=" "><subfield code="a">Bergen,</subfield><subfield code="c">1902</subfield></datafield>` + "\n"
	for rule, edit := range map[string][2]string{
		"records in another order":                   {sample[strings.Index(sample, "<record>"):], secondRecord() + strings.Replace(sample[strings.Index(sample, "<record>"):], secondRecord(), "", 1)},
		"a repeated record":                          {secondRecord(), secondRecord() + secondRecord()},
		"a repeated record whose first copy differs": {secondRecord(), strings.Replace(secondRecord(), "M 3", "M 4", 1) + secondRecord()},
		"a record that was added":                    {"</collection>", strings.Replace(secondRecord(), "b18", "b19", 1) + "</collection>"},
		"an added record without control number":     {"</collection>", strings.Replace(secondRecord(), `<controlfield tag="001">b18</controlfield>`, "", 1) + "</collection>"},
		"a record that was lost":                     {secondRecord(), ""},
		"a control number":                           {"b18", "b81"},
		"the type in the leader":                     {"00391nem", "00391nam"},
		"a leader that was lost":                     {"<leader>00391nem a2200109 a 4500</leader>", ""},
		"blanks lost in a leader":                    {"00391nem a2200109 a 4500", "00391nem a2200109 a4500"},
		"the year in the 008":                        {"s1902", "s1903"},
		"blanks lost in the 008":                     {"s1902    enk", "s1902enk"},
		"the first of two control fields of a tag":   {`"007">ta`, `"007">tb`},
		"control fields of a tag swapped":            {"<controlfield tag=\"007\">ta</controlfield>\n<controlfield tag=\"007\">cr</controlfield>", "<controlfield tag=\"007\">cr</controlfield>\n<controlfield tag=\"007\">ta</controlfield>"},
		"an indicator":                               {`tag="245" ind1="1"`, `tag="245" ind1="0"`},
		"indicators swapped":                         {`tag="245" ind1="1" ind2="0"`, `tag="245" ind1="0" ind2="1"`},
		"a blank indicator written as a sign":        {`tag="300" ind1=" "`, `tag="300" ind1="#"`},
		"subfields in another order":                 {`<subfield code="a">Bergen,</subfield><subfield code="c">1902</subfield>`, `<subfield code="c">1902</subfield><subfield code="a">Bergen,</subfield>`},
		"a subfield's code":                          {`<subfield code="c">Z.`, `<subfield code="b">Z.`},
		"a code moved into the text":                 {`Bergen,</subfield><subfield code="c">1902`, `Bergen,‡c1902`},
		"one letter":                                 {"Ropes", "Rope"},
		"the case of a letter":                       {"Ropes", "ropes"},
		"a diacritic that was lost":                  {"Zoë", "Zoe"},
		"a subfield that was repeated":               {`<subfield code="a">Boats</subfield>`, `<subfield code="a">Boats</subfield><subfield code="a">Boats</subfield>`},
		"a field that was lost":                      {bergen, ""},
		"a field that was repeated":                  {bergen, bergen + bergen},
		"a field put where its tag belongs":          {`<datafield tag="300" ind1=" " ind2=" "><subfield code="a">40 p.</subfield></datafield>` + "\n" + bergen, bergen + `<datafield tag="300" ind1=" " ind2=" "><subfield code="a">40 p.</subfield></datafield>`},
		"fields of one tag swapped":                  {">Boats</subfield></datafield>\n<datafield tag=\"650\" ind1=\" \" ind2=\"0\"><subfield code=\"a\">Ropes<", ">Ropes</subfield></datafield>\n<datafield tag=\"650\" ind1=\" \" ind2=\"0\"><subfield code=\"a\">Boats<"},
		"a field's tag":                              {`tag="852"`, `tag="853"`},
		"double blanks in a value":                   {"M 3", "M  3"},
		"text between records":                       {"</record>\n<record>", "</record>\nThe second one:\n<record>"},
		"text in a field outside of subfields":       {`<datafield tag="852" ind1="8" ind2=" ">`, `<datafield tag="852" ind1="8" ind2=" ">on loan`},
		"the kind of record":                         {"<record>", `<record type="Holdings">`},
		"an ampersand that became a word":            {"&amp;", "and"},
		"a text that is cut off":                     {secondRecord()[len(secondRecord())/2:], ""},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{"boats.xml": sample}
			if score := New().Compare(reference, change(t, edit[0], edit[1])); score.Strict >= 1 {
				t.Errorf("Strict is %v", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"no namespace":                       {` xmlns="http://www.loc.gov/MARC21/slim"`, ""},
		"no line breaks":                     {">\n<", "><"},
		"indentation":                        {"\n<", "\n    <"},
		"values on lines of their own":       {"Plan of the harbour", "\n      Plan of the\n      harbour\n    "},
		"a leader on a line of its own":      {"00391nem a2200109 a 4500", "\n  00391nem a2200109 a 4500\n"},
		"a comment":                          {"<record>", "<!-- checked -- twice -->\n<record>"},
		"a processing instruction":           {"<collection", "<?xml-stylesheet href='marc.xsl'?>\n<collection"},
		"quotes of the other kind":           {`tag="245" ind1="1"`, `tag='245' ind1='1'`},
		"attributes in another order":        {`tag="852" ind1="8" ind2=" "`, `ind2=" " ind1="8" tag="852"`},
		"blank indicators that are left out": {`ind1=" " ind2=" "`, ""},
		"blank indicators that are empty":    {`ind2=" "`, `ind2=""`},
		"the default type of a record":       {"<record>", `<record type="Bibliographic">`},
		"a character reference":              {"Zoë", "Zo&#xEB;"},
		"an entity of HTML":                  {"Zoë", "Zo&euml;"},
		"a bare ampersand":                   {"&amp;", "&"},
		"a CDATA section":                    {"Sails &amp; oars /", "<![CDATA[Sails & oars /]]>"},
		"a letter composed of two":           {"Zoë", "Zoe\u0308"},
		"a byte order mark":                  {"<?xml", "\ufeff<?xml"},
		"CRLF":                               {"\n", "\r\n"},
		"no XML declaration":                 {`<?xml version="1.0" encoding="UTF-8"?>`, ""},
		"a code fence":                       {"<?xml", "```xml\n<?xml"},
		"a sentence before the collection":   {"<?xml", "Here is the merged catalog:\n\n<?xml"},
		"a sentence after the collection":    {"</collection>", "</collection>\n\nLet me know if anything is missing."},
		"a tag that is not closed":           {"</record>\n</collection>", "</collection>"},
		"no collection element around":       {"<collection xmlns=\"http://www.loc.gov/MARC21/slim\">", ""},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{"boats.xml": sample}
			candidate := change(t, edit[0], edit[1])
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

func TestStrictReadsFilesOfAnyNameAndNumber(t *testing.T) {
	t.Parallel()
	second := secondRecord()
	rest := strings.Replace(sample, second, "", 1)
	alone := "<collection>" + second + "</collection>"
	for rule, candidate := range map[string]vfs.Files{
		"upper case":                       {"boats.XML": sample},
		"another extension":                {"out/boats.mrcx": sample},
		"a file for each record":           {"boats_1.xml": rest, "boats_2.xml": alone},
		"files whose names turn the order": {"a.xml": alone, "b.xml": rest},
	} {
		if score := New().Compare(vfs.Files{"boats.xml": sample}, candidate); score.Strict != 1 {
			t.Errorf("%s: Strict is %v", rule, score.Strict)
		}
	}
}

func TestStrictNamesWhatChanged(t *testing.T) {
	t.Parallel()
	want := []domains.Difference{
		{Kind: domains.Changed, Where: "record b17, 245", Was: "10 ‡aSails & oars /‡cZ. Vik.", Is: "1# ‡aSails & oars /‡cZ. Vik."},
	}
	got := New().Differences(vfs.Files{"boats.xml": sample}, change(t, `ind1="1" ind2="0"`, `ind1="1" ind2=" "`))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "libcatalog1")
	one := vfs.Files{document: strings.Replace(seed[document], "s1969", "s1996", 1)}
	if score := New().Compare(seed, one); score.Strict < 0.985 || score.Strict >= 1 {
		t.Errorf("one wrong year in %d fields leaves Strict at %v", strings.Count(seed[document], "tag="), score.Strict)
	}
	cut := vfs.Files{document: strings.Replace(seed[document], "David &amp; Charles", "David & Charles", 1)}
	if score := New().Compare(seed, cut); score.RS != 0 || score.Strict != 1 || score.Problem == "" {
		t.Errorf("a bare ampersand: Value %v, Strict %v, problem %q", score.RS, score.Strict, score.Problem)
	}
}

func inCollection(text string) string { return "<collection>" + text + "</collection>" }

func TestPublishedScore(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		was, is string
		want    float64
	}{
		"records in another order cost nothing":        {sample[strings.Index(sample, "<record>"):], secondRecord() + strings.Replace(sample[strings.Index(sample, "<record>"):], secondRecord(), "", 1), 1},
		"only the last of several copies counts":       {secondRecord(), strings.Replace(secondRecord(), "M 3", "M 4", 1) + secondRecord(), 1},
		"a record without control number is not seen":  {"</collection>", "<record/></collection>", 1},
		"a record that was lost":                       {secondRecord(), "", 0.5},
		"a wrong control number counts twice":          {"b18", "b19", 1.0 / 3},
		"a position of the leader":                     {"00391nem", "00391nam", 1 - 0.05/24/2},
		"a control field's character":                  {"s1902", "s1903", 1 - 0.05*(1-0.5*39.0/40)/8/2},
		"only the last control field of a tag":         {`"007">ta`, `"007">tb`, 1},
		"a changed subfield counts as lost":            {"Ropes", "Rope", 1 - 0.9*(2.0/3)/10/2},
		"an indicator is a sixth":                      {`tag="245" ind1="1"`, `tag="245" ind1="0"`, 1 - 0.9*(1.0/6)/10/2},
		"subfields in another order":                   {`<subfield code="a">Bergen,</subfield><subfield code="c">1902</subfield>`, `<subfield code="c">1902</subfield><subfield code="a">Bergen,</subfield>`, 1 - 0.9*(1.0/3)/10/2},
		"fields of one tag swapped cost nothing":       {">Boats</subfield></datafield>\n<datafield tag=\"650\" ind1=\" \" ind2=\"0\"><subfield code=\"a\">Ropes<", ">Ropes</subfield></datafield>\n<datafield tag=\"650\" ind1=\" \" ind2=\"0\"><subfield code=\"a\">Boats<", 1},
		"a field that was lost counts with its weight": {`<datafield tag="852" ind1="8" ind2=" "><subfield code="j">M 3</subfield></datafield>`, "", 1 - (0.05+0.9)/3/2},
		"a control field as a data field":              {`<controlfield tag="008">840312s1902    enka          000 0 eng d</controlfield>`, `<datafield tag="008"><subfield code="a">x</subfield></datafield>`, 1 - 0.05/8/2},
		"data in a data field is compared":             {`<datafield tag="300" ind1=" " ind2=" "><subfield code="a">40 p.</subfield></datafield>`, `<controlfield tag="300">40 p.</controlfield>`, 1 - (0.05/8+0.9*(2.0/3)/10)/2},
		"letters composed of two are others":           {"Zoë", "Zoe\u0308", 1 - 0.9*(1.0/3)/10/2},
		"no control number on either side":             {"b17", "", 0.5},
	} {
		score := New().Compare(vfs.Files{"boats.xml": sample}, change(t, c.was, c.is))
		if math.Abs(score.RS-c.want) > 1e-9 {
			t.Errorf("%s: Value %.9f, want %.9f; %v", rule, score.RS, c.want, score.Components)
		}
	}
}

func TestRecordsWithoutControlNumbersAreNotCompared(t *testing.T) {
	t.Parallel()
	files := vfs.Files{"a.xml": "<record/>"}
	if score := New().Compare(files, files); score.RS != 0 || score.Strict != 1 || score.Components["coverage"] != 1 {
		t.Errorf("Value %v, Strict %v, components %v", score.RS, score.Strict, score.Components)
	}
}

// Where a part ends in no record or field, its file is lost; where a record or a field ends in another one, all files are.
func TestWhatEndsInNoRecord(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{"a.xml": sample}
	const id, title = `<controlfield tag="001">a1</controlfield>`, `<subfield code="a">x</subfield>`
	for rule, c := range map[string]struct {
		text string
		want float64 // of a candidate with such a file and one that is the reference
	}{
		"a leader":                           {"<leader>01910aam a2200433Ii 4500</leader>", 1},
		"a field":                            {`<datafield tag="245"/>`, 1},
		"a subfield":                         {title, 1},
		"a subfield in a record":             {"<record>" + id + title + "</record>", 1},
		"a subfield after a nested field":    {`<record><datafield tag="245">` + id + title + "</datafield></record>", 1},
		"a control field around another":     {`<record><controlfield tag="001">` + id + "</controlfield></record>", 1},
		"a data field around another":        {`<record><datafield tag="245">` + title + id + "</datafield></record>", 0},
		"a record around another":            {"<record><record>" + id + "</record></record>", 0},
		"a field after a record in a record": {"<record><record>" + id + "</record>" + id + "</record>", 1},
	} {
		candidate := vfs.Files{"a.xml": sample, "b.xml": inCollection(c.text)}
		if score := New().Compare(reference, candidate); score.RS != c.want || score.Crash {
			t.Errorf("%s: Value %v, want %v: %s", rule, score.RS, c.want, score.Problem)
		}
		if alone := New().Compare(reference, vfs.Files{"b.xml": inCollection(c.text)}); alone.RS != 0 || alone.Problem == "" {
			t.Errorf("%s: Value %v, problem %q", rule, alone.RS, alone.Problem)
		}
	}
}

func TestAFileThatCannotBeReadLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{"a.xml": sample}
	for rule, c := range map[string]struct {
		files vfs.Files
		want  float64
	}{
		"beside one that can":          {vfs.Files{"a.xml": sample, "b.xml": "<record>"}, 1},
		"with a name in upper case":    {vfs.Files{"a.XML": sample}, 0},
		"of records in no file at all": {vfs.Files{"a.xml": "<collection/>"}, 0},
	} {
		if score := New().Compare(reference, c.files); score.RS != c.want || (score.Problem == "") != (c.want == 1) {
			t.Errorf("%s: Value %v, problem %q", rule, score.RS, score.Problem)
		}
	}
}
