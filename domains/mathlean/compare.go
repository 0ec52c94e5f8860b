package mathlean

import "agentd/domains"

const counted = "declaration"

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
		Edits:      edits(),
		Vocabulary: vocabulary,
	})
}
