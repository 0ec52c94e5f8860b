package transit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

const (
	columnsLine = "Columns: "
	stopHead    = "stop"
	// timesApart stands between arrival and departure where they differ.
	timesApart = "/"
)

// timetableFiles are the files of a timetable, with the heading of its tables.
type timetableFiles struct{ To, Heading, Details string }

// timetable prints one table for the trips that serve the same stops: stops down, trips across.
// What does not fit there is listed.
func timetable(p timetableFiles) exact.Steps {
	return steps(func(c *change) error {
		all := c.stopTimes()
		details := grid{Header: []string{"trip_id", "call", "column", "value"}}
		var routes []string // by their stops
		tripsOf := map[string][]string{}
		names, trips := all.trips()
		for _, name := range names {
			stops := ""
			for n, row := range trips[name] {
				stops += row[all.stop] + "\n"
				all.addDetails(&details, row, n+1)
			}
			if tripsOf[stops] == nil {
				routes = append(routes, stops)
			}
			tripsOf[stops] = append(tripsOf[stops], name)
		}
		lines := []string{columnsLine + strings.Join(all.Header, ", ")}
		for n, stops := range routes {
			lines = append(lines, "", "## "+p.Heading+" "+strconv.Itoa(n+1), "")
			lines = append(lines, all.printed(all.byDeparture(tripsOf[stops], trips), trips)...)
		}
		// What is printed is read again, since a name may hold what divides cells.
		c.made[p.To], c.made[p.Details] = plain.Text(lines), details.text()
		return p.check(all, c.made)
	}, p.read)
}

// addDetails lists the cells of the n-th call of a trip that the timetable has
// no room for.
func (c calls) addDetails(details *grid, row []string, n int) {
	for k, value := range row {
		switch k {
		case c.trip, c.stop, c.arrival, c.departure:
			continue
		case c.number:
			if value == strconv.Itoa(n) {
				continue
			}
		}
		if value != "" || k == c.number {
			details.add(row[c.trip], strconv.Itoa(n), c.Header[k], value)
		}
	}
}

// printed is the table of trips with the same stops.
func (c calls) printed(names []string, trips map[string][][]string) []string {
	line := func(cells []string) string { return "| " + strings.Join(cells, " | ") + " |" }
	cells := append([]string{stopHead}, names...)
	lines := []string{line(cells), "|" + strings.Repeat(" --- |", len(cells))}
	for n, first := range trips[names[0]] {
		cells := []string{first[c.stop]}
		for _, name := range names {
			arrival, departure := trips[name][n][c.arrival], trips[name][n][c.departure]
			if arrival == departure {
				cells = append(cells, departure)
			} else {
				cells = append(cells, arrival+timesApart+departure)
			}
		}
		lines = append(lines, line(cells))
	}
	return lines
}

// check is an error if what was printed does not say the same.
func (p *timetableFiles) check(all calls, printed vfs.Files) error {
	c := change{files: printed, made: vfs.Files{}}
	if err := p.read(&c); err != nil {
		return err
	}
	c = change{files: c.made}
	again := c.look(stopTimesFile)
	if c.err != nil {
		return c.err
	}
	_, was := all.trips()
	_, is := calls{grid: again, number: all.number}.trips()
	for name, rows := range was {
		if !slices.EqualFunc(rows, is[name], slices.Equal) {
			return fmt.Errorf("a timetable cannot show trip %s", name)
		}
	}
	return nil
}

// read reads stop times out of a timetable and the details.
func (p *timetableFiles) read(c *change) error {
	content, err := plain.File(c.files, p.To)
	if err != nil {
		return err
	}
	details := c.takeRows(p.Details, "trip_id", "call", "column", "value")
	if c.err != nil {
		return c.err
	}
	r := timetableReader{file: p.To, places: map[[2]string]int{}}
	for _, line := range plain.Lines(content) {
		if err := r.take(pytext.Strip(line)); err != nil {
			return err
		}
	}
	if len(r.calls.Rows) == 0 {
		return fmt.Errorf("%s has no stop times", p.To)
	}
	for _, d := range details {
		row, known := r.places[[2]string{d[0], d[1]}]
		k := r.calls.column(d[2])
		if !known || k < 0 {
			return fmt.Errorf("%s is about call %s of trip %s, column %s, which %s has not", p.Details, d[1], d[0], d[2], p.To)
		}
		r.calls.Rows[row][k] = d[3]
	}
	c.gone = append(c.gone, p.To)
	c.put(stopTimesFile, r.calls.grid)
	return nil
}

// timetableReader reads a timetable line by line.
type timetableReader struct {
	file   string
	calls  calls
	trips  []string // of the table in hand
	stops  int      // of it that were read
	places map[[2]string]int
}

func (r *timetableReader) take(line string) error {
	if header, ok := strings.CutPrefix(line, columnsLine); ok && r.calls.Header == nil {
		var err error
		r.calls, err = callsOf(grid{Header: strings.Split(header, ", ")}, clockColumns)
		return err
	}
	if !strings.HasPrefix(line, "|") {
		r.trips = nil
		return nil
	}
	cells := lists.Map(strings.Split(strings.Trim(line, "|"), "|"), pytext.Strip)
	switch {
	case r.calls.Header == nil:
		return fmt.Errorf("%s does not begin with its columns", r.file)
	case r.trips == nil:
		r.trips, r.stops = cells[1:], 0
		return nil
	case len(cells) != len(r.trips)+1:
		return fmt.Errorf("a line of %s has %d cells where its table has %d: %s", r.file, len(cells), len(r.trips)+1, line)
	case r.stops == 0 && strings.Trim(line, "|-: ") == "":
		return nil
	}
	r.stops++
	call := strconv.Itoa(r.stops)
	for k, trip := range r.trips {
		arrival, departure, apart := strings.Cut(cells[k+1], timesApart)
		if !apart {
			departure = arrival
		}
		row := make([]string, len(r.calls.Header))
		row[r.calls.trip], row[r.calls.stop], row[r.calls.number] = trip, cells[0], call
		row[r.calls.arrival], row[r.calls.departure] = pytext.Strip(arrival), pytext.Strip(departure)
		r.places[[2]string{trip, call}] = len(r.calls.Rows)
		r.calls.Rows = append(r.calls.Rows, row)
	}
	return nil
}
