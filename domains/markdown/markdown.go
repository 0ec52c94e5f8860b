// Package markdown is the domain of prose in Markdown: a README, a handbook, notes.
//
// A document is read as CommonMark with GitHub's tables, task lists, strikethrough and bare links. Its
// elements are front matter entries, headings, paragraphs, list items, lines of code, rows of
// tables, HTML blocks and rules, in their order. How they are written means nothing: which mark
// begins a list item or stands around an emphasis, where a paragraph's lines break, whether a link is
// inline or defined further down. There is no published evaluator: RS is Strict.
package markdown

import (
	"strings"

	"agentd/domains"
	"agentd/domains/edit"
	"agentd/domains/internal/wellformed"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// counted is the kind of element that is counted.
const counted = "paragraph"

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[struct{}]{
		Info: domains.Info{
			Name:     "markdown",
			Title:    "Prose in Markdown",
			Category: domains.General,
			Patterns: []string{"*.md", "*.markdown"},
			Element:  counted,
			AnyText:  true,
			Example:  "## Keys\n\nThe spare key hangs *inside* the [pump house](pump.md).",
		},
		Form:       wellformed.All(fences, wellformed.ListNumbers),
		OneOrder:   true,
		Elements:   elements,
		Shown:      strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace,
		Evidence:   func(_ vfs.Files, all []domains.Element) int { return len(all) },
		Without:    without,
		Vocabulary: vocabulary,
	})
}

var fenceLine = lazyregexp.New("^ {0,3}(```+|~~~+)([^\n]*)$")

// fences finds a fence of code that is not closed. CommonMark closes it at the end of the text, and a reader sees that the
// end is lost.
func fences(_, text string) []domains.Slip {
	open, at, n := "", 0, 0
	for line := range strings.Lines(text) {
		n++
		m := fenceLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
		switch {
		case m == nil:
		case open == "" && (m[1][0] == '~' || !strings.Contains(m[2], "`")):
			open, at = m[1], n
		case open != "" && strings.HasPrefix(m[1], open) && strings.TrimSpace(m[2]) == "":
			open = ""
		}
	}
	if open == "" {
		return nil
	}
	return []domains.Slip{{Line: at, What: "a fence of code is not closed"}}
}

// vocabulary cuts into sections, each from a heading to the next, or into blocks such as
// paragraphs, lists and tables. Initial, first word and final letter of a section are those of its heading.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "Markdown document", Part: "section", Parts: "sections", Cut: cutSections,
		Attributes: []edit.Attribute{
			edit.Has("heading", "headings", `\A#{1,6}[ \t]+([^\n]*[^\s#])`),
			edit.Has("initial", "initials", `\A#{1,6}[ \t]+[^\pL\n]*(\pL)`),
			edit.Has("first word", "first words", `\A#{1,6}[ \t]+[^\pL\n]*(\pL+)`),
			edit.Has("final letter", "final letters", `\A#{1,6}[ \t]+[^\n]*?(\pL)[^\pL\n]*(?:\n|\z)`),
			edit.Has("link target", "link targets", `\]\(([^()\s]+)`),
			edit.Has("bold phrase", "bold phrases", `\*\*([^*\n]+)\*\*`),
		},
		Finer: &edit.Format{
			Document: "Markdown document", Part: "block", Parts: "blocks", Cut: cutBlocks,
			Attributes: []edit.Attribute{
				edit.Has("first word", "first words", `\A[^\pL\pN]*([\pL\pN]+)`),
				edit.Has("link target", "link targets", `\]\(([^()\s]+)`),
				edit.Has("bold phrase", "bold phrases", `\*\*([^*\n]+)\*\*`),
				edit.HasNumber("number", "numbers", `(?:^|[ (])(\d+(?:\.\d+)?)(?:[ ,;)]|\.?$)`),
			},
		},
	}
}
