// Package latex is the domain of LaTeX papers: .tex sources with citations and
// BibTeX files. The bibliography entry is what is counted.
//
// The published score reads the sources by patterns. It compares the text that is left when most commands are deleted
// with their arguments, the sequence of works cited, the set of works in the bibliography, and nine fields of each work
// on both sides. Strict has readers of its own. It reads the sources as LaTeX does, each where another one takes it in,
// as headings, sentences, displays, table rows and commands in their order, with every citation, label and reference;
// and each entry of the bibliography by its type and all of its fields, abbreviations written out.
package latex

import (
	"agentd/domains"
	published "agentd/domains/published/latex"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Paper]{
		Info: domains.Info{
			Name:     "latex",
			Title:    "LaTeX paper with bibliography",
			Category: "Creative & Media",
			Patterns: []string{"*.tex", "*.bib"},
			Together: true,
			Element:  entryKind,
			Example: "@book{lind2019,\n" +
				"  author = {Lind, Mara},\n" +
				"  title = {Lamps of the Coast},\n" +
				"  year = {2019}\n" +
				"}",
			Components: []string{"text_score", "citation_sequence_score", "bib_completeness_score", "field_accuracy_score"},
		},
		Parse:    published.Parse,
		Score:    published.Score,
		Stats:    published.Stats,
		Form:     wellFormed,
		Elements: elements,
		Comments: []string{"%"},
		Evidence: evidence,
		// The text has a score of its own.
		Others:     published.Others,
		Forgives:   forgives,
		Without:    without,
		Sampling:   domains.Sampling{Not: "the text of a paper cites its entries"},
		Vocabulary: vocabulary,
	})
}
