// Package jobboard is the domain of plain-text job boards: a header, then postings as blocks of labelled lines, each
// begun by an id such as [JOB-0207] and its title, with lines of three hyphens between them, then a footer. What is
// counted is the posting.
//
// The published score takes every JOB- with digits, wherever it stands, for the beginning of a job. It compares the set
// of ids, the contents of the jobs in the best pairs, whichever ids they have, and their order; salaries by the year,
// skills as a set. Strict reads a posting only at the beginning of a line and compares all of its fields, salaries by
// amount, currency and period, every line outside of postings with its place, and the order of both.
package jobboard

import (
	"agentd/domains"
	published "agentd/domains/published/jobboard"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[[]published.Job]{
		Info: domains.Info{
			Name:     "jobboard",
			Title:    "Job board in plain text",
			Category: "Everyday",
			Patterns: []string{"*.txt"},
			Element:  counted,
			Example: "[JOB-1042] Boat Builder\n" +
				"Company: Fjord Yard\n" +
				"Location: Bergen\n" +
				"Salary: $52,000/year",
			Components: []string{"coverage", "accuracy", "sequence", "count"},
		},
		Parse:      published.Parse,
		Score:      published.Score,
		Stats:      published.Stats,
		Elements:   format.Elements,
		Forgives:   forgives,
		Without:    format.Without,
		Vocabulary: vocabulary,
	})
}
