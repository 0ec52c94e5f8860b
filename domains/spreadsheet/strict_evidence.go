package spreadsheet

import (
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// evidence counts the rows of tables that have names for several columns and, in more
// than half of the rows, a cell for each. Any text can be read as a table, but others
// have one column, or commas here and there.
func evidence(files vfs.Files, _ []domains.Element) int {
	all := 0
	for _, t := range read(files) {
		columns := t.columns()
		if len(columns) < 2 || slices.ContainsFunc(columns, isPiece) {
			continue
		}
		fitting := 0
		for _, row := range t.rows {
			if len(row) == len(t.header) && filled(row) > 1 {
				fitting++
			}
		}
		if 2*fitting > len(t.rows) {
			all += fitting
		}
	}
	return all
}

// isPiece reports whether a cell of a header is a piece of something that a comma
// stands in, such as a function call.
func isPiece(name string) bool {
	return strings.Count(name, "(") != strings.Count(name, ")") || strings.Count(name, "[") != strings.Count(name, "]")
}

// filled is the number of cells that are not empty.
func filled(row []string) int {
	n := 0
	for _, cell := range row {
		if pytext.Strip(cell) != "" {
			n++
		}
	}
	return n
}
