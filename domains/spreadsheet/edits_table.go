package spreadsheet

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// register finds the document among the files: the first table that has the
// columns, and the rows of all others with the same header.
func register(files vfs.Files, columns ...string) (*table, error) {
	found := listing()
	for _, t := range read(files) {
		switch {
		case found.header == nil && t.has(columns):
			found = &t
		case found.header != nil && slices.Equal(t.columns(), found.columns()):
			found.rows = append(found.rows, t.rows...)
		}
	}
	if len(found.rows) == 0 {
		return nil, fmt.Errorf("no table with rows and the columns %s", strings.Join(columns, ", "))
	}
	return found, found.makeRectangular()
}

// tableOf reads one file, which must have the columns.
func tableOf(files vfs.Files, name string, columns ...string) (*table, error) {
	content, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	tables := read(vfs.Files{name: content})
	if len(tables) == 0 || !tables[0].has(columns) {
		return nil, fmt.Errorf("%s is no table with the columns %s", name, strings.Join(columns, ", "))
	}
	return &tables[0], tables[0].makeRectangular()
}

func (t table) has(columns []string) bool {
	return !slices.ContainsFunc(columns, func(name string) bool { return t.column(name) < 0 })
}

// makeRectangular trims the cells, fills up short rows and gives surplus cells
// columns without a name.
func (t *table) makeRectangular() error {
	width := len(t.header)
	for _, row := range t.rows {
		width = max(width, len(row))
	}
	if width*(len(t.rows)+1) > mostCells {
		return fmt.Errorf("%s has too many cells, %d rows of %d", t.file, len(t.rows), width)
	}
	trimmed := func(cells []string) []string {
		all := make([]string, width)
		for k, cell := range cells {
			all[k] = pytext.Strip(cell)
		}
		return all
	}
	t.header = trimmed(t.header)
	for n, row := range t.rows {
		t.rows[n] = trimmed(row)
	}
	return nil
}

// replaceColumn puts the named columns in the place of column k; cells gives
// what each row has there.
func (t *table) replaceColumn(k int, names []string, cells func(n int, row []string) []string) {
	t.header = slices.Replace(t.header, k, k+1, names...)
	for n, row := range t.rows {
		t.rows[n] = slices.Replace(row, k, k+1, cells(n, row)...)
	}
}

// translate replaces a column by one whose cells are looked up; those that are
// not found stay.
func (t *table) translate(from, to string, meaning map[string]string) {
	k := t.column(from)
	t.replaceColumn(k, []string{to}, func(_ int, row []string) []string {
		if is, ok := meaning[row[k]]; ok {
			return []string{is}
		}
		return []string{row[k]}
	})
}

// distinct returns the values of a column in order of first appearance,
// without blank ones.
func (t table) distinct(column string) []string {
	k := t.column(column)
	var values []string
	seen := map[string]bool{"": true}
	for _, row := range t.rows {
		if v := row[k]; !seen[v] {
			seen[v] = true
			values = append(values, v)
		}
	}
	return values
}

// listing makes a small table of two or more columns.
func listing(header ...string) *table { return &table{header: header} }

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// lookup maps the cells of one column to those of another; of repeated ones
// the first counts.
func (t table) lookup(from, to string) map[string]string {
	k, v := t.column(from), t.column(to)
	meaning := make(map[string]string, len(t.rows))
	for _, row := range t.rows {
		if _, known := meaning[row[k]]; !known {
			meaning[row[k]] = row[v]
		}
	}
	return meaning
}

// dropColumn leaves out the named column.
func (t *table) dropColumn(name string) {
	t.replaceColumn(t.column(name), nil, func(int, []string) []string { return nil })
}

// where keeps the rows that have the value in a column.
func (t table) where(column, value string) table {
	k := t.column(column)
	t.rows = slices.DeleteFunc(slices.Clone(t.rows), func(row []string) bool { return row[k] != value })
	return t
}

// byNumber returns the rows sorted by the numbers in a column, those without
// one last.
func (t table) byNumber(column string) [][]string {
	k := t.column(column)
	number := func(row []string) int {
		n, err := strconv.Atoi(row[k])
		if err != nil {
			return len(t.rows) + 1
		}
		return n
	}
	rows := slices.Clone(t.rows)
	slices.SortStableFunc(rows, func(a, b []string) int { return cmp.Compare(number(a), number(b)) })
	return rows
}

func rowNumber(n int) string { return strconv.Itoa(n + 1) }
