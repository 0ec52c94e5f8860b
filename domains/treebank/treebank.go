// Package treebank compares dependency treebanks in CoNLL-U: sentences, each with comment lines and one line of ten
// columns for every word. The counted element is the word token; lines of multiword tokens (4-5) and empty nodes (6.1)
// are not counted.
//
// The published score pairs sentences by their text and words by their form, and looks at seven columns of the words it
// paired, so it does not see what was added, the order of words, enhanced dependencies, MISC, multiword tokens, empty
// nodes or most comments; and one malformed head makes it lose a sentence. Strict reads what the format has: every
// column of every line, in which sentence and in which order it stands, and every comment of a sentence. The order of
// features, dependencies and comments carries nothing, nor does the name or number of files; a line that is none of the
// format is an element of its own.
package treebank

import (
	"agentd/domains"
	published "agentd/domains/published/treebank"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[[]published.Annotation]{
		Info: domains.Info{
			Name:     "treebank",
			Title:    "Dependency treebank in CoNLL-U",
			Category: "Structured Records",
			Patterns: []string{"*.conllu"},
			Element:  counted,
			Example:  "1\tBoats\tboat\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_",
			Components: []string{
				"completeness", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "metadata", "sequence",
			},
		},
		Parse:      published.Parse,
		Score:      published.Score,
		Crashes:    published.Crashes,
		Stats:      published.Stats,
		Form:       wellFormed,
		Elements:   elements,
		Without:    without,
		Sampling:   domains.Sampling{Entry: "sentence", Category: domains.ByField("speaker")},
		Vocabulary: vocabulary,
	})
}
