// Package mathlean is the domain of Lean 4 source files: imports, sections and namespaces, and declarations with their
// statements and proofs. The declaration is what is counted.
//
// The published score scans the text without regard to comments or nesting and compares names and the ends of
// statements; declarations after an attribute or modifier, hypotheses and proofs weigh only as characters. Strict reads
// the file as a sequence of commands and compares every declaration by its doc comment, attributes, modifiers, binders,
// statement and body, and next to them imports, scopes and other commands, module docs and comments, each with the
// place it stands at. It forgives layout that Lean does not read, theorem for lemma, ASCII for symbols, the names of
// bound variables where they change throughout, a division over files, and comments that were added.
package mathlean

import (
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/edit"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/mathlean"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Source]{
		Info: domains.Info{
			Name:       "mathlean",
			Title:      "Lean 4 source file",
			Category:   "Science & Engineering",
			Patterns:   published.Patterns,
			Element:    counted,
			Example:    "theorem two_pos : 0 < 2 := by decide",
			Components: []string{"declaration_score", "import_coverage", "section_coverage", "text_similarity"},
		},
		Parse:    published.Parse,
		Score:    published.Score,
		Stats:    published.Stats,
		Form:     wellFormed,
		Fences:   true,
		Elements: elements,
		Comments: []string{"--", "/*"},
		Evidence: evidence,
		// The text has a score of its own, and with it declarations that the published
		// reader does not know, such as private ones.
		Others:     published.Others,
		Forgives:   forgiven,
		Without:    without,
		Sampling:   domains.Sampling{Not: "the declarations of a file rest on those above them"},
		Vocabulary: vocabulary,
	})
}

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

// stated is what a declaration says after its colon, up to its body, with one blank for any
// others; empty if it has none.
func stated(part string) string {
	f, c := declarationOf(part)
	if c == nil {
		return ""
	}
	p := f.partsOf(c)
	if p.statement+1 >= p.body {
		return ""
	}
	said := f.text[f.tokens[p.statement].end:f.tokens[p.body-1].end]
	return plain.SingleBlanks(said)
}

// lineCount is how many lines a declaration has, without what stands before its keyword.
func lineCount(part string) string {
	f, c := declarationOf(part)
	if c == nil {
		return ""
	}
	return strconv.Itoa(1 + strings.Count(f.text[f.tokens[c.at].start:f.tokens[c.last-1].end], "\n"))
}

// declarationOf is the first declaration of a part; nil if there is none.
func declarationOf(part string) (*file, *command) {
	f := lex(part)
	for _, c := range f.commands() {
		if c.isDeclaration() {
			return &f, &c
		}
	}
	return &f, nil
}
