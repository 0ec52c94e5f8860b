package printable

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Cell returns a text for a cell of a CSV file. A spreadsheet takes what begins with
// =, +, - or @, or with white space before it, for a formula, which could send other
// cells away or start a program. Such a text gets an apostrophe in front, which
// spreadsheets read as the sign of a text. Numbers that agentd wrote itself are no
// business of Cell.
func Cell(text string) string {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, " \t\r\n\u00a0"))
	if strings.ContainsRune("=+-@＝＋－＠", first) || strings.HasPrefix(text, "\t") || strings.HasPrefix(text, "\r") {
		return "'" + text
	}
	return text
}

// Markdown returns a text on one line of Markdown in which nothing is markup, and that mentions no user.
func Markdown(text string) string {
	var b strings.Builder
	for _, c := range Line(text) {
		if strings.ContainsRune("\\`*_{}[]<>()#+!|~&@", c) {
			fmt.Fprintf(&b, "&#%d;", c)
			continue
		}
		b.WriteRune(c)
	}
	return b.String()
}
