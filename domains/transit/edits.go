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
	"agentd/domains/internal/lists"
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
	Header []string   `json:"columns"` // as it is written
	Rows   [][]string `json:"rows"`
}

// mostCells is how large a grid may get when short rows are filled up.
const mostCells = 4 << 20

// check is an error if a column is missing or stands there twice.
func (g grid) check(columns []string) error {
	names := make(map[string]bool, len(g.Header))
	for _, name := range g.Header {
		if name = pytext.Strip(name); names[name] {
			return fmt.Errorf("the column %q is repeated", name)
		}
		names[name] = true
	}
	if k := slices.IndexFunc(columns, func(name string) bool { return !names[name] }); k >= 0 {
		return fmt.Errorf("no column %q among %s", columns[k], strings.Join(g.Header, ", "))
	}
	return nil
}

// column returns the place of a column, -1 if there is none.
func (g grid) column(name string) int {
	return slices.IndexFunc(g.Header, func(have string) bool { return pytext.Strip(have) == name })
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

func (g grid) text() string { return plain.WriteCSV(append([][]string{g.Header}, g.Rows...)) }

func (g *grid) add(cells ...string) { g.Rows = append(g.Rows, cells) }

// renamed has other names for some columns.
func (g grid) renamed(was, is []string) grid {
	g.Header = slices.Clone(g.Header)
	for n := range was {
		if k := g.column(was[n]); k >= 0 {
			g.Header[k] = is[n]
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
		g.Header = slices.Delete(slices.Clone(g.Header), k, k+1)
		for n := range g.Rows {
			g.Rows[n] = slices.Delete(slices.Clone(g.Rows[n]), k, k+1)
		}
	}
	return g
}

// by groups the rows by the value of a column, names being those values in
// order of first appearance.
func (g grid) by(column string) (names []string, rows map[string][][]string) {
	k := g.column(column)
	rows = map[string][][]string{}
	for _, r := range g.Rows {
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
	err   error // the first one of reading, after which tables are empty
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

// look reads a table that has the columns. Text that is no row, surplus cells and repeated
// columns are errors.
func (c *change) look(name string, columns ...string) grid {
	content, err := plain.File(c.files, name)
	if err != nil {
		c.note(err)
		return grid{}
	}
	t := readTable(name, content)
	g := grid{Header: t.header}
	width := len(g.Header)
	switch err := g.check(columns); {
	case t.header == nil || len(t.above) > 0:
		c.note(fmt.Errorf("%s is no table", name))
	case err != nil:
		c.note(fmt.Errorf("reading %s: %w", name, err))
	case width*len(t.rows) > mostCells:
		c.note(fmt.Errorf("%s has too many cells, %d rows of %d", name, len(t.rows), width))
	default:
		for n, r := range t.rows {
			if r.foreign || len(r.cells) > width {
				c.note(fmt.Errorf("reading %s: row %d has other cells than the header: %q", name, n+1, r.lines[0]))
				return grid{}
			}
			cells := lists.Map(r.cells, pytext.Strip)
			g.add(append(cells, make([]string, width-len(cells))...)...)
		}
		return g
	}
	return grid{}
}

// note keeps an error if it is the first one.
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
func (c *change) takeCalls(name string, times []string) calls {
	g := c.take(name)
	if len(g.Rows) == 0 {
		c.note(fmt.Errorf("%s has no rows", name))
	}
	all, err := callsOf(g, times)
	if err != nil {
		c.note(fmt.Errorf("reading %s: %w", name, err))
	}
	return all
}

// stopTimes takes the stop times of a feed, which must have none of the columns that an edit adds.
func (c *change) stopTimes(adds ...string) calls {
	all := c.takeCalls(stopTimesFile, clockColumns)
	c.note(all.lacks(adds...))
	return all
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
		if all.Header == nil {
			all.Header = part.Header
		} else if !slices.Equal(all.Header, part.Header) {
			c.note(fmt.Errorf("%s has another header than the files before it", name))
			return grid{}
		}
		all.Rows = append(all.Rows, part.Rows...)
	}
	if all.Header == nil {
		c.note(fmt.Errorf("no file %s with rows", pattern))
	}
	return all
}

// put puts a table in.
func (c *change) put(name string, g grid) { c.made[name] = g.text() }
