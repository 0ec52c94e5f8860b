package robotics

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

const (
	jointsFile   = "joints.csv"
	linksFile    = "links.urdf"
	massesFile   = "masses.csv"
	masslessFile = "massless.urdf"
)

// table is a CSV file of elements: some columns that describe them, and one for
// each path that occurs in them.
type table struct {
	fixed, paths []string
	rows         [][]string // the fixed columns, then those of the paths
}

// add appends a row of an element.
func (t *table) add(fixed []string, values []value) {
	row := slices.Clone(fixed)
	for _, v := range values {
		at := slices.Index(t.paths, v.path)
		if at < 0 {
			at = len(t.paths)
			t.paths = append(t.paths, v.path)
		}
		for len(row) <= len(fixed)+at {
			row = append(row, "")
		}
		row[len(fixed)+at] = v.text
	}
	t.rows = append(t.rows, row)
}

func (t *table) print() string {
	header := slices.Concat(t.fixed, t.paths)
	records := [][]string{header}
	for _, row := range t.rows {
		records = append(records, append(row, make([]string, len(header)-len(row))...))
	}
	return plain.WriteCSV(records)
}

// readTable reads such a file, its rows in the order of the first column.
func readTable(files vfs.Files, name string, fixed ...string) (*table, error) {
	columns, err := plain.Table(files, name, fixed...)
	if err != nil {
		return nil, err
	}
	records, err := plain.ReadCSV(files[name])
	if err != nil {
		return nil, err
	}
	t := table{fixed: fixed}
	for n, record := range records[1:] {
		row := columns[n]
		for at, cell := range record {
			if at < len(records[0]) && !slices.Contains(fixed, strings.TrimSpace(records[0][at])) {
				row = append(row, cell)
			}
		}
		t.rows = append(t.rows, row)
	}
	for _, column := range records[0] {
		if column = strings.TrimSpace(column); !slices.Contains(fixed, column) {
			t.paths = append(t.paths, column)
		}
	}
	slices.SortStableFunc(t.rows, plain.ByNumber)
	return &t, nil
}

// values are those of a row's element.
func (t *table) values(row []string) []value {
	var all []value
	for at, path := range t.paths {
		if at := len(t.fixed) + at; at < len(row) {
			all = append(all, value{path, row[at]})
		}
	}
	return all
}

// toJointTable puts the joints in a table, by type and name. Joints that paths
// cannot tell stay.
func toJointTable(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	t := table{fixed: []string{"no", "type", "name"}}
	n := 0
	doc.Root().Remove(func(c *xml.Node) bool {
		if !isPlain(c, "joint") {
			return false
		}
		n++
		inside, ok := values(c)
		if ok = ok && hasOnly(c, "type", "name") && !t.hasFixed(inside); ok {
			t.add([]string{strconv.Itoa(n), text(c, "type", ""), name(c)}, inside)
		}
		return ok
	})
	slices.SortStableFunc(t.rows, func(a, b []string) int {
		return cmp.Or(cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2]))
	})
	return vfs.Files{jointsFile: t.print(), linksFile: doc.print()}, nil
}

// hasFixed reports whether a value has the name of a fixed column.
func (t *table) hasFixed(values []value) bool {
	return slices.ContainsFunc(values, func(v value) bool { return slices.Contains(t.fixed, v.path) })
}

func fromJointTable(files vfs.Files) (vfs.Files, error) {
	t, err := readTable(files, jointsFile, "no", "type", "name")
	if err != nil {
		return nil, err
	}
	doc, err := readNamed(files, linksFile)
	if err != nil {
		return nil, err
	}
	for _, row := range t.rows {
		joint := newElement("joint", t.values(row))
		setAttribute(joint, "name", row[2])
		setAttribute(joint, "type", row[1])
		doc.append(joint)
	}
	return asDocument(doc), nil
}

// toMassTable puts the inertial blocks in a table, the heaviest first, with the
// share of each in the whole. Blocks that paths cannot tell stay.
func toMassTable(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	t := table{fixed: []string{"no", "link", "percent"}}
	var masses []decimal.Decimal
	total := decimal.Zero
	for n, link := range plainChildren(doc.Root(), "link") {
		blocks := plainChildren(link, "inertial")
		if len(blocks) != 1 {
			continue
		}
		inside, ok := values(blocks[0])
		mass, isNumber := readDecimal(text(first(blocks[0], "mass"), "value", ""), longestNumber)
		if !ok || !isNumber || !hasOnly(blocks[0]) || t.hasFixed(inside) {
			continue
		}
		link.Remove(func(c *xml.Node) bool { return c == blocks[0] })
		total = total.Add(mass)
		masses = append(masses, mass)
		t.add([]string{strconv.Itoa(n + 1), name(link), strconv.Itoa(len(masses) - 1)}, inside)
	}
	massOf := func(row []string) decimal.Decimal {
		n, _ := strconv.Atoi(row[2])
		return masses[n]
	}
	slices.SortStableFunc(t.rows, func(a, b []string) int { return massOf(b).Cmp(massOf(a)) })
	for _, row := range t.rows {
		row[2] = percent(massOf(row), total)
	}
	return vfs.Files{massesFile: t.print(), masslessFile: doc.print()}, nil
}

func percent(part, whole decimal.Decimal) string {
	const places = 2
	if whole.IsZero() {
		return "0.00"
	}
	return part.Shift(2).DivRound(whole, places).StringFixed(places)
}

func fromMassTable(files vfs.Files) (vfs.Files, error) {
	t, err := readTable(files, massesFile, "no", "link", "percent")
	if err != nil {
		return nil, err
	}
	doc, err := readNamed(files, masslessFile)
	if err != nil {
		return nil, err
	}
	links := plainChildren(doc.Root(), "link")
	for _, row := range t.rows {
		n, err := strconv.Atoi(strings.TrimSpace(row[0]))
		if err != nil || n < 1 || n > len(links) {
			continue // of no link that there is
		}
		link := links[n-1]
		link.Children = slices.Insert(link.Children, 0, newElement("inertial", t.values(row)))
	}
	return asDocument(doc), nil
}

// plainChildren returns the children of a name.
func plainChildren(n *xml.Node, name string) []*xml.Node {
	var found []*xml.Node
	for _, c := range n.Children {
		if isPlain(c, name) {
			found = append(found, c)
		}
	}
	return found
}
