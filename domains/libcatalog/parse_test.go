package libcatalog

import (
	"math"
	"strings"
	"testing"

	"agentd/vfs"
)

func inCollection(text string) string { return "<collection>" + text + "</collection>" }

func TestFilesThatThePublishedReadingLoses(t *testing.T) {
	t.Parallel()
	const record = `<record><controlfield tag="001">1</controlfield></record>`
	for rule, text := range map[string]string{
		"no text":                                  "",
		"text before the root":                     "Here: " + inCollection(record),
		"a reference before the root":              "&#32;" + inCollection(record),
		"a code fence":                             "```xml\n" + inCollection(record),
		"a blank line before the declaration":      "\n<?xml version=\"1.0\"?>" + inCollection(record),
		"a declaration without version":            "<?xml encoding=\"UTF-8\"?>" + inCollection(record),
		"a declaration in upper case":              "<?XML version=\"1.0\"?>" + inCollection(record),
		"an encoding that the text is not in":      "<?xml version=\"1.0\" encoding=\"UTF-16\"?>" + inCollection(record),
		"more than ASCII where ASCII is declared":  "<?xml version='1.0' encoding='US-ASCII'?>" + inCollection(record+"é"),
		"a bare ampersand":                         inCollection(record + "R & D"),
		"an entity that is not declared":           inCollection(record + "&nbsp;"),
		"a reference to no character":              inCollection(record + "&#xD800;"),
		"a reference without a number":             inCollection(record + "&#;"),
		"a bare bracket":                           inCollection(record + "1 < 2"),
		"the end of a CDATA section":               inCollection(record + "]]>"),
		"a CDATA section that is not closed":       "<collection>" + record + "<![CDATA[",
		"a control character":                      inCollection(record + "\x01"),
		"a byte that is no character":              inCollection(record + "\xff"),
		"a tag that is not closed":                 "<collection>" + record,
		"tags that overlap":                        inCollection(strings.Replace(record, "</controlfield></record>", "</record></controlfield>", 1)),
		"another end tag's case":                   inCollection(strings.Replace(record, "</record>", "</Record>", 1)),
		"two roots":                                record + record,
		"text after a root that is no collection":  record + "Done.",
		"text after a prefixed collection":         `<m:collection xmlns:m="u">` + record + "</m:collection>Done.",
		"a prefix that is not declared":            inCollection("<marc:record></marc:record>"),
		"a prefix declared in a sibling":           inCollection(`<x:a xmlns:x="u"/><x:b/>`),
		"a prefix declared as nothing":             `<x xmlns:marc=""/>`,
		"a namespace with a blank":                 `<x xmlns="a b"/>`,
		"an attribute twice":                       inCollection(`<x a="1" a="2"/>`),
		"an attribute without quotes":              inCollection(`<x a=1/>`),
		"attributes without a blank between":       inCollection(`<x a="1"b="2"/>`),
		"a bracket in an attribute":                inCollection(`<x a="<"/>`),
		"a comment that ends in three dashes":      "<!-- a --->" + inCollection(record),
		"three dashes inside of a comment":         "<!-- a --- b -->" + inCollection(record),
		"a declaration of the type after the root": inCollection("<!DOCTYPE collection>"),
		"a leader of 23 characters":                inCollection("<record><leader>01910aam a2200433Ii4500</leader></record>"),
		"a leader with white space around":         inCollection("<record><leader> 01910aam a2200433Ii 4500 </leader></record>"),
		"an empty leader":                          inCollection("<record><leader/></record>"),
		"a field without a tag":                    inCollection("<record><datafield/></record>"),
		"a tag with a prefix":                      inCollection(`<record><datafield xmlns:m="u" m:tag="245"/></record>`),
		"a subfield without a code":                inCollection(`<record><datafield tag="245"><subfield/></datafield></record>`),
	} {
		if records, err := parseFile(text); err == nil || len(records) > 0 {
			t.Errorf("%s: %d records and error %v, want none and one", rule, len(records), err)
		}
	}
}

func TestFilesThatThePublishedReadingTakes(t *testing.T) {
	t.Parallel()
	const record = `<record><controlfield tag="001">1</controlfield></record>`
	for rule, text := range map[string]string{
		"a record alone":                          record,
		"any root":                                "<OAI-PMH><a>x</a>" + record + "</OAI-PMH>",
		"a byte order mark":                       "\ufeff<?xml version='1.0'?>" + inCollection(record),
		"a blank before the root":                 "\n\n" + inCollection(record),
		"text after the collection":               inCollection(record) + "Done & dusted <",
		"text after the last of several":          inCollection(record) + "\n" + "Done </collection",
		"a comment with two dashes":               "<!-- a -- b -->" + inCollection(record),
		"a document type":                         "<!DOCTYPE collection [<!ELEMENT record ANY>]>" + inCollection(record),
		"a prefix":                                `<m:collection xmlns:m="u"><m:record><m:controlfield tag="001">1</m:controlfield></m:record></m:collection>`,
		"an empty record beside":                  inCollection(record + "<x/>"),
		"elements of another kind in a record":    inCollection(strings.Replace(record, "<record>", "<record><note>x</note>", 1)),
		"a tag that lost its zeros":               inCollection(strings.Replace(record, `"001"`, `" 1 "`, 1)),
		"a control number in a CDATA section":     inCollection(strings.Replace(record, ">1<", "><![CDATA[1]]><", 1)),
		"the text since the last tag in a field":  inCollection(strings.Replace(record, ">1<", ">7<b>8</b>1<", 1)),
		"white space around a control number":     inCollection(strings.Replace(record, ">1<", ">\n\u00a01 <", 1)),
		"a control number by reference":           inCollection(strings.Replace(record, ">1<", ">&#x31;<", 1)),
		"a second control number in the same one": inCollection(strings.Replace(record, "</record>", `<controlfield tag="001">2</controlfield></record>`, 1)),
	} {
		records, err := parseFile(text)
		if err != nil || len(records) != 1 || records[0].id() == "8" {
			t.Errorf("%s: %d records, error %v", rule, len(records), err)
			continue
		}
		if want := "1"; records[0].id() != want {
			t.Errorf("%s: control number %q, want %q", rule, records[0].id(), want)
		}
	}
}

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

func TestTagsThatAreIntegersHaveThreeDigits(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{
		"245": "245", "1": "001", " 24 ": "024", "0245": "245", "2_4": "024", "_24": "_24", "24_": "24_", "2__4": "2__4",
		"-5": "-05", "+5": "005", "-0": "000", "٢٤": "024", "9XX": "9XX", "": "", "24.0": "24.0", "12345": "12345",
	} {
		if got := threeDigits(tag); got != want {
			t.Errorf("%q became %q, want %q", tag, got, want)
		}
	}
}
