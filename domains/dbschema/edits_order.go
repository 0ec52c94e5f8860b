package dbschema

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	sortedFile       = "sorted.sql"
	columnOrderTable = "column_order.csv"
)

// sortColumns orders the columns of each table by name.
func sortColumns(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	order := [][]string{{"table", "column"}}
	d.columns(func(_ *part, table string, _ *entry, column string) {
		order = append(order, []string{table, column})
	})
	d.tables(func(p *part, _ string) {
		p.sortColumns(func(a, b string) int { return cmp.Compare(strings.ToLower(a), strings.ToLower(b)) })
	})
	return vfs.Files{sortedFile: d.print(), columnOrderTable: plain.WriteCSV(order)}, nil
}

func unsortColumns(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, sortedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, columnOrderTable, "table", "column")
	if err != nil {
		return nil, err
	}
	places := map[place]int{}
	for n, row := range rows {
		places[place{row[0], row[1]}] = n + 1
	}
	d.tables(func(p *part, table string) {
		p.sortColumns(func(a, b string) int { return places[place{table, a}] - places[place{table, b}] })
	})
	return d.asDocument(), nil
}

// sortColumns orders columns among the places that columns have.
func (p *part) sortColumns(compare func(a, b string) int) {
	type named struct {
		*entry
		name string
	}
	var columns []named
	var places []int
	for n, e := range p.entries {
		if column := entryDefinition(e.tokens).column; column != "" {
			columns = append(columns, named{e, column})
			places = append(places, n)
		}
	}
	slices.SortStableFunc(columns, func(a, b named) int { return compare(a.name, b.name) })
	for i, n := range places {
		p.entries[n] = columns[i].entry
	}
}

const (
	wideFile    = "wide.sql"
	widthsTable = "widths.csv"
)

// widen raises the lengths of VARCHAR columns to the next power of two less
// one.
func widen(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	widths := [][]string{{"table", "column", "n"}}
	d.columns(func(_ *part, table string, e *entry, column string) {
		length := e.varcharLength()
		if length == nil {
			return
		}
		n, err := strconv.Atoi(length.text)
		wide := 1
		for wide < n && wide < 1<<16 {
			wide = 2*wide + 1
		}
		if err == nil && wide > n {
			widths = append(widths, []string{table, column, length.text})
			length.text = strconv.Itoa(wide)
		}
	})
	return vfs.Files{wideFile: d.print(), widthsTable: plain.WriteCSV(widths)}, nil
}

// varcharLength is the token of a VARCHAR's length; nil if it is another type.
func (e *entry) varcharLength() *token {
	at, end, ok := typePlace(e.tokens)
	if !ok || !e.tokens[at].is("VARCHAR") || end != at+4 {
		return nil
	}
	return &e.tokens[at+2]
}

func narrow(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, wideFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, widthsTable, "table", "column", "n")
	if err != nil {
		return nil, err
	}
	widths := map[place]string{}
	for _, row := range rows {
		widths[place{row[0], row[1]}] = row[2]
	}
	d.columns(func(_ *part, table string, e *entry, column string) {
		if length := e.varcharLength(); length != nil && widths[place{table, column}] != "" {
			length.text = widths[place{table, column}]
		}
	})
	return d.asDocument(), nil
}
