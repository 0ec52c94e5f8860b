package mathlean

import "agentd/domains/edit"

// vocabulary cuts before each declaration, with the comment and the attributes above it. Lines
// are the parts of a file that has few declarations.
func vocabulary() edit.Format {
	const modifiers = `^(?:@\[[^\]\n]*\]\s*)*(?:(?:private|protected|public|noncomputable|partial|unsafe|nonrec|scoped|local)\s+)*`
	const keywords = `(?:theorem|lemma|def|abbrev|instance|structure|class|inductive|example|axiom|opaque)`
	const call = `\b(rw|simp|simp only|exact|omega|ring|linarith|nlinarith|intro|obtain|rcases|cases|refine|apply|have|rfl|norm_num|decide|induction)\b`
	const above = `^(?:[^\s|e]|e[^n]|en[^d]|end[^ ])` // of a comment or attribute, which no end of a section is
	return edit.Format{
		Document: "Lean file", Part: "declaration", Parts: "declarations",
		Cut: edit.Whole(edit.Headed(above, edit.Starting(modifiers+keywords+`\b`, ""))),
		Attributes: []edit.Attribute{
			edit.Has("name", "names", modifiers+keywords+`\s+([^\s:({\[]+)`),
			edit.Key("keyword", "keywords", modifiers+`(`+keywords+`)\b`),
			edit.Has("attribute", "attributes", `^@\[([^\]\n]+)\]`),
			edit.Has("tactic", "tactics", call),
			edit.Has("comment", "comments", `/--\s*([^\n]*[^\s/-])`),
		},
		Finer: &edit.Format{
			Document: "Lean file", Part: "line", Parts: "lines", Cut: edit.Lines(),
			Attributes: []edit.Attribute{
				edit.Has("first word", "first words", `\A\s*(\S+)`), edit.Has("tactic", "tactics", call),
				edit.Has("bracketed term", "bracketed terms", `\(([^()\n]+)\)`), edit.Has("list in square brackets", "lists in square brackets", `\[([^\[\]\n]+)\]`),
				edit.Has("line of code", "lines of code", `\A\s*(\S[^\n]*)`),
			},
		},
	}
}
