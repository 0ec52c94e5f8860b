package transit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/vfs"
)

const (
	singleTripsFile     = "single_trips.txt"
	singleStopTimesFile = "single_stop_times.txt"
	headwaysFile        = "headways.csv"
	templateColumn      = "template_departure"
)

// unroll writes out the trips that frequencies.txt repeats, numbered behind
// their names.
func unroll(files vfs.Files) (vfs.Files, error) {
	frequencies, err := gridOf(files, frequenciesFile, "trip_id", "start_time", "end_time", "headway_secs")
	if err != nil {
		return nil, err
	}
	if err := frequencies.lacks(templateColumn); err != nil {
		return nil, err
	}
	trips, err := gridOf(files, tripsFile, "trip_id")
	if err != nil {
		return nil, err
	}
	times, err := stopTimes(files, stopTimesFile, "arrival_time", "departure_time")
	if err != nil {
		return nil, err
	}
	starts, err := frequencies.starts()
	if err != nil {
		return nil, err
	}
	if len(starts) == 0 {
		return nil, fmt.Errorf("%s has no rows", frequenciesFile)
	}
	tripNames, tripRows := trips.by("trip_id")
	timeNames, timeRows := times.trips()
	for _, name := range slices.Concat(tripNames, timeNames) {
		if template, is := copied(name); is && starts[template] != nil {
			return nil, fmt.Errorf("there is a trip %s already", name)
		}
	}

	singleTrips, singleTimes := grid{header: trips.header}, grid{header: times.header}
	id := trips.column("trip_id")
	for _, name := range tripNames {
		if starts[name] == nil {
			singleTrips.rows = append(singleTrips.rows, tripRows[name]...)
		}
		for n := range starts[name] {
			for _, row := range tripRows[name] {
				singleTrips.add(withCell(row, id, copyName(name, n))...)
			}
		}
	}
	for _, name := range timeNames {
		if starts[name] == nil {
			singleTimes.rows = append(singleTimes.rows, timeRows[name]...)
			continue
		}
		copies, err := times.copies(timeRows[name], starts[name])
		if err != nil {
			return nil, err
		}
		if singleTimes.rows = append(singleTimes.rows, copies...); len(singleTimes.rows) > mostWritten {
			return nil, errTooMany
		}
	}

	headways := grid{header: append(slices.Clone(frequencies.header), templateColumn)}
	id = frequencies.column("trip_id")
	for _, row := range frequencies.rows {
		if tripRows[row[id]] == nil || timeRows[row[id]] == nil {
			return nil, fmt.Errorf("trip %s of %s has no stop times or is no trip", row[id], frequenciesFile)
		}
		headways.add(append(row, times.departs(timeRows[row[id]]))...)
	}
	return replaced(files, []string{frequenciesFile, tripsFile, stopTimesFile}, vfs.Files{
		singleTripsFile: singleTrips.text(), singleStopTimesFile: singleTimes.text(), headwaysFile: headways.text(),
	}), nil
}

// copyName is the name of the n-th copy of a trip, from 0.
func copyName(trip string, n int) string { return trip + "#" + strconv.Itoa(n+1) }

// copied returns the trip of which another is a copy by its name.
func copied(name string) (trip string, is bool) {
	at := strings.LastIndexByte(name, '#')
	if at < 0 || at+1 == len(name) || !isDigits(name[at+1:]) {
		return "", false
	}
	return name[:at], true
}

// starts are the times at which each trip of frequencies.txt begins, in seconds.
func (g grid) starts() (map[string][]int, error) {
	const mostStarts = 1 << 14
	id, from, to, headway := g.column("trip_id"), g.column("start_time"), g.column("end_time"), g.column("headway_secs")
	starts := map[string][]int{}
	for _, row := range g.rows {
		start, fromOK := readClock(row[from])
		end, toOK := readClock(row[to])
		step, err := strconv.Atoi(row[headway])
		if !fromOK || !toOK || err != nil || step <= 0 || start >= end || (end-start)/step > mostStarts {
			return nil, fmt.Errorf("a frequency of trip %s never begins, or too often: %q", row[id], row)
		}
		for ; start < end; start += step {
			starts[row[id]] = append(starts[row[id]], start)
		}
		if len(starts[row[id]]) > mostStarts {
			return nil, errTooMany
		}
	}
	return starts, nil
}

// copies are the stop times of a trip that begins several times.
func (c calls) copies(trip [][]string, starts []int) ([][]string, error) {
	departs := c.departs(trip)
	begin, ok := readClock(departs)
	if !ok {
		return nil, fmt.Errorf("trip %s departs at %q, which is no time", trip[0][c.trip], departs)
	}
	if err := c.checkHours(trip, isShort(departs)); err != nil {
		return nil, err
	}
	if len(trip)*len(starts) > mostWritten {
		return nil, errTooMany
	}
	var all [][]string
	for n, start := range starts {
		rows, err := c.shifted(trip, start-begin, isShort(departs))
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			row[c.trip] = copyName(row[c.trip], n)
		}
		all = append(all, rows...)
	}
	return all, nil
}

// rollUp makes the first copy of each trip its template again and leaves out
// the others.
func rollUp(files vfs.Files) (vfs.Files, error) {
	headways, err := gridOf(files, headwaysFile, "trip_id", "start_time", templateColumn)
	if err != nil {
		return nil, err
	}
	trips, err := gridOf(files, singleTripsFile, "trip_id")
	if err != nil {
		return nil, err
	}
	times, err := stopTimes(files, singleStopTimesFile, "arrival_time", "departure_time")
	if err != nil {
		return nil, err
	}
	_, repeated := headways.by("trip_id")
	trips.rows, _ = trips.rolledUp(repeated)
	rest, firsts := times.rolledUp(repeated)
	start, template := headways.column("start_time"), headways.column(templateColumn)
	for name, rows := range firsts {
		from, fromOK := readClock(repeated[name][0][start])
		to, toOK := readClock(repeated[name][0][template])
		if !fromOK || !toOK {
			return nil, fmt.Errorf("trip %s of %s has no times", name, headwaysFile)
		}
		moved, err := times.shifted(rows, to-from, isShort(repeated[name][0][template]))
		if err != nil {
			return nil, fmt.Errorf("trip %s: %w", name, err)
		}
		for n := range rows {
			copy(rows[n], moved[n])
		}
	}
	times.rows = rest
	return replaced(files, []string{headwaysFile, singleTripsFile, singleStopTimesFile}, vfs.Files{
		frequenciesFile: headways.withoutColumns(templateColumn).text(),
		tripsFile:       trips.text(),
		stopTimesFile:   times.text(),
	}), nil
}

// rolledUp are the rows without the copies of repeated trips, save the first,
// which have the names of their trips again. They are in firsts as well.
func (g grid) rolledUp(repeated map[string][][]string) (rows [][]string, firsts map[string][][]string) {
	id := g.column("trip_id")
	firsts = map[string][][]string{}
	for _, row := range g.rows {
		name, is := copied(row[id])
		if is && repeated[name] != nil {
			if row[id] != copyName(name, 0) {
				continue
			}
			row = withCell(row, id, name)
			firsts[name] = append(firsts[name], row)
		}
		rows = append(rows, row)
	}
	return rows, firsts
}
