// Package audiosyn is the domain of Csound pieces: an orchestra of instruments, and a score of function tables and of
// the notes that they play, in one CSD file or in an orchestra and score of their own. The score event, an i statement,
// is what is counted.
//
// The published score compares instruments as texts, events as sets and lists of their p-fields, tables, settings and
// comments of the score, with a reader for which the first sections of the first file are all there is. Strict reads
// what Csound reads: events with their carried p-fields in their section of the score, every score statement, and the
// orchestra statement by statement, with options, macros and comments. The order of events and of numbered instruments,
// the writing of numbers, blanks and carry dots mean nothing to it.
package audiosyn

import (
	"agentd/domains"
	published "agentd/domains/published/audiosyn"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Piece]{
		Info: domains.Info{
			Name:     "audiosyn",
			Title:    "Csound piece",
			Category: "Creative & Media",
			Patterns: published.Patterns,
			Element:  counted,
			Example:  "i1 0.0 2.5 0.4 220",
			Components: []string{
				"instrument_coverage", "instrument_accuracy", "instrument_gate",
				"event_coverage", "event_accuracy", "event_sequence", "event_gate", "core", "aux_mean",
				"ftable_coverage", "ftable_accuracy", "settings_score", "comment_score", "raw_text_score",
			},
		},
		Parse:    published.Parse,
		Score:    published.Score,
		Stats:    published.Stats,
		Form:     wellFormed,
		Elements: elements,
		Comments: []string{";", "//", "/*"},
		// Instruments and function tables have a score of their own.
		Others:     published.Others,
		Evidence:   domains.Prevailing(counted, instrumentKind, tableKind),
		Forgives:   forgives,
		WithoutIn:  without,
		Vocabulary: vocabulary,
	})
}
