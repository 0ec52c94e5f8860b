package transit

import (
	"cmp"
	"fmt"
	"slices"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
)

// The columns of a pattern's stop times that have other names than those of a trip.
var (
	tripColumn    = []string{"trip_id"}
	patternColumn = []string{"pattern"}
)

// mostWritten is how many stop times an edit writes out.
const mostWritten = 1 << 17

var errTooMany = fmt.Errorf("more than %d stop times", mostWritten)

// journeyPatterns keeps one copy of the stop times of trips that differ only in when they begin,
// with times as seconds from there.
func journeyPatterns(p struct {
	Patterns, Journeys string // the files
	First              string // name of a pattern
}) exact.Steps {
	return steps(func(c *change) error {
		all := c.stopTimes(slices.Concat(secondsColumns, patternColumn)...)
		patterns := grid{Header: all.renamed(tripColumn, patternColumn).renamed(clockColumns, secondsColumns).Header}
		journeys := grid{Header: []string{"trip_id", "pattern", "begins"}}
		known, code := map[string]string{}, exact.Counting(p.First)
		names, trips := all.trips()
		for _, name := range names {
			first := trips[name][0]
			begins := cmp.Or(first[all.arrival], first[all.departure])
			start, err := all.begin(trips[name], begins)
			if err != nil {
				return err
			}
			rows, err := all.changed(trips[name], "", func(time string) (string, error) { return inSeconds(time, start) })
			if err != nil {
				return err
			}
			form := plain.WriteCSV(rows)
			if known[form] == "" {
				known[form] = code("", len(known))
				for _, row := range rows {
					patterns.add(withCell(row, all.trip, known[form])...)
				}
			}
			journeys.add(name, known[form], begins)
		}
		c.put(p.Patterns, patterns)
		c.put(p.Journeys, journeys)
		return nil
	}, func(c *change) error {
		patterns := c.take(p.Patterns, slices.Concat(secondsColumns, patternColumn)...)
		journeys := c.takeRows(p.Journeys, "trip_id", "pattern", "begins")
		times, err := callsOf(patterns.renamed(patternColumn, tripColumn).renamed(secondsColumns, clockColumns), clockColumns)
		if err != nil {
			return fmt.Errorf("reading %s: %w", p.Patterns, err)
		}
		_, rowsOf := times.by("trip_id")
		times.Rows = nil
		for _, journey := range journeys {
			name, rows, begins := journey[0], rowsOf[journey[1]], journey[2]
			start, ok := readClock(begins)
			if !ok || rows == nil {
				return fmt.Errorf("trip %s has no pattern %s, or no time in %q", name, journey[1], begins)
			}
			if len(times.Rows)+len(rows) > mostWritten {
				return errTooMany
			}
			rows, err = times.changed(rows, name, func(seconds string) (string, error) {
				return atSeconds(seconds, start, isShort(begins))
			})
			if err != nil {
				return err
			}
			times.Rows = append(times.Rows, rows...)
		}
		c.put(stopTimesFile, times.grid)
		return nil
	})
}
