// Package libcatalog is the domain of library catalogues in MARCXML: a collection of MARC 21 bibliographic records,
// each a leader, control fields, and data fields with two indicators and coded subfields. The record is what is
// counted.
//
// The published score compares records of equal control number, leaders by character, fields of a tag in any order, and
// nothing at all of a file that is not well-formed; it gives a document without control numbers 0 against itself.
// Strict reads on where an XML parser stops, in files of any name; it also looks at the order of records, fields and
// subfields, at repeated control fields, at records that are repeated or have no control number, and at text between
// records. What is around the collection (a sentence before or after it, a code fence), namespaces and layout, and how a
// letter with a diacritic is composed mean nothing to it, nor do comments that are gone or were added; one that says something
// else counts. Records that come in several files have no order from one file to the next.
package libcatalog

import (
	"strings"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/libcatalog"
	"agentd/internal/lazyregexp"
)

const counted = "record"

// namespace is MARCXML's; an answer of OAI-PMH has records of its own around those of MARC.
var namespace = wellformed.Namespace(`^http://www\.loc\.gov/MARC21/slim$`, "leader", "controlfield", "datafield")

// indicators finds fields with other attributes than MARCXML has.
var indicators = wellformed.Not(`<(?:[\w-]+:)?datafield\b(?:[^>]*\s)?ind(?:[^12]|[12][^=\s])`, "a field has an attribute that is none of MARCXML")

// tags finds fields whose tag is shorter or longer than it is in MARC. Strict reads 01 as 001.
var tags = wellformed.Not(`<(?:[\w-]+:)?(?:data|control)field\b[^>]*\stag\s*=\s*["'](?:[^"']{0,2}|[^"']{4,})["']`, "a tag has other than three characters")

var (
	startTag     = lazyregexp.New(`<(?:[\w-]+:)?datafield\b[^>]*>`)
	bothDeclared = [2]*lazyregexp.Regexp{lazyregexp.New(`\sind1\s*=\s*(?:"[^"]|'[^'])`), lazyregexp.New(`\sind2\s*=\s*(?:"[^"]|'[^'])`)}
)

// indicated checks that each field has both indicators: the schema asks for them, a blank for none.
func indicated(_, text string) (all []domains.Slip) {
	line, from := 1, 0
	for _, at := range startTag.FindAllStringIndex(text, -1) {
		line, from = line+strings.Count(text[from:at[0]], "\n"), at[0]
		tag := text[at[0]:at[1]]
		if !bothDeclared[0].MatchString(tag) || !bothDeclared[1].MatchString(tag) {
			all = append(all, domains.Slip{Line: line, What: "a field lacks an indicator", Text: tag})
		}
	}
	return all
}

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Collection]{
		Info: domains.Info{
			Name:     "libcatalog",
			Title:    "MARCXML library catalogue",
			Category: "Structured Records",
			Patterns: []string{"*.xml"},
			Element:  counted,
			Example: "<record>\n" +
				"  <leader>00000nam a2200000 a 4500</leader>\n" +
				"  <controlfield tag=\"001\">b1042</controlfield>\n" +
				"</record>",
			Components: []string{"coverage", "leader", "control", "data"},
		},
		Parse:      published.Parse,
		Score:      domains.Noting(published.Score),
		Stats:      published.Stats,
		Form:       wellformed.All(wellformed.XML, namespace, indicators, indicated, tags),
		Elements:   elements,
		Comments:   []string{"<!--"},
		Forgives:   element.Harmless{MayGo: true}.Forgive,
		Without:    without,
		Vocabulary: vocabulary,
	})
}
