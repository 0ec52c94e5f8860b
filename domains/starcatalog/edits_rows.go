package starcatalog

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// placedRow is a row and its place in its table, from 1.
type placedRow struct {
	*xml.Node
	place int
}

func placed(rows []*xml.Node) []placedRow {
	all := make([]placedRow, len(rows))
	for n, r := range rows {
		all[n] = placedRow{r, n + 1}
	}
	return all
}

// sortBy sorts rows by the numbers in a column, smallest first. Cells that are
// no number come last.
func sortBy(rows []placedRow, column int) {
	key := func(r placedRow) float64 {
		if value, ok := numberIn(r.Node, column); ok {
			return value
		}
		return math.Inf(1)
	}
	slices.SortStableFunc(rows, func(a, b placedRow) int { return cmp.Compare(key(a), key(b)) })
}

// inOrder returns rows in the order of their places; those without one come
// last.
func inOrder(rows []placedRow) []*xml.Node {
	slices.SortStableFunc(rows, func(a, b placedRow) int { return cmp.Compare(uint(a.place)-1, uint(b.place)-1) })
	return nodes(rows)
}

func nodes(rows []placedRow) []*xml.Node {
	return lists.Map(rows, func(r placedRow) *xml.Node { return r.Node })
}

// numberIn reads the number in a row's cell.
func numberIn(row *xml.Node, column int) (float64, bool) {
	text := cell(row, column)
	if !decimals.MatchString(text) {
		return 0, false
	}
	value, err := strconv.ParseFloat(text, 64)
	return value, err == nil
}

// identify returns what identifies a row; empty if nothing does.
func (g grid) identify(row *xml.Node) string { return cell(row, g.identifier()) }

// splitBySign divides the rows by the sign of what stands in a column. Both files have all that is
// no row, and their rows sorted by another column, smallest first.
func splitBySign(p struct {
	Document, Column, By string
	Others               string // the file of rows without a minus
	Minus, Table         string
}) exact.Steps {
	forward := func(doc *catalog) (vfs.Files, error) {
		plan := [][]string{{"file", "table", "row", "id", "position"}}
		all := map[grid][]placedRow{}
		for _, g := range doc.grids() {
			all[g] = placed(g.takeRows())
		}
		made := vfs.Files{}
		for _, file := range []string{p.Others, p.Minus} {
			for t, g := range doc.grids() {
				at := g.field(p.Column)
				rows := slices.DeleteFunc(slices.Clone(all[g]), func(r placedRow) bool {
					return strings.HasPrefix(cell(r.Node, at), "-") != (file == p.Minus)
				})
				sortBy(rows, g.field(p.By))
				plan = append(plan, g.positions(rows, file, strconv.Itoa(t+1))...)
				g.putRows(nodes(rows))
			}
			made[file] = doc.print()
			for _, g := range doc.grids() {
				g.takeRows()
			}
		}
		made[p.Table] = plain.WriteCSV(plan)
		return made, nil
	}
	return catalogs.Whole(p.Document, forward, func(files vfs.Files) (*catalog, error) {
		doc, err := readNamed(files, p.Others)
		if err != nil {
			return nil, err
		}
		minus, err := readNamed(files, p.Minus)
		if err != nil {
			return nil, err
		}
		places, err := readSeats(files, p.Table, "file", "table", "row")
		grids, others := doc.grids(), minus.grids()
		if len(grids) != len(others) {
			return nil, fmt.Errorf("%s and %s have different tables", p.Others, p.Minus)
		}
		for t, g := range grids {
			rows := places.of(g.takeRows(), p.Others, strconv.Itoa(t+1))
			rows = append(rows, places.of(others[t].takeRows(), p.Minus, strconv.Itoa(t+1))...)
			g.putRows(inOrder(rows))
		}
		return doc, err
	})
}

// positions are the lines of a table that say, after some cells, where rows stand now and what
// their places were.
func (g grid) positions(rows []placedRow, before ...string) (lines [][]string) {
	for n, r := range rows {
		lines = append(lines, append(slices.Clone(before), strconv.Itoa(n+1), g.identify(r.Node), strconv.Itoa(r.place)))
	}
	return lines
}

// seats are the places that rows had, by where they stand: in which file and table, where there
// are several, and as which row.
type seats map[string]int

func readSeats(files vfs.Files, name string, columns ...string) (seats, error) {
	rows, err := plain.Table(files, name, append(columns, "position")...)
	s := seats{}
	for _, row := range rows {
		for n := range row {
			row[n] = strings.TrimSpace(row[n])
		}
		last := len(row) - 1
		s[strings.Join(row[:last], "\t")] = plain.LineNumber(row[last])
	}
	return s, err
}

// of returns the rows of a table with their places.
func (s seats) of(rows []*xml.Node, table ...string) []placedRow {
	all := make([]placedRow, len(rows))
	for n, r := range rows {
		all[n] = placedRow{r, s[strings.Join(append(slices.Clone(table), strconv.Itoa(n+1)), "\t")]}
	}
	return all
}

// sortWithMedians sorts the rows of each table by a column, smallest first, and notes the median
// of every column of numbers with fractions in a PARAM.
func sortWithMedians(p struct {
	Document, To, Column string
	Begins               string // names of PARAMs: a column's name follows
	Table                string
}) exact.Steps {
	isMedian := func(n *xml.Node) bool { return n.Is("PARAM") && strings.HasPrefix(n.Value("name"), p.Begins) }
	return catalogs.Rewrite(p.Document, p.To, func(doc *catalog) (vfs.Files, error) {
		positions := [][]string{{"table", "row", "id", "position"}}
		for t, g := range doc.grids() {
			if slices.ContainsFunc(g.All("PARAM"), isMedian) {
				return nil, errors.New("there are medians already")
			}
			g.addMedians(p.Begins)
			rows := placed(g.takeRows())
			sortBy(rows, g.field(p.Column))
			positions = append(positions, g.positions(rows, strconv.Itoa(t+1))...)
			g.putRows(nodes(rows))
		}
		return vfs.Files{p.Table: plain.WriteCSV(positions)}, nil
	}, func(doc *catalog, files vfs.Files) error {
		places, err := readSeats(files, p.Table, "table", "row")
		for t, g := range doc.grids() {
			g.Remove(isMedian)
			g.putRows(inOrder(places.of(g.takeRows(), strconv.Itoa(t+1))))
		}
		return err
	})
}

// addMedians adds a PARAM for each column of numbers with fractions that has
// any.
func (g grid) addMedians(begins string) {
	var params []*xml.Node
	for column, f := range g.fields() {
		if datatype := f.Value("datatype"); datatype != "float" && datatype != "double" {
			continue
		}
		value, ok := g.median(column, f.Child("VALUES").Value("null"))
		if !ok {
			continue
		}
		p := g.NewChild("PARAM").With("", "name", begins+f.Value("name"), "datatype", "double")
		if unit := f.Value("unit"); unit != "" {
			p.With("", "unit", unit)
		}
		params = append(params, p.With("", "value", value))
	}
	g.putFields(params)
}

// median returns the median of a column's numbers, of an even number of them the
// mean of the middle two. null stands for none.
func (g grid) median(column int, null string) (string, bool) {
	var values []decimal.Decimal
	for _, r := range g.rows() {
		if text := cell(r, column); text != null && decimals.MatchString(text) {
			if value, err := decimal.NewFromString(text); err == nil {
				values = append(values, value)
			}
		}
	}
	if len(values) == 0 {
		return "", false
	}
	slices.SortFunc(values, decimal.Decimal.Cmp)
	const two = 2
	low, high := values[(len(values)-1)/two], values[len(values)/two]
	return low.Add(high).Mul(decimal.New(5, -1)).String(), true
}
