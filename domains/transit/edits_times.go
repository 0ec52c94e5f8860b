package transit

import (
	"cmp"
	"fmt"
	"strconv"

	"agentd/domains/internal/exact"
)

// Columns of times in seconds.
const (
	arrivalSeconds   = "arrival_secs"
	departureSeconds = "departure_secs"
	runColumn        = "run_secs"
	dwellColumn      = "dwell_secs"
)

// runningTimes writes times as seconds, with the running time from the stop before and the time
// that the vehicle stands. Times with hours of one digit are listed.
func runningTimes(p struct{ To, Short string }) exact.Steps {
	return steps(func(c *change) error {
		all := c.stopTimes()
		if err := all.lacks(arrivalSeconds, departureSeconds, runColumn, dwellColumn); c.err != nil || err != nil {
			return err
		}
		short := grid{header: []string{"row", "column"}}
		for n, row := range all.rows {
			for _, k := range []int{all.arrival, all.departure} {
				if isShort(row[k]) {
					short.add(strconv.Itoa(n+1), all.header[k])
				}
				var err error
				if row[k], err = inSeconds(row[k], 0); err != nil {
					return fmt.Errorf("row %d of %s: %w", n+1, stopTimesFile, err)
				}
			}
		}
		all.addRunning()
		c.put(p.To, all.renamed("arrival_time", arrivalSeconds, "departure_time", departureSeconds))
		c.put(p.Short, short)
		return nil
	}, func(c *change) error {
		all := c.takeCalls(p.To, arrivalSeconds, departureSeconds)
		type place struct{ row, column string }
		short := map[place]bool{}
		for _, row := range c.takeRows(p.Short, "row", "column") {
			short[place{row[0], row[1]}] = true
		}
		times := all.renamed(arrivalSeconds, "arrival_time", departureSeconds, "departure_time")
		for n, row := range times.rows {
			for _, k := range []int{all.arrival, all.departure} {
				isShort := short[place{strconv.Itoa(n + 1), times.header[k]}]
				var err error
				if row[k], err = atSeconds(row[k], 0, isShort); err != nil {
					return fmt.Errorf("row %d of %s: %w", n+1, p.To, err)
				}
			}
		}
		c.put(stopTimesFile, times.withoutColumns(runColumn, dwellColumn))
		return nil
	})
}

// addRunning adds columns of the running times and of the times that the vehicle stands to stop
// times in seconds.
func (c *calls) addRunning() {
	run := len(c.header)
	c.header = append(c.header, runColumn, dwellColumn)
	for n, row := range c.rows {
		c.rows[n] = append(row, "", span(row[c.arrival], row[c.departure]))
	}
	names, trips := c.trips()
	for _, name := range names {
		before := trips[name][0]
		for _, row := range trips[name][1:] {
			row[run] = span(before[c.departure], row[c.arrival])
			before = row
		}
	}
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
