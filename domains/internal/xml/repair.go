package xml

import (
	"strings"

	"agentd/domains/internal/plain"
)

// Unfenced is a text without a byte order mark and code fences, its lines ended as Unix does. It
// is where a reader that forgives these begins.
func Unfenced(text string) string {
	if strings.HasPrefix(text, "\ufeff") || strings.Contains(text, "\r") || strings.Contains(text, "```") {
		return plain.Text(plain.Lines(text))
	}
	return text
}

// EscapeAmpersands escapes every ampersand that begins none of the references that XML knows, also
// in CDATA sections, as published evaluators do before they parse. isNumber says whether what
// follows &# makes a reference of it.
func EscapeAmpersands(text string, isNumber func(after string) bool) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "&")
		if !found && b.Len() == 0 {
			return text
		}
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteByte('&')
		if !beginsReference(after, isNumber) {
			b.WriteString("amp;")
		}
		text = after
	}
}

func beginsReference(text string, isNumber func(after string) bool) bool {
	for name := range predefined {
		if rest, ok := strings.CutPrefix(text, name); ok && strings.HasPrefix(rest, ";") {
			return true
		}
	}
	number, ok := strings.CutPrefix(text, "#")
	return ok && isNumber(number)
}
