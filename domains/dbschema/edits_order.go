package dbschema

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// sortColumns orders the columns of each table by name.
func sortColumns(p struct{ Document, To, Table string }) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		order := [][]string{{"table", "column"}}
		d.columns(func(_ *part, table string, _ *entry, column string) {
			order = append(order, []string{table, column})
		})
		d.tables(func(t *part, _ string) {
			t.sortColumns(func(a, b string) int { return cmp.Compare(strings.ToLower(a), strings.ToLower(b)) })
		})
		return vfs.Files{p.Table: plain.WriteCSV(order)}, nil
	}
	return schemas.Rewrite(p.Document, p.To, change, func(d *document, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "table", "column")
		places := map[place]int{}
		for n, row := range rows {
			places[place{row[0], row[1]}] = n + 1
		}
		d.tables(func(t *part, table string) {
			t.sortColumns(func(a, b string) int { return places[place{table, a}] - places[place{table, b}] })
		})
		return err
	})
}

// sortColumns orders columns among the places that columns have.
func (p *part) sortColumns(compare func(a, b string) int) {
	names := map[*entry]string{}
	var columns []*entry
	var places []int
	for n, e := range p.entries {
		if names[e] = entryDefinition(e.tokens).column; names[e] != "" {
			columns = append(columns, e)
			places = append(places, n)
		}
	}
	slices.SortStableFunc(columns, func(a, b *entry) int { return compare(names[a], names[b]) })
	for i, n := range places {
		p.entries[n] = columns[i]
	}
}

// widenVarchars raises the lengths of VARCHAR columns to the next power of two less one.
func widenVarchars(p struct{ Document, To, Table string }) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
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
		return vfs.Files{p.Table: plain.WriteCSV(widths)}, nil
	}
	return schemas.Rewrite(p.Document, p.To, change, func(d *document, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "table", "column", "n")
		widths := map[place]string{}
		for _, row := range rows {
			widths[place{row[0], row[1]}] = row[2]
		}
		d.columns(func(_ *part, table string, e *entry, column string) {
			if length := e.varcharLength(); length != nil && widths[place{table, column}] != "" {
				length.text = widths[place{table, column}]
			}
		})
		return err
	})
}

// varcharLength is the token of a VARCHAR's length; nil if it is another type.
func (e *entry) varcharLength() *token {
	if typeEnd(e.tokens) != 5 || !e.tokens[1].is("VARCHAR") {
		return nil
	}
	return &e.tokens[3]
}
