package transit

import (
	"cmp"
	"fmt"
	"strconv"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	patternsFile  = "patterns.csv"
	journeysFile  = "journeys.csv"
	patternColumn = "pattern"

	// mostWritten is how many stop times an edit writes out.
	mostWritten = 1 << 17
)

var errTooMany = fmt.Errorf("more than %d stop times", mostWritten)

// toPatterns keeps one copy of the stop times of trips that differ only in when
// they begin, with times as seconds from there.
func toPatterns(files vfs.Files) (vfs.Files, error) {
	all, err := stopTimes(files, stopTimesFile, "arrival_time", "departure_time")
	if err != nil {
		return nil, err
	}
	if err := all.lacks(patternColumn, arrivalSeconds, departureSeconds); err != nil {
		return nil, err
	}
	patterns := grid{header: all.renamed("trip_id", patternColumn, "arrival_time", arrivalSeconds, "departure_time", departureSeconds).header}
	journeys := grid{header: []string{"trip_id", patternColumn, "begins"}}
	known := map[string]string{} // the names of patterns
	names, trips := all.trips()
	for _, name := range names {
		begins := cmp.Or(trips[name][0][all.arrival], trips[name][0][all.departure])
		if err := all.checkHours(trips[name], isShort(begins)); err != nil {
			return nil, err
		}
		rows, err := all.relative(trips[name], begins)
		if err != nil {
			return nil, fmt.Errorf("trip %s: %w", name, err)
		}
		form := plain.WriteCSV(rows)
		if known[form] == "" {
			known[form] = "P" + strconv.Itoa(len(known)+1)
			for _, row := range rows {
				patterns.rows = append(patterns.rows, withCell(row, all.trip, known[form]))
			}
		}
		journeys.add(name, known[form], begins)
	}
	return replaced(files, []string{stopTimesFile}, vfs.Files{patternsFile: patterns.text(), journeysFile: journeys.text()}), nil
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

// fromPatterns writes out the stop times of each trip.
func fromPatterns(files vfs.Files) (vfs.Files, error) {
	patterns, err := gridOf(files, patternsFile, patternColumn, arrivalSeconds, departureSeconds)
	if err != nil {
		return nil, err
	}
	journeys, err := plain.Table(files, journeysFile, "trip_id", patternColumn, "begins")
	if err != nil {
		return nil, err
	}
	trip, arrival, departure := patterns.column(patternColumn), patterns.column(arrivalSeconds), patterns.column(departureSeconds)
	_, rowsOf := patterns.by(patternColumn)
	times := grid{header: patterns.renamed(patternColumn, "trip_id", arrivalSeconds, "arrival_time", departureSeconds, "departure_time").header}
	for _, journey := range journeys {
		name, rows, begins := journey[0], rowsOf[journey[1]], journey[2]
		start, ok := readClock(begins)
		if !ok || rows == nil {
			return nil, fmt.Errorf("trip %s has no pattern %s, or no time in %q", name, journey[1], begins)
		}
		if len(times.rows)+len(rows) > mostWritten {
			return nil, errTooMany
		}
		for _, row := range rows {
			row = withCell(row, trip, name)
			for _, k := range []int{arrival, departure} {
				if row[k], err = atSeconds(row[k], start, isShort(begins)); err != nil {
					return nil, fmt.Errorf("trip %s: %w", name, err)
				}
			}
			times.rows = append(times.rows, row)
		}
	}
	return replaced(files, []string{patternsFile, journeysFile}, vfs.Files{stopTimesFile: times.text()}), nil
}
