package starcatalog

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
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

func TestCells(t *testing.T) {
	t.Parallel()
	table := `<VOTABLE><RESOURCE><TABLE><FIELD name="a"/><FIELD/><FIELD name="a"/><FIELD name="b"/><DATA><TABLEDATA>`
	for cells, want := range map[string][]string{
		"<TD>1</TD><TD>2</TD><TD>3</TD><TD>4</TD><TD>5</TD>": {"3", "2", "4"},
		"<TD>1</TD><TD>2</TD>":                               {"1", "2"},
		"":                                                   nil,
		"<TD> 1\n</TD>":                                      {"1"},
		"<TD>1<b>2</b>3</TD>":                                {"1"},
		"<TD>1<!-- x -->2<?y?>3</TD>":                        {"123"},
		"<TD><![CDATA[1 & 2]]></TD>":                         {"1 & 2"},
		"<TD/><x/><TD>2</TD>":                                {"", "2"},
	} {
		doc, err := parse(vfs.Files{"a.xml": table + "<TR>" + cells + "</TR></TABLEDATA></DATA></TABLE></RESOURCE></VOTABLE>"})
		if err != nil || len(doc.rows) != 1 {
			t.Fatalf("%s: %d rows, %v", cells, len(doc.rows), err)
		}
		if diff := cmp.Diff(want, doc.rows[0].cells); diff != "" {
			t.Errorf("%s: %s", cells, diff)
		}
	}
}

func TestCellSimilarity(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		datatype, ref, got string
		want               float64
	}{
		"equal":                      {"float", "7.7", "7.7", 1},
		"equal save for blanks":      {"char", "a  b", "a b", 1},
		"equal by value":             {"float", "7.70", "7.7", 1},
		"one is empty":               {"float", "7.7", "", 0},
		"off by less than 0.001":     {"double", "1000", "1000.9", 0.98},
		"off by less than 0.01":      {"int", "1000", "1009", 0.9},
		"off by less than 0.1":       {"short", "1000", "1090", 0.7},
		"off by more":                {"long", "1000", "1100", 0},
		"off from nothing":           {"double", "0", "0.0001", 0},
		"no number, however spelled": {"double", "NaN", "nan", 0},
		"underscores":                {"double", "1_0", "10", 1},
		"a sign":                     {"double", "1", "-1", 0},
		"texts":                      {"char", "abcd", "abxd", 0.75},
		"bytes are texts":            {"unsignedByte", "12", "13", 0.5},
		"no field":                   {"", "12", "13", 0.5},
		"a text among numbers":       {"float", "12", "12:", 0.8},
	} {
		if got := cellSimilarity(c.ref, c.got, &field{attributes: [4]string{c.datatype}}); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", rule, got, c.want)
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
	if err != nil || stats.Elements < rows || stats.Elements > rows+mostRepeated {
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
