// Package mathlean is the domain of Lean 4 source files: imports, sections and
// namespaces, and declarations with their statements and proofs. The
// declaration is what is counted.
//
// The published score scans the text without regard to comments or nesting and
// compares names and the ends of statements; declarations after an attribute
// or modifier, hypotheses and proofs weigh only as characters. Strict reads the
// file as a sequence of commands and compares every declaration by its doc
// comment, attributes, modifiers, binders, statement and body, and next to them
// imports, scopes and other commands, module docs and comments, each with the
// place it stands at. It forgives layout that Lean does not read, theorem for
// lemma, ASCII for symbols, the names of bound variables where they change
// throughout, a division over files, and comments that were added.
package mathlean

import "agentd/domains"

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[source]{
		Info: domains.Info{
			Name:       "mathlean",
			Title:      "Lean 4 source file",
			Category:   "Science & Engineering",
			Patterns:   patterns,
			Element:    counted,
			Example:    "theorem two_pos : 0 < 2 := by decide",
			Components: []string{"declaration_score", "import_coverage", "section_coverage", "text_similarity"},
		},
		Parse:    parse,
		Score:    score,
		Stats:    stats,
		Elements: elements,
		Evidence: evidence,
		// The text has a score of its own, and with it declarations that the published
		// reader does not know, such as private ones.
		Others:     func(s source) int { return len(s.text) },
		Forgives:   forgiven,
		Without:    without,
		Sampling:   domains.Sampling{Not: "the declarations of a file rest on those above them"},
		Vocabulary: vocabulary,
	})
}
