package transit

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
)

const templateColumn = "template_departure"

// repeated is a feed with trips that repeat.
type repeated struct {
	frequencies, trips grid
	times              calls
	starts             map[string][]int // of each trip that repeats, in seconds
}

// unrollFrequencies writes out the trips that frequencies.txt repeats, numbered after their
// names. On the way back the first copy of each trip is its template again.
func unrollFrequencies(p struct{ Trips, Times, Headways string }) exact.Steps {
	return steps(func(c *change) error {
		f, err := c.takeRepeated()
		if err != nil {
			return err
		}
		times, err := f.singleTimes()
		if err != nil {
			return err
		}
		headways, err := f.headways()
		c.put(p.Trips, f.singleTrips())
		c.put(p.Times, times)
		c.put(p.Headways, headways)
		return err
	}, func(c *change) error {
		headways := c.take(p.Headways, "trip_id", "start_time", templateColumn)
		single := c.take(p.Trips, "trip_id")
		singleTimes := c.takeCalls(p.Times, "arrival_time", "departure_time")
		if c.err != nil {
			return c.err
		}
		trips, times := grid{header: single.header}, grid{header: singleTimes.header}
		_, frequencies := headways.by("trip_id")
		id := single.column("trip_id")
		for _, row := range single.rows {
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
			times.rows = append(times.rows, rows...)
		}
		c.put(frequenciesFile, headways.withoutColumns(templateColumn))
		c.put(tripsFile, trips)
		c.put(stopTimesFile, times)
		return nil
	})
}

func (c *change) takeRepeated() (f repeated, err error) {
	f.frequencies = c.take(frequenciesFile, "trip_id", "start_time", "end_time", "headway_secs")
	f.trips = c.take(tripsFile, "trip_id")
	f.times = c.stopTimes()
	if err = f.frequencies.lacks(templateColumn); c.err != nil || err != nil {
		return f, cmp.Or(c.err, err)
	}
	if f.starts, err = f.frequencies.starts(); err != nil {
		return f, err
	}
	for _, g := range []grid{f.trips, f.times.grid} {
		id := g.column("trip_id")
		for _, row := range g.rows {
			if trip, is := copied(row[id]); is && f.starts[trip] != nil {
				return f, fmt.Errorf("there is a trip %s already", row[id])
			}
		}
	}
	return f, nil
}

// singleTrips are the trips with the copies in place of what repeats.
func (f *repeated) singleTrips() grid {
	single := grid{header: f.trips.header}
	id := f.trips.column("trip_id")
	for _, row := range f.trips.rows {
		if f.starts[row[id]] == nil {
			single.add(row...)
		}
		for n := range f.starts[row[id]] {
			single.add(withCell(row, id, copyName(row[id], n))...)
		}
	}
	return single
}

// singleTimes are the stop times with those of the copies in place of what
// repeats.
func (f *repeated) singleTimes() (grid, error) {
	single := grid{header: f.times.header}
	names, trips := f.times.trips()
	for _, name := range names {
		rows := trips[name]
		if starts := f.starts[name]; starts != nil {
			var err error
			if rows, err = f.times.copies(rows, starts); err != nil {
				return grid{}, err
			}
		}
		if single.rows = append(single.rows, rows...); len(single.rows) > mostWritten {
			return grid{}, errTooMany
		}
	}
	return single, nil
}

// headways are the frequencies with the departure of each trip as it stands in
// the feed.
func (f *repeated) headways() (grid, error) {
	headways := grid{header: append(slices.Clone(f.frequencies.header), templateColumn)}
	_, trips := f.trips.by("trip_id")
	_, times := f.times.trips()
	id := f.frequencies.column("trip_id")
	for _, row := range f.frequencies.rows {
		if trips[row[id]] == nil || times[row[id]] == nil {
			return grid{}, fmt.Errorf("trip %s of %s has no stop times or is no trip", row[id], frequenciesFile)
		}
		headways.add(append(row, f.times.departs(times[row[id]]))...)
	}
	return headways, nil
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
	if len(starts) == 0 {
		return nil, fmt.Errorf("%s has no rows", frequenciesFile)
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
		rows, err := c.shifted(trip, copyName(trip[0][c.trip], n), start-begin, isShort(departs))
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, nil
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
	rows, err := c.shifted(rows, trip, departs-start, isShort(to))
	if err != nil {
		return nil, fmt.Errorf("trip %s: %w", trip, err)
	}
	return rows, nil
}
