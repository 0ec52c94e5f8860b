package spreadsheet

import (
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pycsv"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// table is a file by the format's own rules, its cells as they are written.
// Rows may be shorter or longer than the header.
type table struct {
	file      string
	delimiter byte       // between cells
	comments  string     // above the table, whole lines
	before    [][]string // text above the header
	header    []string
	rows      [][]string
}

// read is the tolerant reading: of any files, with any line ends, without byte
// order marks, code fences and blank lines.
func read(files vfs.Files) []table {
	var tables []table
	for _, name := range files.Names() {
		text := pytext.UniversalNewlines(strings.TrimPrefix(files[name], "\ufeff"))
		comments, text := pycsv.Comments(text)
		all, delimiter := records(text)
		if len(all) == 0 {
			continue
		}
		top := headerPlace(all)
		tables = append(tables, table{name, delimiter, comments, all[:top], all[top], all[top+1:]})
	}
	return tables
}

// isFiller reports whether a record is a line of blanks or a code fence.
func isFiller(record []string) bool {
	return len(record) == 1 && (pytext.Strip(record[0]) == "" || len(plain.Lines(record[0])) == 0)
}

// headerPlace returns which record is the header: the first, unless it and those after it have at most half as many
// cells as most records have, as the lines of an introduction do.
func headerPlace(all [][]string) int {
	counts := map[int]int{}
	width := 0
	for _, record := range all {
		n := len(record)
		counts[n]++
		if counts[n] > counts[width] || counts[n] == counts[width] && n > width {
			width = n
		}
	}
	return slices.IndexFunc(all, func(record []string) bool { return 2*len(record) > width })
}

// columns returns the names of the header, trimmed, without empty ones at the end.
func (t table) columns() []string {
	names := make([]string, len(t.header))
	last := 0
	for k, name := range t.header {
		if names[k] = pytext.Strip(name); names[k] != "" {
			last = k + 1
		}
	}
	return names[:last]
}

// text prints the table.
func (t *table) text() string {
	return t.comments + plain.WriteCSV(slices.Concat(t.before, [][]string{t.header}, t.rows), rune(t.delimiter))
}

// without leaves out the rows that leave accepts.
func without(files vfs.Files, leave func() bool) vfs.Files {
	rest := files.Clone()
	for _, t := range read(files) {
		t.rows = slices.DeleteFunc(t.rows, func([]string) bool { return leave() })
		rest[t.file] = t.text()
	}
	return rest
}

// delimiters separate cells, the usual one first. Where the comma marks decimals, tables have semicolons.
const delimiters = ",;\t|"

// records reads the records of a text, and says what separates their cells: of what divides most of them alike, what
// makes the most columns, names of columns first; a comma if nothing does. Lines of blanks and code fences are left out.
func records(text string) (best [][]string, delimiter byte) {
	columns, quote := 0, pycsv.Quote(text)
	for _, c := range []byte(delimiters) {
		all, _ := pycsv.SplitQuoted(text, c, quote) // without carriage returns there is no error
		all = slices.DeleteFunc(all, isFiller)
		if wide := width(all); wide > max(1, columns) && len(all[0]) == wide {
			best, delimiter, columns = all, c, wide
		} else if best == nil {
			best, delimiter = all, c
		}
	}
	return best, delimiter
}

// width is how many cells more than half of the records have; 0 if they have no such number in common.
func width(records [][]string) int {
	counts := map[int]int{}
	for _, record := range records {
		n := len(record)
		if counts[n]++; 2*counts[n] > len(records) {
			return n
		}
	}
	return 0
}

// unnamed is the number of columns without a name at the end of the header that all rows have.
func (t table) unnamed() int {
	width := len(t.header)
	for _, row := range t.rows {
		width = min(width, len(row))
	}
	return max(0, width-len(t.columns()))
}
