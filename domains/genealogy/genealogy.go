// Package genealogy is the domain of family trees in GEDCOM 5.5.x: individuals with their names and events, families
// that join them, and the header, notes, sources and repositories next to them. The individual is what is counted.
//
// The published score looks at the name, sex, birth and death of individuals, at the marriage of families, and at who
// is whose spouse and child as the family records have it. Strict looks at the whole tag tree of every record and at
// both directions of every link, FAMC and FAMS included. Pointers stand for the records they lead to, so that their
// spelling does not matter; a record twice does. Texts are compared with CONC and CONT joined, dates as dates. The
// order of records, of children and of facts means nothing to it, save that the first name and the first account of an
// event are the preferred ones.
package genealogy

import (
	"agentd/domains"
	published "agentd/domains/published/genealogy"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Tree]{
		Info: domains.Info{
			Name:       "genealogy",
			Title:      "GEDCOM family tree",
			Category:   "Structured Records",
			Patterns:   []string{"*.ged"},
			Element:    counted,
			Example:    "0 @I1@ INDI\n1 NAME Mara /Lind/\n1 SEX F",
			Components: []string{"individual_coverage", "individual_accuracy", "relationships", "events"},
		},
		Parse:      published.Parse,
		Score:      domains.Noting(published.Score),
		Stats:      published.Stats,
		Form:       wellFormed,
		Elements:   elements,
		Evidence:   domains.OfKinds(counted, "family", "record"),
		Forgives:   forgiven,
		WithoutIn:  without,
		Sampling:   domains.Sampling{Category: surname},
		Vocabulary: vocabulary,
	})
}
