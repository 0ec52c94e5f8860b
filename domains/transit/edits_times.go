package transit

import (
	"cmp"
	"fmt"
	"strconv"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	runningFile = "running_times.csv"
	shortFile   = "short_hours.csv"

	arrivalSeconds   = "arrival_secs"
	departureSeconds = "departure_secs"
	runColumn        = "run_secs"
	dwellColumn      = "dwell_secs"
)

// toSeconds writes times as seconds, with the running time from the stop before
// and the time that the vehicle stands.
func toSeconds(files vfs.Files) (vfs.Files, error) {
	all, err := stopTimes(files, stopTimesFile, "arrival_time", "departure_time")
	if err != nil {
		return nil, err
	}
	if err := all.lacks(arrivalSeconds, departureSeconds, runColumn, dwellColumn); err != nil {
		return nil, err
	}
	short := grid{header: []string{"row", "column"}}
	for n, row := range all.rows {
		for _, k := range []int{all.arrival, all.departure} {
			if isShort(row[k]) {
				short.add(strconv.Itoa(n+1), all.header[k])
			}
			if row[k], err = inSeconds(row[k], 0); err != nil {
				return nil, fmt.Errorf("row %d of %s: %w", n+1, stopTimesFile, err)
			}
		}
	}
	run := len(all.header)
	all.header = append(all.header, runColumn, dwellColumn)
	for n, row := range all.rows {
		all.rows[n] = append(row, "", span(row[all.arrival], row[all.departure]))
	}
	names, trips := all.trips()
	for _, name := range names {
		before := trips[name][0]
		for _, row := range trips[name][1:] {
			row[run] = span(before[all.departure], row[all.arrival])
			before = row
		}
	}
	running := all.renamed("arrival_time", arrivalSeconds, "departure_time", departureSeconds)
	return replaced(files, []string{stopTimesFile}, vfs.Files{runningFile: running.text(), shortFile: short.text()}), nil
}

// inSeconds writes a time as seconds after another; an empty one stays empty.
func inSeconds(value string, after int) (string, error) {
	if value == "" {
		return "", nil
	}
	t, ok := readClock(value)
	if !ok {
		return "", fmt.Errorf("%q is no time", value)
	}
	return strconv.Itoa(t - after), nil
}

// span is the time between two times in seconds, empty if one is.
func span(from, to string) string {
	a, errA := strconv.Atoi(from)
	b, errB := strconv.Atoi(to)
	if cmp.Or(errA, errB) != nil {
		return ""
	}
	return strconv.Itoa(b - a)
}

// fromSeconds writes times with hours of two digits, save those listed as short.
func fromSeconds(files vfs.Files) (vfs.Files, error) {
	all, err := stopTimes(files, runningFile, arrivalSeconds, departureSeconds)
	if err != nil {
		return nil, err
	}
	list, err := plain.Table(files, shortFile, "row", "column")
	if err != nil {
		return nil, err
	}
	type place struct{ row, column string }
	short := make(map[place]bool, len(list))
	for _, cells := range list {
		short[place{cells[0], cells[1]}] = true
	}
	times := all.renamed(arrivalSeconds, "arrival_time", departureSeconds, "departure_time")
	for n, row := range times.rows {
		for _, k := range []int{all.arrival, all.departure} {
			isShort := short[place{strconv.Itoa(n + 1), times.header[k]}]
			if row[k], err = atSeconds(row[k], 0, isShort); err != nil {
				return nil, fmt.Errorf("row %d of %s: %w", n+1, runningFile, err)
			}
		}
	}
	times = times.withoutColumns(runColumn, dwellColumn)
	return replaced(files, []string{runningFile, shortFile}, vfs.Files{stopTimesFile: times.text()}), nil
}

// atSeconds is the time that stands so many seconds after another; an empty one
// stays empty.
func atSeconds(seconds string, after int, short bool) (string, error) {
	if seconds == "" {
		return "", nil
	}
	t, err := strconv.Atoi(seconds)
	if err != nil || t+after < 0 || t+after >= maxClock {
		return "", fmt.Errorf("%q are no seconds of a day", seconds)
	}
	return writeClock(t+after, short), nil
}
