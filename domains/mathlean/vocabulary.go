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
		Cut:    edit.Whole(edit.Headed(above, edit.Starting(modifiers+keywords+`\b`, ""))),
		Remark: "-- computed: {}", RemarkAt: edit.Above,
		Attributes: []edit.Attribute{
			edit.Has("name", "names", modifiers+keywords+`\s+([^\s:({\[]+)`),
			edit.Key("keyword", "keywords", modifiers+`(`+keywords+`)\b`),
			edit.Has("attribute", "attributes", `^@\[([^\]\n]+)\]`),
			edit.Has("tactic", "tactics", call),
			edit.Has("comment", "comments", `/--\s*([^\n]*[^\s/-])`),
			edit.Has("theorem name", "theorem names", modifiers+`(?:theorem|lemma)\s+([^\s:({\[]+)`),
			edit.Has("word", "words", `\b([A-Za-z]\w+)\b`),
			edit.Computed("statement", "statements", stated),
			edit.ComputedNumber("line count", "line counts", lineCount),
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
