package transit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
)

const templateColumn = "template_departure"

// unrollFrequencies writes out the trips that frequencies.txt repeats, numbered after their
// names. On the way back the first copy of each trip is its template again.
func unrollFrequencies(p struct{ Trips, Times, Headways string }) exact.Steps {
	return steps(func(c *change) error {
		frequencies := c.take(frequenciesFile, "trip_id", "start_time", "end_time", "headway_secs")
		trips, times := c.take(tripsFile, "trip_id"), c.stopTimes()
		c.note(frequencies.lacks(templateColumn))
		starts, err := frequencies.starts()
		c.note(err)
		single, err := trips.unrolled(starts)
		c.note(err)
		singleTimes, err := times.unrolled(starts)
		c.note(err)
		headways, err := frequencies.withTemplates(trips, times)
		c.put(p.Trips, single)
		c.put(p.Times, singleTimes)
		c.put(p.Headways, headways)
		return err
	}, func(c *change) error {
		headways := c.take(p.Headways, "trip_id", "start_time", templateColumn)
		single := c.take(p.Trips, "trip_id")
		singleTimes := c.takeCalls(p.Times, clockColumns)
		trips, times := grid{Header: single.Header}, grid{Header: singleTimes.Header}
		_, frequencies := headways.by("trip_id")
		id := single.column("trip_id")
		for _, row := range single.Rows {
			if trip, _, keep := rolledUp(row[id], frequencies); keep {
				trips.add(withCell(row, id, trip)...)
			}
		}
		names, rowsOf := singleTimes.trips()
		for _, name := range names {
			trip, frequency, keep := rolledUp(name, frequencies)
			if !keep {
				continue
			}
			rows := rowsOf[name]
			if frequency != nil {
				var err error
				from, to := frequency[headways.column("start_time")], frequency[headways.column(templateColumn)]
				if rows, err = singleTimes.template(rows, trip, from, to); err != nil {
					return fmt.Errorf("reading %s: %w", p.Headways, err)
				}
			}
			times.Rows = append(times.Rows, rows...)
		}
		c.put(frequenciesFile, headways.withoutColumns(templateColumn))
		c.put(tripsFile, trips)
		c.put(stopTimesFile, times)
		return nil
	})
}

// unrolled are trips with the copies in place of what repeats. starts are the times at which each
// trip that repeats begins.
func (g grid) unrolled(starts map[string][]int) (grid, error) {
	single := grid{Header: g.Header}
	id := g.column("trip_id")
	for _, row := range g.Rows {
		if trip, is := copied(row[id]); is && starts[trip] != nil {
			return single, fmt.Errorf("there is a trip %s already", row[id])
		}
		if starts[row[id]] == nil {
			single.add(row...)
		}
		for n := range starts[row[id]] {
			single.add(withCell(row, id, copyName(row[id], n))...)
		}
	}
	return single, nil
}

// unrolled are the stop times with those of the copies in place of what repeats.
func (c calls) unrolled(starts map[string][]int) (grid, error) {
	single := grid{Header: c.Header}
	names, trips := c.trips()
	for _, name := range names {
		trip := trips[name]
		if of, is := copied(name); is && starts[of] != nil {
			return single, fmt.Errorf("there are stop times of a trip %s already", name)
		}
		if len(single.Rows)+len(trip)*max(1, len(starts[name])) > mostWritten {
			return single, errTooMany
		}
		if starts[name] == nil {
			single.Rows = append(single.Rows, trip...)
			continue
		}
		departs := c.departs(trip[0])
		begin, err := c.begin(trip, departs)
		if err != nil {
			return single, err
		}
		for n, start := range starts[name] {
			rows, err := c.shifted(trip, copyName(name, n), start-begin, isShort(departs))
			if err != nil {
				return single, err
			}
			single.Rows = append(single.Rows, rows...)
		}
	}
	return single, nil
}

// withTemplates are the frequencies with the departure of each trip as it stands in the feed.
func (g grid) withTemplates(trips grid, times calls) (grid, error) {
	headways := grid{Header: append(slices.Clone(g.Header), templateColumn)}
	_, tripRows := trips.by("trip_id")
	_, timeRows := times.trips()
	id := g.column("trip_id")
	for _, row := range g.Rows {
		if tripRows[row[id]] == nil || timeRows[row[id]] == nil {
			return headways, fmt.Errorf("trip %s of %s has no stop times or is no trip", row[id], frequenciesFile)
		}
		headways.add(append(row, times.departs(timeRows[row[id]][0]))...)
	}
	return headways, nil
}

// copyName is the name of the n-th copy of a trip, from 0.
func copyName(trip string, n int) string { return trip + "#" + strconv.Itoa(n+1) }

// copied returns the trip of which another is a copy by its name.
func copied(name string) (trip string, is bool) {
	at := strings.LastIndexByte(name, '#')
	if at < 0 || !plain.IsDigits(name[at+1:]) {
		return "", false
	}
	return name[:at], true
}

// starts are the times at which each trip of frequencies.txt begins, in seconds.
func (g grid) starts() (map[string][]int, error) {
	const mostStarts = 1 << 14
	id, from, to, headway := g.column("trip_id"), g.column("start_time"), g.column("end_time"), g.column("headway_secs")
	starts := map[string][]int{}
	for _, row := range g.Rows {
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
	if len(starts) == 0 {
		return nil, fmt.Errorf("%s has no rows", frequenciesFile)
	}
	return starts, nil
}

// rolledUp returns the trip that a copy stands for and the first of its
// frequencies; other trips stand for themselves. Only first copies are kept.
func rolledUp(name string, frequencies map[string][][]string) (trip string, frequency []string, keep bool) {
	trip, is := copied(name)
	if !is || frequencies[trip] == nil {
		return name, nil, true
	}
	return trip, frequencies[trip][0], name == copyName(trip, 0)
}

// template are the stop times of a copy that leaves at one time, for the trip
// that leaves at another.
func (c calls) template(rows [][]string, trip, from, to string) ([][]string, error) {
	start, fromOK := readClock(from)
	departs, toOK := readClock(to)
	if !fromOK || !toOK {
		return nil, fmt.Errorf("trip %s leaves at %q and %q", trip, from, to)
	}
	return c.shifted(rows, trip, departs-start, isShort(to))
}
