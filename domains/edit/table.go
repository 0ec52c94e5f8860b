package edit

import (
	"slices"
	"strings"

	"agentd/domains/internal/plain"
)

// delimiters are what may stand between the cells of a table, the most usual first.
var delimiters = []string{",", "\t", ";", "|"}

// Table is the format of tables with a header, whose columns are the attributes of their rows.
func Table(document, part, parts string) Format {
	return Format{Document: document, Part: part, Parts: parts, Cut: Rows(), OneCut: true, Tree: Cells(), Adapt: func(_, text string) Format {
		return Format{Document: document, Part: part, Parts: parts, Cut: Rows(), Attributes: columnsOf(text)}
	}}
}

// mostColumns is how many columns of a table are attributes, from the first: each is looked for in every row.
const mostColumns = 256

// columnsOf makes an attribute of each column of a table that has a name of its own.
func columnsOf(text string) []Attribute {
	pieces := Rows()(text)
	header := pieces.Before
	if at := strings.IndexByte(strings.TrimLeft(header, "\r\n"), '\n'); at >= 0 {
		header = header[:len(header)-len(strings.TrimLeft(header, "\r\n"))+at]
	}
	delimiter := slices.MaxFunc(delimiters, func(a, b string) int { return strings.Count(header, a) - strings.Count(header, b) })
	var all []Attribute
	seen := make(map[string]bool)
	names := splitCells(header, delimiter)
	for k, name := range names[:min(len(names), mostColumns)] {
		name = strings.ToLower(strings.TrimSpace(name))
		if slug(name) == "" || seen[name] {
			continue
		}
		seen[name] = true
		a := Attribute{Name: name, Plural: name + " values", place: func(row string) span { return cellOf(row, delimiter[0], k) }}
		all = append(all, Sized(a, pieces.Parts))
	}
	return all
}

// cellOf is where the cell after so many others stands in a row; nowhere if the row has fewer, or one of those is no
// cell. A cell is in quotes, which are doubled in it, or has none.
func cellOf(row string, delimiter byte, k int) span {
	from := 0
	for ; k > 0; k-- {
		to := endOfCell(row, from, delimiter)
		if to == len(row) || row[to] != delimiter {
			return span{}
		}
		from = to + 1
	}
	return span{from, endOfCell(row, from, delimiter)}
}

// endOfCell is where the cell that begins at a place of a row ends.
func endOfCell(row string, from int, delimiter byte) int {
	if from == len(row) || row[from] != '"' {
		for to := from; to < len(row); to++ {
			if c := row[to]; c == '"' || c == '\n' || c == '\r' || c == delimiter {
				return to
			}
		}
		return len(row)
	}
	end := from // of the cell if its last quote is doubled and the row ends in it
	for to := from + 1; to < len(row); to++ {
		switch {
		case row[to] != '"':
		case to+1 < len(row) && row[to+1] == '"':
			end = to + 1
			to++
		default:
			return to + 1
		}
	}
	return end
}

func splitCells(header, delimiter string) []string {
	records, err := plain.ReadCSV(strings.ReplaceAll(strings.TrimSpace(header), delimiter, ","))
	if err != nil || len(records) == 0 {
		return nil
	}
	return records[0]
}
