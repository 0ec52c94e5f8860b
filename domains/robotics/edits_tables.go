package robotics

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// addRow adds a row of an element to a table: the cells of the fixed columns, which are the first,
// and the values. It does not if a value has the name of a fixed column.
func addRow(t *plain.Sparse, fixed []string, cells []string, values []value) bool {
	if slices.ContainsFunc(values, func(v value) bool { return slices.Contains(fixed, v.Path) }) {
		return false
	}
	t.Add(cells...)
	for _, v := range values {
		t.Set(v.Path, v.Text)
	}
	return true
}

// readTable calls do with the fixed columns and the values of each row of such a file, in the
// order of the first column.
func readTable(files vfs.Files, name string, fixed []string, do func(cells []string, values []value)) error {
	t, err := plain.ReadSparse(files, name, fixed...)
	number := func(row []string) []string { return []string{t.Cell(row, fixed[0])} }
	slices.SortStableFunc(t.Rows, func(a, b []string) int { return plain.ByNumber(number(a), number(b)) })
	for _, row := range t.Rows {
		cells := lists.Map(fixed, func(column string) string { return t.Cell(row, column) })
		var values []value
		for at, column := range t.Header[:min(len(row), len(t.Header))] {
			if !slices.Contains(fixed, column) {
				values = append(values, value{Path: column, Text: row[at]})
			}
		}
		do(cells, values)
	}
	return err
}

// jointTable puts the joints in a table, by type and name. Joints that paths
// cannot tell stay.
func jointTable(p struct{ Document, To, Table string }) exact.Steps {
	fixed := []string{"no", "type", "name"}
	change := func(root *xml.Node) (vfs.Files, error) {
		t := plain.Sparse{Header: slices.Clone(fixed)}
		n := 0
		root.Remove(func(c *xml.Node) bool {
			if !isPlain(c, "joint") {
				return false
			}
			n++
			inside, ok := values(c)
			return ok && hasOnly(c, "type", "name") &&
				addRow(&t, fixed, []string{strconv.Itoa(n), c.Value("type"), name(c)}, inside)
		})
		slices.SortStableFunc(t.Rows, func(a, b []string) int {
			return cmp.Or(cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2]))
		})
		return vfs.Files{p.Table: t.CSV()}, nil
	}
	return rewrite(p.Document, p.To, change, func(root *xml.Node, files vfs.Files) error {
		return readTable(files, p.Table, fixed, func(row []string, values []value) {
			joint := newElement("joint", values)
			setAttribute(joint, "name", row[2])
			setAttribute(joint, "type", row[1])
			root.Append(joint)
		})
	})
}

// massTable puts the inertial blocks in a table, the heaviest first, with the
// share of each in the whole. Blocks that paths cannot tell stay.
func massTable(p struct{ Document, To, Table string }) exact.Steps {
	fixed := []string{"no", "link", "percent"}
	change := func(root *xml.Node) (vfs.Files, error) {
		t := plain.Sparse{Header: slices.Clone(fixed)}
		total := decimal.Zero
		masses := map[string]decimal.Decimal{} // by the number of the link
		for n, link := range plainChildren(root, "link") {
			blocks := plainChildren(link, "inertial")
			if len(blocks) != 1 {
				continue
			}
			inside, ok := values(blocks[0])
			mass, isNumber := readDecimal(first(blocks[0], "mass").Value("value"), longestNumber)
			number := strconv.Itoa(n + 1)
			if ok && isNumber && hasOnly(blocks[0]) && addRow(&t, fixed, []string{number, name(link), ""}, inside) {
				link.Drop(blocks[0])
				total = total.Add(mass)
				masses[number] = mass
			}
		}
		slices.SortStableFunc(t.Rows, func(a, b []string) int { return masses[b[0]].Cmp(masses[a[0]]) })
		for _, row := range t.Rows {
			row[2] = percent(masses[row[0]], total)
		}
		return vfs.Files{p.Table: t.CSV()}, nil
	}
	return rewrite(p.Document, p.To, change, func(root *xml.Node, files vfs.Files) error {
		links := plainChildren(root, "link")
		return readTable(files, p.Table, fixed, func(row []string, values []value) {
			if n := plain.LineNumber(row[0]); n > 0 && n <= len(links) { // else of no link that there is
				links[n-1].Children = slices.Insert(links[n-1].Children, 0, newElement("inertial", values))
			}
		})
	})
}

func percent(part, whole decimal.Decimal) string {
	const places = 2
	if whole.IsZero() {
		return "0.00"
	}
	return part.Shift(2).DivRound(whole, places).StringFixed(places)
}

// plainChildren returns the children of a name.
func plainChildren(n *xml.Node, name string) []*xml.Node {
	return n.AllIn("", name)
}
