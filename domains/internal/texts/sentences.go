package texts

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences divides a text with single blanks: after a full stop, a question or an exclamation
// mark, with the quotes and brackets that it closes, before a blank and what can begin a
// sentence. That is a capital, a digit, or one of the signs that opens has.
func Sentences(text, opens string) iter.Seq[string] {
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
			next, found := strings.CutPrefix(text[end:], " ")
			r, _ := utf8.DecodeRuneInString(next)
			if found && (unicode.IsUpper(r) || unicode.IsDigit(r) || strings.ContainsRune(opens, r)) {
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

// Opening is the first words of a text, up to 40 bytes.
func Opening(text string) string {
	const longest = 40
	if len(text) <= longest {
		return text
	}
	words := text[:longest]
	if blank := strings.LastIndexByte(words, ' '); blank > 0 {
		words = words[:blank]
	}
	return strings.ToValidUTF8(words, "") + "…"
}
