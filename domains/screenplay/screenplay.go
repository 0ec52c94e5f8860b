// Package screenplay compares plays in plain text: a list of characters, the scene, and the dialogue, in which speeches
// stand after a name and a colon and stage directions in parentheses. The counted element is the speech.
//
// The published score reads line by line: of a wrapped speech it sees the first line, of a wrapped direction nothing,
// and it compares letters and digits alone, of each speech the first 80 characters. Strict reads blocks as an actor
// does, with their line breaks folded: every speech with its speaker, its sentences and its parentheticals, every
// direction with its place among the speeches, every entry of the cast, all other text, and every heading. Names in
// another case, emphasis around them, brackets for parentheses and typography carry nothing; punctuation does.
package screenplay

import (
	"agentd/domains"
	published "agentd/domains/published/screenplay"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Published]{
		Info: domains.Info{
			Name:       "screenplay",
			Title:      "Play script",
			Category:   "Creative & Media",
			Patterns:   []string{"*.txt"},
			Element:    counted,
			Example:    "MARA: We should have left an hour ago.",
			Components: []string{"dialogue", "characters", "directions", "text"},
		},
		Parse:      published.Parse,
		Score:      published.Score,
		Stats:      published.Stats,
		Elements:   elements,
		Forgives:   compared,
		WithoutIn:  without,
		Sampling:   domains.Sampling{Category: domains.ByField("speaker")},
		Vocabulary: vocabulary,
	})
}
