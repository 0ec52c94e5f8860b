package transit

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_trips", splitTrips),
		domains.Taking("stop_boards", stopBoards),
		domains.Taking("timetable", timetable),
		domains.Taking("running_times", runningTimes),
		domains.Taking("journey_patterns", journeyPatterns),
		domains.Taking("unroll_frequencies", unrollFrequencies),
		domains.Taking("code_stops", codeStops),
		domains.Taking("json", inJSON),
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

// change is what an edit takes out of a feed and puts into it.
type change struct {
	files vfs.Files
	gone  []string
	made  vfs.Files
	err   error // the first one of reading
}

// steps makes an edit of changes.
func steps(forward, backward func(*change) error) exact.Steps {
	step := func(do func(*change) error) func(vfs.Files) (vfs.Files, error) {
		return func(files vfs.Files) (vfs.Files, error) {
			c := change{files: files, made: vfs.Files{}}
			if err := do(&c); c.err != nil || err != nil {
				return nil, cmp.Or(c.err, err)
			}
			return replaced(files, c.gone, c.made), nil
		}
	}
	return exact.Steps{Forward: step(forward), Backward: step(backward)}
}

// replaced is a copy of the files without some and with others.
func replaced(files vfs.Files, gone []string, with vfs.Files) vfs.Files {
	after := files.Clone()
	for _, name := range gone {
		delete(after, name)
	}
	maps.Copy(after, with)
	return after
}

// look reads a table that has the columns.
func (c *change) look(name string, columns ...string) grid {
	g, err := gridOf(c.files, name, columns...)
	c.note(err)
	return g
}

func (c *change) note(err error) {
	if c.err == nil {
		c.err = err
	}
}

// take reads a table and takes it out.
func (c *change) take(name string, columns ...string) grid {
	c.gone = append(c.gone, name)
	return c.look(name, columns...)
}

// takeRows takes columns of a table whose rows may be of any length.
func (c *change) takeRows(name string, columns ...string) [][]string {
	c.gone = append(c.gone, name)
	rows, err := plain.Table(c.files, name, columns...)
	c.note(err)
	return rows
}

// takeCalls takes a table of stop times, whose columns of times may have other names.
func (c *change) takeCalls(name, arrival, departure string) calls {
	g := c.take(name)
	if c.err == nil && len(g.rows) == 0 {
		c.err = fmt.Errorf("%s has no rows", name)
	}
	if c.err != nil {
		return calls{}
	}
	all, err := callsOf(g, arrival, departure)
	if err != nil {
		c.err = fmt.Errorf("reading %s: %w", name, err)
	}
	return all
}

// stopTimes takes the stop times of a feed.
func (c *change) stopTimes() calls {
	return c.takeCalls(stopTimesFile, "arrival_time", "departure_time")
}

// takeAll takes the tables of the files that fit a pattern, which have one header, as one.
func (c *change) takeAll(pattern string) (all grid) {
	for _, name := range c.files.Names() {
		if fits, _ := path.Match(pattern, name); !fits {
			continue
		}
		if len(readTable(name, c.files[name]).rows) == 0 {
			c.gone = append(c.gone, name)
			continue // a part may lack rows
		}
		part := c.take(name)
		if all.header == nil {
			all.header = part.header
		} else if c.err == nil && !slices.Equal(all.header, part.header) {
			c.err = fmt.Errorf("%s has another header than the files before it", name)
		}
		all.rows = append(all.rows, part.rows...)
	}
	if all.header == nil {
		c.note(fmt.Errorf("no file %s with rows", pattern))
	}
	return all
}

// put puts a table in.
func (c *change) put(name string, g grid) { c.made[name] = g.text() }
