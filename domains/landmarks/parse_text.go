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
)

// repairTags mends tags as the published evaluator does: attributes in a
// parenthesis, line breaks of HTML, and the misspelt start of a CDATA section.
func repairTags(text string) string {
	if strings.Contains(text, "(") {
		text = parenthesisOpening.ReplaceAllString(text, "<$1 $2")
	}
	if strings.Contains(text, `")>`) {
		text = parenthesisClosing.ReplaceAllString(text, "$1>")
	}
	return strings.ReplaceAll(breaksToBlanks(text), "<![CDATA>", "<![CDATA[")
}

func breaksToBlanks(text string) string {
	if !strings.Contains(text, "<br") && !strings.Contains(text, "<B") && !strings.Contains(text, "<bR") {
		return text
	}
	return lineBreak.ReplaceAllString(text, " ")
}

// escapeAmpersands escapes every ampersand that begins no reference that XML
// itself knows, also in CDATA sections.
func escapeAmpersands(text string) string {
	before, rest, found := strings.Cut(text, "&")
	if !found {
		return text
	}
	var b strings.Builder
	for found {
		b.WriteString(before)
		b.WriteByte('&')
		if !beginsReference(rest) {
			b.WriteString("amp;")
		}
		before, rest, found = strings.Cut(rest, "&")
	}
	b.WriteString(before)
	return b.String()
}

// beginsReference reports whether what follows an ampersand makes a reference
// of it.
func beginsReference(text string) bool {
	for _, name := range []string{"amp;", "lt;", "gt;", "quot;", "apos;"} {
		if strings.HasPrefix(text, name) {
			return true
		}
	}
	digits, numeric := strings.CutPrefix(text, "#")
	if !numeric {
		return false
	}
	allowed := "0123456789"
	if hex, isHex := strings.CutPrefix(digits, "x"); isHex {
		digits, allowed = hex, "0123456789abcdefABCDEF"
	}
	rest := strings.TrimLeft(digits, allowed)
	return rest != digits && strings.HasPrefix(rest, ";")
}

var typography = strings.NewReplacer("‘", "'", "’", "'", "“", `"`, "”", `"`, "–", "-", "—", "-")

// straight writes a text with straight quotes, hyphens for dashes and single
// blanks.
func straight(text string) string {
	return strings.Join(pytext.Fields(typography.Replace(text)), " ")
}
