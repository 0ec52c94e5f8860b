package starcatalog

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// catalogs says how VOTables are read and printed. A forward step is given one.
var catalogs = exact.Single[*catalog]{
	Document: func(files vfs.Files) (*catalog, error) {
		names := files.Match(patterns).Names()
		if len(names) == 0 {
			return nil, errors.New("no VOTable")
		}
		if len(names) > 1 {
			return nil, errors.New("several VOTables: " + strings.Join(names, ", "))
		}
		return readNamed(files, names[0])
	},
	Named: readNamed,
	Print: (*catalog).print,
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_sign", splitBySign),
		domains.Taking("sort_with_medians", sortWithMedians),
		domains.Taking("sheet_by_letter", sheetByLetter),
		domains.Taking("csv", inCSV),
		domains.Taking("group_columns", groupColumns),
		domains.Taking("divide_table", divideTable),
		domains.Taking("decimal_degrees", decimalDegrees),
		domains.Taking("absolute_magnitude", absoluteMagnitude),
	}
}

// readNamed reads the VOTable that a step needs.
func readNamed(files vfs.Files, name string) (*catalog, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	c := read(text)
	if len(c.grids()) == 0 {
		return nil, errors.New(name + " has no TABLE")
	}
	for t, g := range c.grids() {
		if err := g.complete(); err != nil {
			return nil, fmt.Errorf("%s, table %d: %w", name, t+1, err)
		}
	}
	return c, nil
}

// grid is a TABLE, to be worked on by rows and columns.
type grid struct{ *xml.Node }

// grids returns the tables of a document in order.
func (c *catalog) grids() []grid {
	var all []grid
	c.Top.Walk(func(n *xml.Node) {
		if n.Is("TABLE") {
			all = append(all, grid{n})
		}
	})
	return all
}

// complete gives short rows their empty cells. Rows with more cells than the
// table has fields are an error.
func (g grid) complete() error {
	fields := len(g.fields())
	for n, r := range g.rows() {
		cells := r.All("TD")
		if len(cells) > fields {
			return fmt.Errorf("row %d has %d cells for %d fields", n+1, len(cells), fields)
		}
		for range fields - len(cells) {
			r.Append(r.NewChild("TD"))
		}
	}
	return nil
}

func (g grid) fields() []*xml.Node { return g.All("FIELD") }

// field returns the number of the first field of a name; -1 if there is none.
func (g grid) field(name string) int {
	return slices.IndexFunc(g.fields(), func(f *xml.Node) bool { return f.Value("name") == name })
}

// identifier returns the number of the field that identifies a row; -1 if
// there is none.
func (g grid) identifier() int { return slices.IndexFunc(g.fields(), isIdentifier) }

// data returns the element in which the rows stand, an empty one that belongs to nothing if there
// is none.
func (g grid) data() *xml.Node {
	if d := g.Child("DATA"); d != nil && d.Child("TABLEDATA") != nil {
		return d.Child("TABLEDATA")
	}
	return &xml.Node{}
}

func (g grid) rows() []*xml.Node { return g.data().All("TR") }

// takeRows takes the rows out of a table.
func (g grid) takeRows() []*xml.Node { return g.data().Remove(xml.Named("TR")) }

// putRows puts rows after those of a table.
func (g grid) putRows(rows []*xml.Node) {
	if len(rows) > 0 {
		g.Need("DATA").Need("TABLEDATA").Append(rows...)
	}
}

// putFields puts elements that describe columns where the format has them, in
// front of links and data.
func (g grid) putFields(fields []*xml.Node) {
	at := slices.IndexFunc(g.Children, func(n *xml.Node) bool { return n.Is("LINK") || n.Is("DATA") })
	if at < 0 {
		at = len(g.Children)
	}
	g.Children = slices.Insert(g.Children, at, fields...)
}

// cell returns the text of a row's cell; empty if there is no such column.
func cell(row *xml.Node, column int) string {
	if cells := row.All("TD"); column >= 0 && column < len(cells) {
		return pytext.Collapse(cells[column].Content())
	}
	return ""
}
