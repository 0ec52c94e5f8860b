package transit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

const (
	timetableFile = "timetable.md"
	detailsFile   = "call_details.csv"

	columnsLine   = "Columns: "
	timetableHead = "## Timetable "
	stopHead      = "stop"
	// timesApart stands between arrival and departure where they differ.
	timesApart = "/"
)

// toTimetable prints one table for the trips that serve the same stops: stops
// down, trips across. What does not fit there is listed.
func toTimetable(files vfs.Files) (vfs.Files, error) {
	all, err := stopTimes(files, stopTimesFile, "arrival_time", "departure_time")
	if err != nil {
		return nil, err
	}
	details := grid{header: []string{"trip_id", "call", "column", "value"}}
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
	lines := []string{columnsLine + strings.Join(all.header, ", ")}
	for n, stops := range routes {
		lines = append(lines, "", timetableHead+strconv.Itoa(n+1), "")
		lines = append(lines, all.printed(all.byDeparture(tripsOf[stops], trips), trips)...)
	}
	// What is printed is read again, since a name may hold what divides cells.
	printed := vfs.Files{timetableFile: plain.Text(lines), detailsFile: details.text()}
	if err := all.printsAs(printed); err != nil {
		return nil, err
	}
	return replaced(files, []string{stopTimesFile}, printed), nil
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
			details.add(row[c.trip], strconv.Itoa(n), c.header[k], value)
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

// printsAs is an error if what was printed does not say the same.
func (c calls) printsAs(printed vfs.Files) error {
	files, err := fromTimetable(printed)
	if err != nil {
		return err
	}
	again, err := gridOf(files, stopTimesFile)
	if err != nil {
		return err
	}
	_, was := c.trips()
	_, is := calls{grid: again, number: c.number}.trips()
	for name, rows := range was {
		if !slices.EqualFunc(rows, is[name], slices.Equal) {
			return fmt.Errorf("a timetable cannot show trip %s", name)
		}
	}
	return nil
}

// fromTimetable reads stop times out of a timetable and the details.
func fromTimetable(files vfs.Files) (vfs.Files, error) {
	content, err := plain.File(files, timetableFile)
	if err != nil {
		return nil, err
	}
	details, err := plain.Table(files, detailsFile, "trip_id", "call", "column", "value")
	if err != nil {
		return nil, err
	}
	r := timetableReader{places: map[[2]string]int{}}
	for _, line := range plain.Lines(content) {
		if err := r.take(pytext.Strip(line)); err != nil {
			return nil, err
		}
	}
	if len(r.calls.rows) == 0 {
		return nil, fmt.Errorf("%s has no stop times", timetableFile)
	}
	for _, d := range details {
		row, known := r.places[[2]string{d[0], d[1]}]
		k := r.calls.column(d[2])
		if !known || k < 0 {
			return nil, fmt.Errorf("%s is about call %s of trip %s, column %s, which %s has not", detailsFile, d[1], d[0], d[2], timetableFile)
		}
		r.calls.rows[row][k] = d[3]
	}
	return replaced(files, []string{timetableFile, detailsFile}, vfs.Files{stopTimesFile: r.calls.text()}), nil
}

// timetableReader reads a timetable line by line.
type timetableReader struct {
	calls  calls
	trips  []string // of the table in hand
	stops  int      // of it that were read
	places map[[2]string]int
}

func (r *timetableReader) take(line string) error {
	if header, ok := strings.CutPrefix(line, columnsLine); ok && r.calls.header == nil {
		return r.takeColumns(header)
	}
	if !strings.HasPrefix(line, "|") {
		r.trips = nil
		return nil
	}
	cells := strings.Split(strings.Trim(line, "|"), "|")
	for k := range cells {
		cells[k] = pytext.Strip(cells[k])
	}
	switch {
	case r.calls.header == nil:
		return fmt.Errorf("%s does not begin with its columns", timetableFile)
	case r.trips == nil:
		r.trips, r.stops = cells[1:], 0
		return nil
	case len(cells) != len(r.trips)+1:
		return fmt.Errorf("a line of %s has %d cells where its table has %d: %s", timetableFile, len(cells), len(r.trips)+1, line)
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
		row := make([]string, len(r.calls.header))
		row[r.calls.trip], row[r.calls.stop], row[r.calls.number] = trip, cells[0], call
		row[r.calls.arrival], row[r.calls.departure] = pytext.Strip(arrival), pytext.Strip(departure)
		r.places[[2]string{trip, call}] = len(r.calls.rows)
		r.calls.rows = append(r.calls.rows, row)
	}
	return nil
}

func (r *timetableReader) takeColumns(list string) (err error) {
	r.calls, err = callsOf(grid{header: strings.Split(list, ", ")}, "arrival_time", "departure_time")
	return err
}
