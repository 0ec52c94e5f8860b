package starcatalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

const (
	groupedFile = "grouped.vot"
	columnsFile = "columns.csv"
	linkedFile  = "linked.vot"
	layoutFile  = "layout.json"
)

// group is a group of columns by what they tell of a star.
type group struct {
	name string
	ucds []string // with which the UCDs of its columns begin
}

var groups = []group{
	{"identification", []string{"meta."}},
	{"position", []string{"pos.eq."}},
	{"motion", []string{"pos.pm", "spect.dopplerveloc", "phys.veloc"}},
	{"distance", []string{"pos.parallax", "pos.distance"}},
	{"photometry", []string{"phot."}},
	{"spectrum", []string{"src.sptype"}},
	{"other", []string{""}},
}

// groupOf returns the number of the group that a field belongs to. A standard
// error belongs to what it is the error of.
func groupOf(f *xml.Node) int {
	ucd := ucdOf(f)
	return slices.IndexFunc(groups, func(g group) bool {
		return slices.ContainsFunc(g.ucds, func(start string) bool { return strings.HasPrefix(ucd, start) })
	})
}

// ucdOf is the UCD of a field, of a standard error that of what it is the error
// of, in small letters.
func ucdOf(f *xml.Node) string {
	return strings.TrimPrefix(strings.ToLower(squash(attribute(f, "ucd"))), "stat.error;")
}

// rearrange puts the columns of a table in another order; order has the present
// numbers of the columns.
func (g grid) rearrange(order []int) {
	fields := g.fields()
	g.Remove(xml.Named("FIELD"))
	g.putFields(pick(fields, order))
	for _, r := range g.rows() {
		r.Children = append(r.Children, pick(r.Remove(xml.Named("TD")), order)...)
	}
}

func pick(nodes []*xml.Node, order []int) []*xml.Node {
	picked := make([]*xml.Node, len(order))
	for n, at := range order {
		picked[n] = nodes[at]
	}
	return picked
}

// toGroups orders the columns of each table by their groups.
func toGroups(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	columns := [][]string{{"table", "column", "name", "group", "place"}}
	for t, g := range doc.grids() {
		fields := g.fields()
		order := numbers(len(fields))
		slices.SortStableFunc(order, func(a, b int) int { return groupOf(fields[a]) - groupOf(fields[b]) })
		for n, at := range order {
			f := fields[at]
			columns = append(columns, []string{
				strconv.Itoa(t + 1), strconv.Itoa(n + 1), attribute(f, "name"), groups[groupOf(f)].name, strconv.Itoa(at + 1),
			})
		}
		g.rearrange(order)
	}
	return vfs.Files{groupedFile: doc.print(), columnsFile: plain.WriteCSV(columns)}, nil
}

// numbers are those from 0 up to n.
func numbers(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func fromGroups(files vfs.Files) (vfs.Files, error) {
	doc, err := readNamed(files, groupedFile)
	if err != nil {
		return nil, err
	}
	columns, err := plain.Table(files, columnsFile, "table", "column", "place")
	if err != nil {
		return nil, err
	}
	type column struct{ table, number int }
	places := map[column]int{}
	for _, c := range columns {
		places[column{whole(c[0]), whole(c[1])}] = whole(c[2])
	}
	for t, g := range doc.grids() {
		order := numbers(len(g.fields()))
		place := func(n int) int {
			if p, ok := places[column{t + 1, n + 1}]; ok {
				return p
			}
			return len(order) + 1
		}
		slices.SortStableFunc(order, func(a, b int) int { return place(a) - place(b) })
		g.rearrange(order)
	}
	return asDocument(doc), nil
}

// layout is the order in which the columns of a table stood.
type layout struct {
	ID     string   `json:"id"`
	Fields []string `json:"fields"`
}

// rest is the name of the table that normal_form makes.
const rest = "photometry"

// toNormalForm divides the first table into one of positions and one of all
// else, tied by the identifier.
func toNormalForm(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	g := doc.grids()[0]
	if err := doc.checkKeys(g); err != nil {
		return nil, err
	}
	id := g.identifier()
	fields := g.fields()
	here, there := []int{}, []int{id}
	l := layout{ID: attribute(fields[id], "name")}
	for n, f := range fields {
		l.Fields = append(l.Fields, attribute(f, "name"))
		if n == id || strings.HasPrefix(ucdOf(f), "pos.") {
			here = append(here, n)
		} else {
			there = append(there, n)
		}
	}
	other := grid{g.NewChild("TABLE")}
	other.Attrs = []xml.Attr{{Name: "name", Value: rest}}
	other.putFields(pick(fields, there))
	other.Children[0] = reference(fields[id])
	rows := g.rows()
	second := make([]*xml.Node, len(rows))
	for n, r := range rows {
		cells := r.Remove(xml.Named("TD"))
		copied := *cells[id]
		second[n] = r.NewChild("TR", pick(cells, there)...)
		second[n].Children[0] = &copied
		r.Children = append(r.Children, pick(cells, here)...)
	}
	g.Remove(xml.Named("FIELD"))
	g.putFields(pick(fields, here))
	sorted := placed(second)
	sortBy(sorted, other.field(magnitude))
	other.putRows(nodes(sorted))
	doc.insertAfter(g.Node, other.Node)
	text, err := json.MarshalIndent(l, "", "  ")
	return vfs.Files{linkedFile: doc.print(), layoutFile: string(text) + "\n"}, err
}

// checkKeys reports why a table cannot be divided.
func (c *catalog) checkKeys(g grid) error {
	id := g.identifier()
	if id < 0 {
		return errors.New("no field has the UCD meta.id;meta.main")
	}
	names := map[string]bool{}
	for _, f := range g.fields() {
		name := attribute(f, "name")
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
	if at := c.findTable(rest); at >= 0 {
		return errors.New("there is a table " + rest + " already")
	}
	return nil
}

// findTable returns the number of the first table of a name; -1 if there is
// none.
func (c *catalog) findTable(name string) int {
	return slices.IndexFunc(c.grids(), func(g grid) bool { return attribute(g.Node, "name") == name })
}

// reference describes a column that another table describes.
func reference(f *xml.Node) *xml.Node {
	copied := *f
	copied.Children = nil
	copied.Attrs = slices.DeleteFunc(slices.Clone(f.Attrs), func(a xml.Attr) bool { return a.Name == "ID" })
	return &copied
}

// insertAfter puts an element after another one.
func (c *catalog) insertAfter(before, n *xml.Node) {
	insert := func(parent *xml.Node) {
		if at := slices.Index(parent.Children, before); at >= 0 {
			parent.Children = slices.Insert(parent.Children, at+1, n)
		}
	}
	insert(c.Top)
	c.Top.Walk(insert)
}

func fromNormalForm(files vfs.Files) (vfs.Files, error) {
	doc, err := readNamed(files, linkedFile)
	if err != nil {
		return nil, err
	}
	var l layout
	if err := plain.JSON(files, layoutFile, &l); err != nil {
		return nil, err
	}
	at := doc.findTable(rest)
	if at < 1 {
		return nil, errors.New(linkedFile + " has no table " + rest + " after another one")
	}
	g, other := doc.grids()[at-1], doc.grids()[at]
	id, otherID := g.field(l.ID), other.field(l.ID)
	if id < 0 || otherID < 0 {
		return nil, fmt.Errorf("%s: no field %q in both tables", linkedFile, l.ID)
	}
	fields := other.fields()
	added := slices.Delete(numbers(len(fields)), otherID, otherID+1)
	cells := map[string][]*xml.Node{}
	for _, r := range other.rows() {
		cells[cell(r, otherID)] = pick(r.All("TD"), added)
	}
	g.putFields(pick(fields, added))
	for _, r := range g.rows() {
		r.Children = append(r.Children, cells[cell(r, id)]...)
	}
	if err := g.complete(); err != nil {
		return nil, err
	}
	g.rearrange(l.order(g))
	doc.remove(other.Node)
	return asDocument(doc), nil
}

// order returns the numbers of a table's columns in the order of a layout.
// Columns that it does not know come last.
func (l *layout) order(g grid) []int {
	order := numbers(len(g.fields()))
	places := make([]int, len(order))
	for n, f := range g.fields() {
		if places[n] = slices.Index(l.Fields, attribute(f, "name")); places[n] < 0 {
			places[n] = len(l.Fields)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return places[a] - places[b] })
	return order
}

// remove takes an element out of a document.
func (c *catalog) remove(n *xml.Node) {
	drop := func(parent *xml.Node) { parent.Remove(func(child *xml.Node) bool { return child == n }) }
	drop(c.Top)
	c.Top.Walk(drop)
}
