package transit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "directions", Forward: splitByDirection, Backward: mergeDirections},
		{Name: "stop_boards", Forward: toBoards, Backward: fromBoards},
		{Name: "timetable", Forward: toTimetable, Backward: fromTimetable},
		{Name: "running_times", Forward: toSeconds, Backward: fromSeconds},
		{Name: "journey_patterns", Forward: toPatterns, Backward: fromPatterns},
		{Name: "unrolled_frequencies", Forward: unroll, Backward: rollUp},
		{Name: "stop_codes", Forward: toCodes, Backward: fromCodes},
		{Name: "feed_json", Forward: toJSON, Backward: fromJSON},
	}
}

// grid is a table in which all rows have the cells of the header, trimmed. The
// edits work on grids; rows may stand in any order, so they do not keep it.
type grid struct {
	header []string // as it is written
	rows   [][]string
}

// mostCells is how large a grid may get when short rows are filled up.
const mostCells = 4 << 20

// gridOf reads a file that has the columns. Text that is no row, surplus cells
// and repeated columns are errors.
func gridOf(files vfs.Files, name string, columns ...string) (grid, error) {
	content, err := plain.File(files, name)
	if err != nil {
		return grid{}, err
	}
	t := readTable(name, content)
	if t.header == nil || len(t.above) > 0 {
		return grid{}, fmt.Errorf("%s is no table", name)
	}
	g := grid{header: t.header}
	if err := g.check(columns); err != nil {
		return grid{}, fmt.Errorf("reading %s: %w", name, err)
	}
	width := len(g.header)
	if width*len(t.rows) > mostCells {
		return grid{}, fmt.Errorf("%s has too many cells, %d rows of %d", name, len(t.rows), width)
	}
	for n, r := range t.rows {
		if r.foreign || len(r.cells) > width {
			return grid{}, fmt.Errorf("reading %s: row %d has other cells than the header: %q", name, n+1, r.lines[0])
		}
		cells := make([]string, width)
		for k, value := range r.cells {
			cells[k] = pytext.Strip(value)
		}
		g.rows = append(g.rows, cells)
	}
	return g, nil
}

// check is an error if a column is missing or stands there twice.
func (g grid) check(columns []string) error {
	names := make(map[string]bool, len(g.header))
	for _, name := range g.header {
		if name = pytext.Strip(name); names[name] {
			return fmt.Errorf("the column %q is repeated", name)
		}
		names[name] = true
	}
	for _, name := range columns {
		if !names[name] {
			return fmt.Errorf("no column %q among %s", name, strings.Join(g.header, ", "))
		}
	}
	return nil
}

// column returns the place of a column, -1 if there is none.
func (g grid) column(name string) int {
	return slices.IndexFunc(g.header, func(have string) bool { return pytext.Strip(have) == name })
}

// lacks is an error if the grid has one of the columns.
func (g grid) lacks(columns ...string) error {
	for _, name := range columns {
		if g.column(name) >= 0 {
			return fmt.Errorf("there is a column %q already", name)
		}
	}
	return nil
}

func (g grid) text() string { return plain.WriteCSV(append([][]string{g.header}, g.rows...)) }

func (g *grid) add(cells ...string) { g.rows = append(g.rows, cells) }

// renamed has other names for some columns, given as old, new, old, new …
func (g grid) renamed(names ...string) grid {
	g.header = slices.Clone(g.header)
	for n := 0; n+1 < len(names); n += 2 {
		if k := g.column(names[n]); k >= 0 {
			g.header[k] = names[n+1]
		}
	}
	return g
}

// withoutColumns leaves out columns.
func (g grid) withoutColumns(names ...string) grid {
	for _, name := range names {
		k := g.column(name)
		if k < 0 {
			continue
		}
		g.header = slices.Delete(slices.Clone(g.header), k, k+1)
		for n := range g.rows {
			g.rows[n] = slices.Delete(slices.Clone(g.rows[n]), k, k+1)
		}
	}
	return g
}

// by groups the rows by the value of a column, names being those values in
// order of first appearance.
func (g grid) by(column string) (names []string, rows map[string][][]string) {
	k := g.column(column)
	rows = map[string][][]string{}
	for _, r := range g.rows {
		if _, known := rows[r[k]]; !known {
			names = append(names, r[k])
		}
		rows[r[k]] = append(rows[r[k]], r)
	}
	return names, rows
}

// calls is the grid of the stop times with the places of its columns.
type calls struct {
	grid
	trip, arrival, departure, stop, number int
}

// stopTimes reads a file with stop times, whose columns of times may have other
// names.
func stopTimes(files vfs.Files, name, arrival, departure string) (calls, error) {
	g, err := gridOf(files, name)
	if err != nil {
		return calls{}, err
	}
	if len(g.rows) == 0 {
		return calls{}, fmt.Errorf("%s has no rows", name)
	}
	c, err := callsOf(g, arrival, departure)
	if err != nil {
		return calls{}, fmt.Errorf("reading %s: %w", name, err)
	}
	return c, nil
}

func callsOf(g grid, arrival, departure string) (calls, error) {
	if err := g.check([]string{"trip_id", arrival, departure, "stop_id", "stop_sequence"}); err != nil {
		return calls{}, err
	}
	return calls{
		grid: g, trip: g.column("trip_id"), arrival: g.column(arrival), departure: g.column(departure),
		stop: g.column("stop_id"), number: g.column("stop_sequence"),
	}, nil
}

// trips returns the stop times of each trip in the order of their numbers, and
// the trips in order of first appearance.
func (c calls) trips() (names []string, rows map[string][][]string) {
	names, rows = c.by("trip_id")
	for _, name := range names {
		slices.SortStableFunc(rows[name], func(a, b []string) int {
			return plain.ByNumber(a[c.number:], b[c.number:])
		})
	}
	return names, rows
}

// departs is when a trip leaves its first stop or, if that is not given, when it
// gets there. It is written as in the table.
func (c calls) departs(trip [][]string) string {
	return cmp.Or(trip[0][c.departure], trip[0][c.arrival])
}

// byDeparture orders trips by when they leave, those without a time last.
func (c calls) byDeparture(names []string, trips map[string][][]string) []string {
	leaves := func(name string) int {
		if trip := trips[name]; len(trip) > 0 {
			if t, ok := readClock(c.departs(trip)); ok {
				return t
			}
		}
		return maxClock
	}
	names = slices.Clone(names)
	slices.SortStableFunc(names, func(a, b string) int { return leaves(a) - leaves(b) })
	return names
}

// shifted are stop times so many seconds later. Empty times stay.
func (c calls) shifted(rows [][]string, by int, short bool) ([][]string, error) {
	later := make([][]string, len(rows))
	for n, row := range rows {
		later[n] = slices.Clone(row)
		for _, k := range []int{c.arrival, c.departure} {
			seconds, err := inSeconds(row[k], 0)
			if err != nil {
				return nil, err
			}
			if later[n][k], err = atSeconds(seconds, by, short); err != nil {
				return nil, err
			}
		}
	}
	return later, nil
}

// checkHours is an error if the times of a trip cannot be told from seconds and
// whether their hours are short.
func (c calls) checkHours(trip [][]string, short bool) error {
	again, err := c.shifted(trip, 0, short)
	if err != nil {
		return err
	}
	for n := range trip {
		if !slices.Equal(trip[n], again[n]) {
			return fmt.Errorf("trip %s has hours of one digit and of two: %q", trip[n][c.trip], trip[n])
		}
	}
	return nil
}

// replaced is a copy of the files without some and with others.
func replaced(files vfs.Files, gone []string, with vfs.Files) vfs.Files {
	after := files.Clone()
	for _, name := range gone {
		delete(after, name)
	}
	for name, content := range with {
		after[name] = content
	}
	return after
}

// withCell is a copy of a row with another cell.
func withCell(row []string, k int, value string) []string {
	row = slices.Clone(row)
	row[k] = value
	return row
}
