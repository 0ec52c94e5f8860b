package plain

import "strings"

// OneLine writes lines on one, with " | " between them. A "|" of the text itself is doubled, so
// that a single one always ends a line.
func OneLine(lines []string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.Join(lines, "\n"), "|", "||"), "\n", " | ")
}
