package starcatalog

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// hasUCD reports whether the UCD of a field, of a standard error that of what it is the error of,
// begins in one of some ways, in small letters.
func hasUCD(f *xml.Node, starts []string) bool {
	ucd := strings.TrimPrefix(strings.ToLower(pytext.Collapse(f.Value("ucd"))), "stat.error;")
	return slices.ContainsFunc(starts, func(start string) bool { return strings.HasPrefix(ucd, start) })
}

// rearrange puts the columns of a table in another order; order has the present
// numbers of the columns.
func (g grid) rearrange(order []int) {
	fields := g.fields()
	g.Remove(xml.Named("FIELD"))
	g.putFields(pick(fields, order))
	for _, r := range g.rows() {
		r.Append(pick(r.Remove(xml.Named("TD")), order)...)
	}
}

func pick(nodes []*xml.Node, order []int) []*xml.Node {
	return lists.Map(order, func(at int) *xml.Node { return nodes[at] })
}

// groupColumns orders the columns of each table by groups, according to how their UCDs begin. A
// standard error belongs to what it is the error of.
func groupColumns(p struct {
	Document, To string
	Groups       []struct {
		Name string
		UCDs []string // beginnings, in small letters
	}
	Others string // the group of other columns
	Table  string
}) exact.Steps {
	var names []string
	for _, g := range p.Groups {
		names = append(names, g.Name)
	}
	names = append(names, p.Others)
	groupOf := func(f *xml.Node) int {
		for n, g := range p.Groups {
			if hasUCD(f, g.UCDs) {
				return n
			}
		}
		return len(p.Groups)
	}
	return catalogs.Rewrite(p.Document, p.To, func(doc *catalog) (vfs.Files, error) {
		columns := [][]string{{"table", "column", "name", "group", "place"}}
		for t, g := range doc.grids() {
			fields := g.fields()
			order := numbers(len(fields), func(n int) int { return groupOf(fields[n]) })
			for n, at := range order {
				f := fields[at]
				columns = append(columns, []string{
					strconv.Itoa(t + 1), strconv.Itoa(n + 1), f.Value("name"), names[groupOf(f)], strconv.Itoa(at + 1),
				})
			}
			g.rearrange(order)
		}
		return vfs.Files{p.Table: plain.WriteCSV(columns)}, nil
	}, func(doc *catalog, files vfs.Files) error {
		columns, err := plain.Table(files, p.Table, "table", "column", "place")
		places := map[[2]int]int{} // by table and column
		for _, c := range columns {
			places[[2]int{plain.LineNumber(c[0]), plain.LineNumber(c[1])}] = plain.LineNumber(c[2])
		}
		for t, g := range doc.grids() {
			count := len(g.fields())
			g.rearrange(numbers(count, func(n int) int {
				if place, ok := places[[2]int{t + 1, n + 1}]; ok {
					return place
				}
				return count + 1
			}))
		}
		return err
	})
}

// numbers are those from 0 up to n, by their places.
func numbers(n int, place func(n int) int) []int {
	return lists.Order(n, func(a, b int) int { return cmp.Compare(place(a), place(b)) })
}

// layout is the order in which the columns of a table stood.
type layout struct {
	ID     string   `json:"id"`
	Fields []string `json:"fields"`
}

// divideTable divides the first table into one of the columns whose UCDs begin in some ways and,
// after it, one of all else with rows sorted by a column. The identifier ties them.
func divideTable(p struct {
	Document, To string
	Name         string   // of the new table
	Keep         []string // beginnings of UCDs, in small letters
	By           string   // the column, smallest first
	List         string
}) exact.Steps {
	return exact.Keeping(&catalogs, p.Document, p.To, p.List, func(doc *catalog) (l layout, err error) {
		g := doc.grids()[0]
		if err := g.checkKeys(); err != nil {
			return l, err
		}
		if doc.findTable(p.Name) >= 0 {
			return l, fmt.Errorf("there is a table %s already", p.Name)
		}
		id := g.identifier()
		fields := g.fields()
		here, there := []int{}, []int{id}
		l.ID = fields[id].Value("name")
		for n, f := range fields {
			l.Fields = append(l.Fields, f.Value("name"))
			if n == id || hasUCD(f, p.Keep) {
				here = append(here, n)
			} else {
				there = append(there, n)
			}
		}
		parent := doc.parentOf(g.Node)
		after := slices.Index(parent.Children, g.Node) + 1
		parent.Children = slices.Insert(parent.Children, after, g.divide(p.Name, p.By, id, here, there))
		return l, nil
	}, func(doc *catalog, l layout) error {
		at := doc.findTable(p.Name)
		if at < 1 {
			return fmt.Errorf("%s has no table %s after another one", p.To, p.Name)
		}
		g, other := doc.grids()[at-1], doc.grids()[at]
		if g.field(l.ID) < 0 || other.field(l.ID) < 0 {
			return fmt.Errorf("%s: no field %q in both tables", p.To, l.ID)
		}
		doc.parentOf(other.Node).Drop(other.Node)
		return g.join(other, &l)
	})
}

// divide takes all columns but those that stay here out of a table, and makes a new one of those
// that go there, the first being the identifier.
func (g grid) divide(name, by string, id int, here, there []int) *xml.Node {
	fields := g.fields()
	other := grid{g.NewChild("TABLE").With("", "name", name)}
	other.putFields(pick(fields, there))
	other.Children[0] = reference(fields[id])
	rows := g.rows()
	second := make([]*xml.Node, len(rows))
	for n, r := range rows {
		cells := r.Remove(xml.Named("TD"))
		copied := *cells[id]
		second[n] = r.NewChild("TR", pick(cells, there)...)
		second[n].Children[0] = &copied
		r.Append(pick(cells, here)...)
	}
	g.Remove(xml.Named("FIELD"))
	g.putFields(pick(fields, here))
	sorted := placed(second)
	sortBy(sorted, other.field(by))
	other.putRows(nodes(sorted))
	return other.Node
}

// join gives a table the columns of another one, in the order of a layout.
func (g grid) join(other grid, l *layout) error {
	id, otherID := g.field(l.ID), other.field(l.ID)
	fields := other.fields()
	added := slices.DeleteFunc(numbers(len(fields), func(int) int { return 0 }), func(n int) bool { return n == otherID })
	cells := map[string][]*xml.Node{}
	for _, r := range other.rows() {
		cells[cell(r, otherID)] = pick(r.All("TD"), added)
	}
	g.putFields(pick(fields, added))
	for _, r := range g.rows() {
		r.Append(cells[cell(r, id)]...)
	}
	if err := g.complete(); err != nil {
		return err
	}
	g.rearrange(l.order(g))
	return nil
}

// checkKeys reports why a table cannot be divided.
func (g grid) checkKeys() error {
	id := g.identifier()
	if id < 0 {
		return errors.New("no field has the UCD meta.id;meta.main")
	}
	names := map[string]bool{}
	for _, f := range g.fields() {
		name := f.Value("name")
		if name == "" || names[name] {
			return fmt.Errorf("several fields are called %q", name)
		}
		names[name] = true
	}
	ids := map[string]bool{}
	for n, r := range g.rows() {
		text := cell(r, id)
		if text == "" || ids[text] {
			return fmt.Errorf("row %d has no identifier of its own", n+1)
		}
		ids[text] = true
	}
	return nil
}

// findTable returns the number of the first table of a name; -1 if there is
// none.
func (c *catalog) findTable(name string) int {
	return slices.IndexFunc(c.grids(), func(g grid) bool { return g.Node.Value("name") == name })
}

// reference describes a column that another table describes.
func reference(f *xml.Node) *xml.Node {
	copied := xml.Node{Name: f.Name, Space: f.Space, Attrs: slices.Clone(f.Attrs)}
	copied.RemoveAttribute("ID")
	return &copied
}

// parentOf returns the element in which another one of the document stands.
func (c *catalog) parentOf(n *xml.Node) *xml.Node {
	parent := c.Top
	c.Top.Walk(func(e *xml.Node) {
		if slices.Contains(e.Children, n) {
			parent = e
		}
	})
	return parent
}

// order returns the numbers of a table's columns in the order of a layout.
// Columns that it does not know come last.
func (l *layout) order(g grid) []int {
	fields := g.fields()
	return numbers(len(fields), func(n int) int {
		if at := slices.Index(l.Fields, fields[n].Value("name")); at >= 0 {
			return at
		}
		return len(l.Fields)
	})
}
