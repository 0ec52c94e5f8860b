package makefile

import (
	"strconv"

	"agentd/domains"
)

const counted = "target"

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[document]{
		Info: domains.Info{
			Name:       "makefile",
			Title:      "Makefile",
			Category:   "Code & Configuration",
			Patterns:   filePatterns,
			Element:    counted,
			Example:    "report.pdf: report.tex\n\tlatexmk -pdf report.tex",
			Components: []string{"targets", "prerequisites", "recipes", "variables", "phony", "patterns"},
		},
		Parse:    parse,
		Score:    score,
		Stats:    stats,
		Elements: elements,
		Counted:  func(document) bool { return true },
		Evidence: evidence,
		// Variables have a score of their own.
		Others:     func(d document) int { return len(d.variables) },
		Without:    without,
		Sampling:   domains.Sampling{Not: "the targets of a makefile need one another"},
		Edits:      edits(),
		Vocabulary: vocabulary,
	})
}

func stats(d document) domains.Stats {
	lines, prerequisites := 0, 0
	for _, t := range d.targets {
		lines += len(t.recipe)
		prerequisites += len(t.prerequisites)
	}
	return domains.Stats{Elements: d.explicit(), Counts: []domains.Count{
		{Name: "Targets", Value: strconv.Itoa(len(d.targets))},
		{Name: "Variables", Value: strconv.Itoa(len(d.variables))},
		{Name: "Dependencies", Value: "0"}, // as the published program has it
		{Name: "Prerequisites", Value: strconv.Itoa(prerequisites)},
		{Name: "Recipe Lines", Value: strconv.Itoa(lines)},
	}}
}
