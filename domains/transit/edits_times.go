package transit

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"agentd/domains/internal/exact"
)

// runColumns are the running time from the stop before and the time that the vehicle stands.
var runColumns = []string{"run_secs", "dwell_secs"}

// runningTimes writes times as seconds, with the running time from the stop before and the time
// that the vehicle stands. Times with hours of one digit are listed.
func runningTimes(p struct{ To, Short string }) exact.Steps {
	return steps(func(c *change) error {
		all := c.stopTimes(slices.Concat(secondsColumns, runColumns)...)
		short := grid{Header: []string{"row", "column"}}
		for n, row := range all.Rows {
			err := all.changeTimes(row, func(k int, time string) (string, error) {
				if isShort(time) {
					short.add(strconv.Itoa(n+1), all.Header[k])
				}
				return inSeconds(time, 0)
			})
			if err != nil {
				return fmt.Errorf("row %d of %s: %w", n+1, stopTimesFile, err)
			}
		}
		all.addRunning()
		c.put(p.To, all.renamed(clockColumns, secondsColumns))
		c.put(p.Short, short)
		return nil
	}, func(c *change) error {
		all := c.takeCalls(p.To, secondsColumns)
		type place struct{ row, column string }
		short := map[place]bool{}
		for _, row := range c.takeRows(p.Short, "row", "column") {
			short[place{row[0], row[1]}] = true
		}
		times := all.renamed(secondsColumns, clockColumns)
		for n, row := range times.Rows {
			err := all.changeTimes(row, func(k int, seconds string) (string, error) {
				return atSeconds(seconds, 0, short[place{strconv.Itoa(n + 1), times.Header[k]}])
			})
			if err != nil {
				return fmt.Errorf("row %d of %s: %w", n+1, p.To, err)
			}
		}
		c.put(stopTimesFile, times.withoutColumns(runColumns...))
		return nil
	})
}

// addRunning adds columns of the running times and of the times that the vehicle stands to stop
// times in seconds.
func (c *calls) addRunning() {
	run := len(c.Header)
	c.Header = append(c.Header, runColumns...)
	for n, row := range c.Rows {
		c.Rows[n] = append(row, "", span(row[c.arrival], row[c.departure]))
	}
	_, trips := c.trips()
	for _, trip := range trips {
		for n, row := range trip[1:] {
			row[run] = span(trip[n][c.departure], row[c.arrival])
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
