package transit

import (
	"cmp"
	"fmt"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
)

const (
	patternColumn = "pattern"

	// mostWritten is how many stop times an edit writes out.
	mostWritten = 1 << 17
)

var errTooMany = fmt.Errorf("more than %d stop times", mostWritten)

// journeyPatterns keeps one copy of the stop times of trips that differ only in when they begin,
// with times as seconds from there.
func journeyPatterns(p struct {
	Patterns, Journeys string // the files
	First              string // name of a pattern
}) exact.Steps {
	return steps(func(c *change) error {
		all := c.stopTimes()
		if err := all.lacks(patternColumn, arrivalSeconds, departureSeconds); c.err != nil || err != nil {
			return err
		}
		patterns := grid{header: all.renamed("trip_id", patternColumn, "arrival_time", arrivalSeconds, "departure_time", departureSeconds).header}
		journeys := grid{header: []string{"trip_id", patternColumn, "begins"}}
		known, code := map[string]string{}, exact.Counting(p.First)
		names, trips := all.trips()
		for _, name := range names {
			begins := cmp.Or(trips[name][0][all.arrival], trips[name][0][all.departure])
			if err := all.checkHours(trips[name], isShort(begins)); err != nil {
				return err
			}
			rows, err := all.relative(trips[name], begins)
			if err != nil {
				return fmt.Errorf("trip %s: %w", name, err)
			}
			form := plain.WriteCSV(rows)
			if known[form] == "" {
				known[form] = code("", len(known))
				for _, row := range rows {
					patterns.rows = append(patterns.rows, withCell(row, all.trip, known[form]))
				}
			}
			journeys.add(name, known[form], begins)
		}
		c.put(p.Patterns, patterns)
		c.put(p.Journeys, journeys)
		return nil
	}, func(c *change) error {
		patterns := c.take(p.Patterns, patternColumn, arrivalSeconds, departureSeconds)
		journeys := c.takeRows(p.Journeys, "trip_id", patternColumn, "begins")
		if c.err != nil {
			return c.err
		}
		times, err := patterns.writtenOut(journeys)
		c.put(stopTimesFile, times)
		return err
	})
}

// relative are the stop times of a trip without its name, the times in seconds
// from when it begins.
func (c calls) relative(trip [][]string, begins string) ([][]string, error) {
	start, ok := readClock(begins)
	if !ok {
		return nil, fmt.Errorf("it begins at %q, which is no time", begins)
	}
	rows := make([][]string, len(trip))
	for n, row := range trip {
		rows[n] = withCell(row, c.trip, "")
		for _, k := range []int{c.arrival, c.departure} {
			var err error
			if rows[n][k], err = inSeconds(row[k], start); err != nil {
				return nil, err
			}
		}
	}
	return rows, nil
}

// writtenOut are the stop times of journeys, which are rows of a trip, its pattern and when it
// begins.
func (g grid) writtenOut(journeys [][]string) (times grid, err error) {
	trip, arrival, departure := g.column(patternColumn), g.column(arrivalSeconds), g.column(departureSeconds)
	_, rowsOf := g.by(patternColumn)
	times.header = g.renamed(patternColumn, "trip_id", arrivalSeconds, "arrival_time", departureSeconds, "departure_time").header
	for _, journey := range journeys {
		name, rows, begins := journey[0], rowsOf[journey[1]], journey[2]
		start, ok := readClock(begins)
		if !ok || rows == nil {
			return times, fmt.Errorf("trip %s has no pattern %s, or no time in %q", name, journey[1], begins)
		}
		if len(times.rows)+len(rows) > mostWritten {
			return times, errTooMany
		}
		for _, row := range rows {
			row = withCell(row, trip, name)
			for _, k := range []int{arrival, departure} {
				if row[k], err = atSeconds(row[k], start, isShort(begins)); err != nil {
					return times, fmt.Errorf("trip %s: %w", name, err)
				}
			}
			times.rows = append(times.rows, row)
		}
	}
	return times, nil
}
