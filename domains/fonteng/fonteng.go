// Package fonteng is the domain of OpenType feature files: language systems, glyph classes, features with substitution
// and positioning rules, lookups and tables. Language systems, classes, features and tables are counted.
//
// The published score reads files as fontTools' feaLib 4.38 does, makes a comment of each line at which that fails, and
// compares the canonical text of blocks of the same name; it passes over what was added or repeated, lookups and
// definitions at top level, comments and the order of features. Strict looks at what a compiler makes of the text:
// rules one by one in their order, lookups and features in theirs, the glyphs of a class one by one, all definitions,
// tables field by field, and lines that are no statement. A class may be spelled out and a range written in either way;
// numbers, flags and names are compared by what they say. The order of language systems, classes and tables means
// nothing, nor does a class being defined late. Comments may come and go, but one that was altered is seen. Several
// files are one text.
package fonteng

import (
	"strconv"

	"agentd/domains"
	"agentd/domains/edit"
	published "agentd/domains/published/fonteng"
	"agentd/internal/lazyregexp"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Model]{
		Info: domains.Info{
			Name:       "fonteng",
			Title:      "OpenType feature file",
			Category:   "Creative & Media",
			Patterns:   published.Patterns,
			Element:    counted,
			Example:    "feature liga {\n  sub f i by f_i;\n} liga;",
			Components: []string{"class_score", "feature_score", "langsys_score", "table_score"},
		},
		Parse:      published.Parse,
		Score:      published.Score,
		Stats:      published.Stats,
		Form:       wellFormed,
		Elements:   elements,
		Evidence:   domains.OfKinds(counted, lookupKind),
		Comments:   []string{"#"},
		Forgives:   forgives,
		WithoutIn:  without,
		Sampling:   domains.Sampling{Not: "a feature file is one whole: rules need their classes and lookups"},
		Vocabulary: vocabulary,
	})
}

// vocabulary makes parts of the statements and blocks that are in no other block.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "feature file", Part: "top-level statement", Parts: "top-level statements",
		Cut:    edit.Whole(edit.Headed(`^[ \t]*#`, edit.Statements(0, ";", edit.RestOfLine("#"), edit.Quoted(`"`)))),
		Remark: "  # Computed: {}", RemarkAt: edit.End,
		Tree: edit.Nested(`\{[ \t]*(?:#.*)?$`, `^[ \t]*\}`),
		Attributes: []edit.Attribute{
			edit.Key("keyword", "keywords", `^[ \t]*(languagesystem|feature|lookup|table|markClass|anchorDef|valueRecordDef|include)\b`),
			edit.Key("name", "names", `^[ \t]*(?:@|feature[ \t]+|lookup[ \t]+|table[ \t]+|languagesystem[ \t]+\w+[ \t]+)([\w.-]+)`),
			edit.Has("script", "scripts", `\b(?:script|languagesystem)[ \t]+(\w{3,4})\b`),
			edit.Has("alternate glyph", "alternate glyphs", `[\[\s']([a-zA-Z]+\.[a-z]+)\b`),
			edit.Has("class name", "class names", `(?:^|[\s'\[(])@([A-Za-z_][\w.-]*)`),
			edit.ComputedNumber("number of rules", "numbers of rules", rules),
			edit.HasNumber("kerning value", "kerning values", `\bpos[ \t]+[^;\n<]*[ \t](-?\d+)[ \t]*;`),
			edit.Has("comment", "comments", `#[ \t]*([^\s#=-][^\n]*[^\s])`),
		},
	}
}

var (
	aside = lazyregexp.New(`#.*|"[^"]*"`)
	rule  = lazyregexp.New(`(?:^|[;{}\s])(?:ignore[ \t]+|enum[ \t]+)?(?:substitute|sub|reversesub|rsub|position|pos)\s`)
)

// rules is how many substitution and positioning rules a statement holds, comments aside; empty for none.
func rules(part string) string {
	n := len(rule.FindAllStringIndex(aside.ReplaceAllString(part, ""), -1))
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
