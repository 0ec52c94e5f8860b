package jsontext

import (
	"fmt"
	"strings"
)

// Quote quotes a text, escaping only what JSON does not take as it is.
func Quote(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 2)
	b.WriteByte('"')
	plain := 0 // from here on nothing was written yet
	for i := range len(text) {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b.WriteString(text[plain:i])
		plain = i + 1
		switch c {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '\t':
			b.WriteString(`\t`)
		default:
			fmt.Fprintf(&b, `\u%04x`, c)
		}
	}
	b.WriteString(text[plain:])
	b.WriteByte('"')
	return b.String()
}
