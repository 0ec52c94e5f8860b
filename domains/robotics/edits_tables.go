package robotics

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// table is a CSV file of elements: some columns that describe them, and one for
// each path that occurs in them.
type table struct {
	fixed, paths []string
	rows         [][]string // the fixed columns, then those of the paths
}

// add appends a row of an element. It does not if a value has the name of a fixed column.
func (t *table) add(fixed []string, values []value) bool {
	if slices.ContainsFunc(values, func(v value) bool { return slices.Contains(t.fixed, v.Path) }) {
		return false
	}
	row := slices.Clone(fixed)
	for _, v := range values {
		at := slices.Index(t.paths, v.Path)
		if at < 0 {
			at = len(t.paths)
			t.paths = append(t.paths, v.Path)
		}
		for len(row) <= len(fixed)+at {
			row = append(row, "")
		}
		row[len(fixed)+at] = v.Text
	}
	t.rows = append(t.rows, row)
	return true
}

func (t *table) print() string {
	header := slices.Concat(t.fixed, t.paths)
	records := [][]string{header}
	for _, row := range t.rows {
		records = append(records, append(row, make([]string, len(header)-len(row))...))
	}
	return plain.WriteCSV(records)
}

// readTable calls do with the fixed columns and the values of each row of such a file, in the
// order of the first column.
func readTable(files vfs.Files, name string, fixed []string, do func(row []string, values []value)) error {
	rows, err := plain.Table(files, name, fixed...)
	if err != nil {
		return err
	}
	records, err := plain.ReadCSV(files[name])
	if err != nil {
		return err
	}
	all := make([][]value, len(rows))
	for n, record := range records[1:] {
		for at, column := range records[0] {
			if column = strings.TrimSpace(column); at < len(record) && !slices.Contains(fixed, column) {
				all[n] = append(all[n], value{Path: column, Text: record[at]})
			}
		}
		rows[n] = append(rows[n], strconv.Itoa(n))
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	for _, row := range rows {
		n, _ := strconv.Atoi(row[len(fixed)])
		do(row, all[n])
	}
	return nil
}

// jointTable puts the joints in a table, by type and name. Joints that paths
// cannot tell stay.
func jointTable(p struct{ Document, To, Table string }) exact.Steps {
	fixed := []string{"no", "type", "name"}
	change := func(root *xml.Node) (vfs.Files, error) {
		t := table{fixed: fixed}
		n := 0
		root.Remove(func(c *xml.Node) bool {
			if !isPlain(c, "joint") {
				return false
			}
			n++
			inside, ok := values(c)
			return ok && hasOnly(c, "type", "name") && t.add([]string{strconv.Itoa(n), text(c, "type", ""), name(c)}, inside)
		})
		slices.SortStableFunc(t.rows, func(a, b []string) int {
			return cmp.Or(cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2]))
		})
		return vfs.Files{p.Table: t.print()}, nil
	}
	return rewrite(p.Document, p.To, change, func(root *xml.Node, files vfs.Files) error {
		return readTable(files, p.Table, fixed, func(row []string, values []value) {
			joint := newElement("joint", values)
			setAttribute(joint, "name", row[2])
			setAttribute(joint, "type", row[1])
			root.Children = append(root.Children, joint)
		})
	})
}

// massTable puts the inertial blocks in a table, the heaviest first, with the
// share of each in the whole. Blocks that paths cannot tell stay.
func massTable(p struct{ Document, To, Table string }) exact.Steps {
	fixed := []string{"no", "link", "percent"}
	change := func(root *xml.Node) (vfs.Files, error) {
		t := table{fixed: fixed}
		total := decimal.Zero
		masses := map[string]decimal.Decimal{} // by the number of the link
		for n, link := range plainChildren(root, "link") {
			blocks := plainChildren(link, "inertial")
			if len(blocks) != 1 {
				continue
			}
			inside, ok := values(blocks[0])
			mass, isNumber := readDecimal(text(first(blocks[0], "mass"), "value", ""), longestNumber)
			number := strconv.Itoa(n + 1)
			if ok && isNumber && hasOnly(blocks[0]) && t.add([]string{number, name(link), ""}, inside) {
				link.Remove(func(c *xml.Node) bool { return c == blocks[0] })
				total = total.Add(mass)
				masses[number] = mass
			}
		}
		slices.SortStableFunc(t.rows, func(a, b []string) int { return masses[b[0]].Cmp(masses[a[0]]) })
		for _, row := range t.rows {
			row[2] = percent(masses[row[0]], total)
		}
		return vfs.Files{p.Table: t.print()}, nil
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
