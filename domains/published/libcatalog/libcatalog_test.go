package libcatalog

import (
	"strings"
	"testing"
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
		if err != nil || len(records) != 1 || records[0].ID() == "8" {
			t.Errorf("%s: %d records, error %v", rule, len(records), err)
			continue
		}
		if want := "1"; records[0].ID() != want {
			t.Errorf("%s: control number %q, want %q", rule, records[0].ID(), want)
		}
	}
}

func TestTagsThatAreIntegersHaveThreeDigits(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{
		"245": "245", "1": "001", " 24 ": "024", "0245": "245", "2_4": "024", "_24": "_24", "24_": "24_", "2__4": "2__4",
		"+5": "005", "-0": "000", "٢٤": "024", "9XX": "9XX", "": "", "24.0": "24.0", "12345": "12345",
	} {
		if got := ThreeDigits(tag); got != want {
			t.Errorf("%q became %q, want %q", tag, got, want)
		}
	}
}
