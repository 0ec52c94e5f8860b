package screenplay

import (
	"iter"
	"strings"
	"unicode"
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

// sentences divides a text as plainly gives it: after a full stop, a question or
// an exclamation mark, before a blank and what can begin a sentence.
func sentences(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := 0
		for i := 0; i < len(text); i++ {
			if !isStop(text[i]) {
				continue
			}
			end := i + 1
			for end < len(text) && (isStop(text[end]) || strings.IndexByte(`"')]`, text[end]) >= 0) {
				end++
			}
			i = end - 1
			if strings.HasPrefix(text[end:], " ") && beginsSentence(text[end+1:]) {
				if !yield(text[start:end]) {
					return
				}
				start = end + 1
			}
		}
		if start < len(text) {
			yield(text[start:])
		}
	}
}

func isStop(c byte) bool { return c == '.' || c == '?' || c == '!' }

func beginsSentence(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(r) || unicode.IsDigit(r) || strings.ContainsRune(`"'([`, r)
}

// parentheticals takes what stands in parentheses out of a text and leaves "()" in
// its place. An open parenthesis without its end stays.
func parentheticals(text string) (rest string, inside []string) {
	if !strings.Contains(text, "(") {
		return text, nil
	}
	var b strings.Builder
	depth, start, kept := 0, 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			if depth++; depth == 1 {
				start = i
			}
		case ')':
			if depth == 0 {
				continue
			}
			if depth--; depth == 0 {
				b.WriteString(text[kept:start])
				b.WriteString("()")
				inside = append(inside, pytext.Strip(text[start+1:i]))
				kept = i + 1
			}
		}
	}
	b.WriteString(text[kept:])
	return b.String(), inside
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
