package transit

import (
	"cmp"
	"fmt"
	"slices"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
)

// splitTrips gives each value of a column of trips a file of its trips and one of their stop
// times, trips in the order in which they leave.
func splitTrips(p struct {
	By           string // the column
	Trips, Times string // names of files: the value and .txt follow
	Others       string // stands for the value where there is none
}) exact.Steps {
	return steps(func(c *change) error {
		trips, all := c.take(tripsFile, "trip_id", p.By), c.stopTimes()
		names, rows := trips.by("trip_id")
		called, calls := all.trips()
		for _, name := range called {
			if rows[name] == nil {
				names = append(names, name)
			}
		}
		value := trips.column(p.By)
		tripsOf, callsOf := map[string]*grid{}, map[string]*grid{}
		for _, name := range all.byDeparture(names, calls) {
			to := p.Others
			if rows[name] != nil {
				to = cmp.Or(rows[name][0][value], p.Others)
			}
			if to == "" || !isName(to) {
				return fmt.Errorf("the value %q cannot be part of a file name", to)
			}
			if tripsOf[to] == nil {
				tripsOf[to], callsOf[to] = &grid{Header: trips.Header}, &grid{Header: all.Header}
			}
			tripsOf[to].Rows = append(tripsOf[to].Rows, rows[name]...)
			callsOf[to].Rows = append(callsOf[to].Rows, calls[name]...)
		}
		for to := range tripsOf {
			c.put(p.Trips+to+".txt", *tripsOf[to])
			c.put(p.Times+to+".txt", *callsOf[to])
		}
		return nil
	}, func(c *change) error {
		c.put(tripsFile, c.takeAll(p.Trips+"*.txt"))
		c.put(stopTimesFile, c.takeAll(p.Times+"*.txt"))
		return nil
	})
}

// stopBoards gives each stop a board of its departures with some columns of their trips.
func stopBoards(p struct {
	Begins  string // names of files: the stop and .csv follow
	Columns []string
}) exact.Steps {
	return steps(func(c *change) error {
		all := c.stopTimes(p.Columns...)
		trips := c.look(tripsFile, append(slices.Clone(p.Columns), "trip_id")...)
		_, tripRows := trips.by("trip_id")
		stops, rows := all.by("stop_id")
		for _, stop := range stops {
			if stop == "" || !isName(stop) {
				return fmt.Errorf("the stop %q cannot be part of a file name", stop)
			}
			board := grid{Header: append(slices.Clone(all.Header), p.Columns...)}
			slices.SortStableFunc(rows[stop], func(a, b []string) int { return all.leaves(a) - all.leaves(b) })
			for _, row := range rows[stop] {
				trip := tripRows[row[all.trip]]
				board.add(slices.Concat(row, lists.Map(p.Columns, func(column string) string {
					if trip == nil {
						return ""
					}
					return trip[0][trips.column(column)]
				}))...)
			}
			c.put(p.Begins+stop+".csv", board)
		}
		return nil
	}, func(c *change) error {
		all := c.takeAll(p.Begins + "*.csv")
		c.put(stopTimesFile, all.withoutColumns(p.Columns...))
		return all.check(p.Columns)
	})
}
