package plain

import "strings"

// OneLine writes lines on one, with " | " between them. A "|" of the text itself is doubled, so
// that a single one always ends a line.
func OneLine(lines []string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.Join(lines, "\n"), "|", "||"), "\n", " | ")
}

// SeveralLines reads what OneLine writes.
func SeveralLines(line string) []string {
	if line == "" {
		return nil
	}
	lines := strings.Split(line, " | ")
	for i := range lines {
		lines[i] = strings.ReplaceAll(lines[i], "||", "|")
	}
	return lines
}
