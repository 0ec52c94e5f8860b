package landmarks

import (
	"regexp"
	"strings"

	"agentd/domains/internal/pytext"
)

var (
	parenthesisOpening = regexp.MustCompile(`<(\w+)\((\w+=)`)
	parenthesisClosing = regexp.MustCompile(`(="[^"<>]*")\)>`)
	lineBreak          = regexp.MustCompile(`(?i)<br\s*/?>`)
	characterNumber    = regexp.MustCompile(`^(?:[0-9]+|x[0-9a-fA-F]+);`)
)

// repairTags mends tags as the published evaluator does: attributes in a
// parenthesis, line breaks of HTML, and the misspelt start of a CDATA section.
func repairTags(text string) string {
	if hasParenthesisInTag(text) {
		text = parenthesisOpening.ReplaceAllString(text, "<$1 $2")
	}
	if strings.Contains(text, `")>`) {
		text = parenthesisClosing.ReplaceAllString(text, "$1>")
	}
	return strings.ReplaceAll(breaksToBlanks(text), "<![CDATA>", "<![CDATA[")
}

// hasParenthesisInTag looks for a parenthesis after the name of a tag, which is
// rare, faster than a regular expression.
func hasParenthesisInTag(text string) bool {
	for {
		before, rest, found := strings.Cut(text, "(")
		if !found {
			return false
		}
		name := strings.LastIndexByte(before, '<') + 1
		if name > 0 && name < len(before) && !strings.ContainsAny(before[name:], " >\n") {
			return true
		}
		text = rest
	}
}

// breaksToBlanks replaces the line breaks of HTML.
func breaksToBlanks(text string) string {
	if !strings.Contains(text, "<b") && !strings.Contains(text, "<B") {
		return text
	}
	return lineBreak.ReplaceAllString(text, " ")
}

var typography = strings.NewReplacer("‘", "'", "’", "'", "“", `"`, "”", `"`, "–", "-", "—", "-")

// straight writes a text with straight quotes, hyphens for dashes and single
// blanks.
func straight(text string) string {
	if isStraight(text) {
		return text
	}
	return pytext.Collapse(typography.Replace(text))
}

// isStraight reports whether straight would change nothing, for sure.
func isStraight(text string) bool {
	last := byte(' ')
	for i := range len(text) {
		c := text[i]
		switch {
		case c == ' ':
			if last == ' ' {
				return false
			}
		case c < ' ':
			return false
		case c == 0xc2 || c >= 0xe1 && c <= 0xe3: // may begin a blank, a quote or a dash
			return false
		}
		last = c
	}
	return last != ' '
}
