package edit

import (
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
)

// delimiters are what may stand between the cells of a table, the most usual first.
var delimiters = []string{",", "\t", ";", "|"}

// Table is the format of tables with a header, whose columns are the attributes of their rows.
func Table(document, part, parts string) Format {
	return Format{Document: document, Part: part, Parts: parts, Cut: Rows(), Tree: Cells(), Adapt: func(_, text string) Format {
		return Format{Document: document, Part: part, Parts: parts, Cut: Rows(), Attributes: columnsOf(text)}
	}}
}

// mostColumns is how many columns of a table are attributes, from the first. A pattern counts the cells before
// its column, and Go's patterns count to 1,000.
const mostColumns = 256

// columnsOf makes an attribute of each column of a table that has a name of its own.
func columnsOf(text string) []Attribute {
	pieces := Rows()(text)
	header := pieces.Before
	if at := strings.IndexByte(strings.TrimLeft(header, "\r\n"), '\n'); at >= 0 {
		header = header[:len(header)-len(strings.TrimLeft(header, "\r\n"))+at]
	}
	delimiter := slices.MaxFunc(delimiters, func(a, b string) int { return strings.Count(header, a) - strings.Count(header, b) })
	cell := fmt.Sprintf(`(?:"(?:[^"]|"")*"|[^"\n\r%s]*)`, delimiter)
	var all []Attribute
	seen := make(map[string]bool)
	names := splitCells(header, delimiter)
	for k, name := range names[:min(len(names), mostColumns)] {
		name = strings.ToLower(strings.TrimSpace(name))
		if slug(name) == "" || seen[name] {
			continue
		}
		seen[name] = true
		// Of the record alone: a line of a quoted cell does not begin one.
		a := Has(name, name+" values", fmt.Sprintf(`\A(?:%s[%s]){%d}(%s)`, cell, delimiter, k, cell))
		all = append(all, Sized(a, pieces.Parts))
	}
	return all
}

func splitCells(header, delimiter string) []string {
	records, err := plain.ReadCSV(strings.ReplaceAll(strings.TrimSpace(header), delimiter, ","))
	if err != nil || len(records) == 0 {
		return nil
	}
	return records[0]
}
