package screenplay

import (
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
)

// typography are the signs that word processors put for those of a keyboard.
var typography = strings.NewReplacer(
	"‘", "'", "’", "'", "‚", "'", "′", "'", "“", `"`, "”", `"`, "„", `"`, "″", `"`,
	"‐", "-", "‑", "-", "–", "—", "―", "—", "--", "—", "…", "...", "\u00ad", "",
)

// plainly is a text in the signs of a keyboard, with single blanks.
func plainly(text string) string {
	plain := !strings.Contains(text, "--")
	for i := 0; plain && i < len(text); i++ {
		plain = text[i] < utf8.RuneSelf && text[i] >= ' ' && (text[i] != ' ' || i > 0 && text[i-1] != ' ')
	}
	if plain && !strings.HasSuffix(text, " ") {
		return text
	}
	return pytext.Collapse(typography.Replace(text))
}

// parentheticals takes what stands in parentheses out of a text and leaves "()" in
// its place. An open parenthesis without its end stays.
func parentheticals(text string) (rest string, inside []string) {
	rest = replaceParentheticals(text, func(one string) string {
		inside = append(inside, pytext.Strip(one))
		return "()"
	})
	return rest, inside
}

// replaceParentheticals replaces the outermost parentheses of a text.
func replaceParentheticals(text string, by func(inside string) string) string {
	if !strings.Contains(text, "(") {
		return text
	}
	var b strings.Builder
	depth, start, kept := 0, 0, 0
	for i := range len(text) {
		switch {
		case text[i] == '(':
			if depth++; depth == 1 {
				start = i
			}
		case text[i] == ')' && depth > 0:
			if depth--; depth == 0 {
				b.WriteString(text[kept:start])
				b.WriteString(by(text[start+1 : i]))
				kept = i + 1
			}
		}
	}
	b.WriteString(text[kept:])
	return b.String()
}

// bareDirection is the text of a direction without its parentheses and what may
// mark it as one. If its parentheses are no pair they stay.
func bareDirection(text string) string {
	text = strings.Trim(text, emphasis)
	if inner, ok := cutNumbered(text); ok {
		text = inner
	}
	open, shut := byte('('), byte(')')
	if strings.HasPrefix(text, "[") {
		open, shut = '[', ']'
	}
	if !isPair(text, open, shut) {
		return text
	}
	text = pytext.Strip(text[1 : len(text)-1])
	const label = "stage direction:"
	if len(text) > len(label) && strings.EqualFold(text[:len(label)], label) {
		text = pytext.Strip(text[len(label):])
	}
	return text
}

// isPair reports whether the bracket that opens a text is shut at its end.
func isPair(text string, open, shut byte) bool {
	if text == "" || text[0] != open {
		return false
	}
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case open:
			depth++
		case shut:
			depth--
		}
		if depth == 0 {
			return i == len(text)-1
		}
	}
	return false
}
