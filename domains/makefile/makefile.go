// Package makefile is the domain of GNU makefiles: variables, rules with their prerequisites and recipes, conditionals,
// definitions and includes. The explicit target is what is counted.
//
// The published score rests on what GNU Make 4.3 prints of its data base after reading a file, with the accidents of
// that list: names with a slash are not read, and a target without a recipe hides the one that Make happens to print
// next. A file that Make refuses is read line by line. Makefiles are programs that run commands while they are read, so
// Make itself is never asked; maker follows it through conditionals, expansion and the order of its table, runs
// nothing, and gives up where expansions make too much.
//
// Strict looks at the text instead, in all branches and without expanding anything: at every assignment with its
// operator and conditions, at all rules for a target together, at pattern rules, directives and lines that Make would
// refuse. The order of rules means nothing to it but which target comes first; the order of assignments counts where
// one is expanded at once.
package makefile

import (
	"agentd/domains"
	"agentd/domains/internal/element"
	published "agentd/domains/published/makefile"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Document]{
		Info: domains.Info{
			Name:       "makefile",
			Title:      "Makefile",
			Category:   "Code & Configuration",
			Patterns:   published.FilePatterns,
			Element:    counted,
			Example:    "report.pdf: report.tex\n\tlatexmk -pdf report.tex",
			Components: []string{"targets", "prerequisites", "recipes", "variables", "phony", "patterns"},
		},
		Parse:    published.Parse,
		Score:    published.Score,
		Stats:    published.Stats,
		Form:     wellFormed,
		Elements: elements,
		Comments: []string{"^#"},
		Counted:  func(published.Document) bool { return true },
		Forgives: element.Harmless{}.Forgive,
		Evidence: evidence,
		// Variables have a score of their own.
		Others:     published.Others,
		WithoutIn:  without,
		Sampling:   domains.Sampling{Not: "the targets of a makefile need one another"},
		Vocabulary: vocabulary,
	})
}
