// Package earncall compares transcripts of earnings calls: turns, each with a
// speaker and what they say. The counted element is the speaker turn.
//
// The published score reads lines that begin with a name and a colon, compares what each speaker says as one run of
// characters, the figures as a set, and the order of the speakers. So it hardly sees a changed date, a reversed
// meaning, two figures exchanged or a repeated turn, does not see text above the first turn, and loses speakers whose
// name has an initial or an accent. Strict reads a transcript as a person does: turns in their order, each with its
// speaker and its sentences, figures by value, section headings where they stand, and lines outside of turns one by
// one. Line breaks, typography, letter case of names and markup around them carry nothing.
package earncall

import (
	"agentd/domains"
	published "agentd/domains/published/earncall"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Published]{
		Info: domains.Info{
			Name:       "earncall",
			Title:      "Earnings call transcript",
			Category:   "Everyday",
			Patterns:   []string{"*.txt"},
			Element:    counted,
			Example:    "Maria Chen: Revenue grew by four percent in the quarter.",
			Components: []string{"content", "metrics", "sequence"},
		},
		Parse:      published.Parse,
		Score:      published.Score,
		Stats:      published.Stats,
		Prose:      true,
		Elements:   elements,
		Evidence:   evidence,
		Forgives:   compared,
		Without:    without,
		Sampling:   domains.Sampling{Category: domains.ByField("speaker")},
		Vocabulary: vocabulary,
	})
}
