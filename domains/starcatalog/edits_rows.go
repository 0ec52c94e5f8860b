package starcatalog

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

const (
	northFile     = "north.vot"
	southFile     = "south.vot"
	planFile      = "plan.csv"
	byColourFile  = "by_colour.vot"
	positionsFile = "positions.csv"
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
	slices.SortStableFunc(rows, func(a, b placedRow) int {
		x, okX := numberIn(a.Node, column)
		y, okY := numberIn(b.Node, column)
		switch {
		case okX && okY:
			return cmp.Compare(x, y)
		case okX:
			return -1
		case okY:
			return 1
		}
		return 0
	})
}

// inOrder returns rows in the order of their places; those without one come
// last.
func inOrder(rows []placedRow) []*xml.Node {
	slices.SortStableFunc(rows, func(a, b placedRow) int {
		if (a.place == 0) != (b.place == 0) {
			return cmp.Compare(b.place, a.place)
		}
		return cmp.Compare(a.place, b.place)
	})
	return nodes(rows)
}

func nodes(rows []placedRow) []*xml.Node {
	all := make([]*xml.Node, len(rows))
	for n, r := range rows {
		all[n] = r.Node
	}
	return all
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

// toHemispheres divides the stars by the sign of their declination, the
// brightest first.
func toHemispheres(files vfs.Files) (vfs.Files, error) {
	north, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	south, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	plan := [][]string{{"file", "table", "row", "id", "position"}}
	for _, half := range []struct {
		name     string
		document *catalog
		southern bool
	}{{northFile, north, false}, {southFile, south, true}} {
		for t, g := range half.document.grids() {
			at := g.field(declination)
			rows := slices.DeleteFunc(placed(g.takeRows()), func(r placedRow) bool {
				return strings.HasPrefix(cell(r.Node, at), "-") != half.southern
			})
			sortBy(rows, g.field(magnitude))
			for n, r := range rows {
				plan = append(plan, []string{half.name, strconv.Itoa(t + 1), strconv.Itoa(n + 1), g.identify(r.Node), strconv.Itoa(r.place)})
			}
			g.putRows(nodes(rows))
		}
	}
	return vfs.Files{northFile: north.print(), southFile: south.print(), planFile: plain.WriteCSV(plan)}, nil
}

// seat is where a row stands: in which table of a file, and as which row of it.
type seat struct{ file, table, row string }

// seats are the places in the document of the rows that stand elsewhere.
type seats map[seat]int

// of returns the rows of a table of a file with their places.
func (s seats) of(file string, table int, rows []*xml.Node) []placedRow {
	all := make([]placedRow, len(rows))
	for n, r := range rows {
		all[n] = placedRow{r, s[seat{file, strconv.Itoa(table + 1), strconv.Itoa(n + 1)}]}
	}
	return all
}

func fromHemispheres(files vfs.Files) (vfs.Files, error) {
	doc, err := readNamed(files, northFile)
	if err != nil {
		return nil, err
	}
	south, err := readNamed(files, southFile)
	if err != nil {
		return nil, err
	}
	plan, err := plain.Table(files, planFile, "file", "table", "row", "position")
	if err != nil {
		return nil, err
	}
	places := seats{}
	for _, row := range plan {
		places[seat{strings.TrimSpace(row[0]), strings.TrimSpace(row[1]), strings.TrimSpace(row[2])}] = whole(row[3])
	}
	grids, others := doc.grids(), south.grids()
	if len(grids) != len(others) {
		return nil, errors.New(northFile + " and " + southFile + " have different tables")
	}
	for t, g := range grids {
		rows := places.of(northFile, t, g.takeRows())
		rows = append(rows, places.of(southFile, t, others[t].takeRows())...)
		g.putRows(inOrder(rows))
	}
	return asDocument(doc), nil
}

// whole reads a whole number, 0 if the text is none.
func whole(text string) int {
	n, _ := strconv.Atoi(strings.TrimSpace(text))
	return n
}

// toColourOrder sorts the stars of each table from blue to red, and notes the
// median of every column of numbers with fractions.
func toColourOrder(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	positions := [][]string{{"table", "row", "id", "position"}}
	for t, g := range doc.grids() {
		if slices.ContainsFunc(g.All("PARAM"), isMedian) {
			return nil, errors.New("there are medians already")
		}
		g.addMedians()
		rows := placed(g.takeRows())
		sortBy(rows, g.field(colour))
		for n, r := range rows {
			positions = append(positions, []string{strconv.Itoa(t + 1), strconv.Itoa(n + 1), g.identify(r.Node), strconv.Itoa(r.place)})
		}
		g.putRows(nodes(rows))
	}
	return vfs.Files{byColourFile: doc.print(), positionsFile: plain.WriteCSV(positions)}, nil
}

func fromColourOrder(files vfs.Files) (vfs.Files, error) {
	doc, err := readNamed(files, byColourFile)
	if err != nil {
		return nil, err
	}
	positions, err := plain.Table(files, positionsFile, "table", "row", "position")
	if err != nil {
		return nil, err
	}
	places := seats{}
	for _, row := range positions {
		places[seat{byColourFile, strings.TrimSpace(row[0]), strings.TrimSpace(row[1])}] = whole(row[2])
	}
	for t, g := range doc.grids() {
		g.Remove(isMedian)
		g.putRows(inOrder(places.of(byColourFile, t, g.takeRows())))
	}
	return asDocument(doc), nil
}

const medianPrefix = "median_"

func isMedian(n *xml.Node) bool {
	return n.Is("PARAM") && strings.HasPrefix(attribute(n, "name"), medianPrefix)
}

// addMedians adds a PARAM for each column of numbers with fractions that has
// any.
func (g grid) addMedians() {
	var params []*xml.Node
	for column, f := range g.fields() {
		if datatype := attribute(f, "datatype"); datatype != "float" && datatype != "double" {
			continue
		}
		value, ok := g.median(column, attribute(f.Child("VALUES"), "null"))
		if !ok {
			continue
		}
		p := g.NewChild("PARAM")
		p.Attrs = []xml.Attr{{Name: "name", Value: medianPrefix + attribute(f, "name")}, {Name: "datatype", Value: "double"}}
		if unit := attribute(f, "unit"); unit != "" {
			p.Attrs = append(p.Attrs, xml.Attr{Name: "unit", Value: unit})
		}
		p.Attrs = append(p.Attrs, xml.Attr{Name: "value", Value: value})
		params = append(params, p)
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
