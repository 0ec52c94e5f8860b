// Package translation is the domain of GNU gettext catalogues (PO files): a header entry and pairs of source string and
// translation, with context, plural forms, flags, references into the source code and comments. The entry is what is
// counted, without the header and obsolete entries.
//
// The published score pairs entries by context and source and looks at translations and comments without regard to
// letter case and white space, at flags and references as sets, at ten header fields and at the order of the entries.
// Strict reads files of any name as gettext does (wrapped strings, escape sequences, markers without a blank, comments
// between a source and its translation) and also looks at letter case and white space inside strings, every header
// field, the plural rule as an expression, credits above the header, previous texts, obsolete entries, repeated
// references and entries, and text that is no entry. The order of entries counts, that of flags, references and header
// fields does not.
package translation

import (
	"agentd/domains"
	published "agentd/domains/published/translation"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Document]{
		Info: domains.Info{
			Name:       "translation",
			Title:      "Gettext catalogue",
			Category:   "Code & Configuration",
			Patterns:   []string{"*.po", "*.pot"},
			Element:    counted,
			Example:    "msgid \"Open\"\nmsgstr \"Åpne\"",
			Components: []string{"coverage", "translation", "flags", "metadata", "comments", "sequence"},
		},
		Parse:      published.Parse,
		Score:      domains.Noting(published.Score),
		Stats:      published.Stats,
		Form:       wellFormed,
		Elements:   elements,
		Without:    without,
		Sampling:   domains.Sampling{Category: sourceFile},
		Vocabulary: vocabulary,
	})
}
