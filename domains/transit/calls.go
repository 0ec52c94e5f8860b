package transit

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"agentd/domains/internal/plain"
)

// calls is the grid of the stop times with the places of its columns.
type calls struct {
	grid
	trip, arrival, departure, stop, number int
}

func callsOf(g grid, arrival, departure string) (calls, error) {
	if err := g.check([]string{"trip_id", arrival, departure, "stop_id", "stop_sequence"}); err != nil {
		return calls{}, err
	}
	return calls{
		grid: g, trip: g.column("trip_id"), arrival: g.column(arrival), departure: g.column(departure),
		stop: g.column("stop_id"), number: g.column("stop_sequence"),
	}, nil
}

// trips returns the stop times of each trip in the order of their numbers, and
// the trips in order of first appearance.
func (c calls) trips() (names []string, rows map[string][][]string) {
	names, rows = c.by("trip_id")
	for _, name := range names {
		slices.SortStableFunc(rows[name], func(a, b []string) int {
			return plain.ByNumber(a[c.number:], b[c.number:])
		})
	}
	return names, rows
}

// departs is when a trip leaves its first stop or, if that is not given, when it
// gets there. It is written as in the table.
func (c calls) departs(trip [][]string) string {
	return cmp.Or(trip[0][c.departure], trip[0][c.arrival])
}

// byDeparture orders trips by when they leave, those without a time last.
func (c calls) byDeparture(names []string, trips map[string][][]string) []string {
	leaves := func(name string) int {
		if trip := trips[name]; len(trip) > 0 {
			return c.leaves(trip[0])
		}
		return maxClock
	}
	names = slices.Clone(names)
	slices.SortStableFunc(names, func(a, b string) int { return leaves(a) - leaves(b) })
	return names
}

// leaves is the time of a call, its departure or, if that is not given, its arrival; without a
// time it is one after all others.
func (c calls) leaves(row []string) int {
	if t, ok := readClock(cmp.Or(row[c.departure], row[c.arrival])); ok {
		return t
	}
	return maxClock
}

// shifted are stop times so many seconds later, for a trip of that name. Empty times stay.
func (c calls) shifted(rows [][]string, trip string, by int, short bool) ([][]string, error) {
	later := make([][]string, len(rows))
	for n, row := range rows {
		later[n] = withCell(row, c.trip, trip)
		for _, k := range []int{c.arrival, c.departure} {
			seconds, err := inSeconds(row[k], 0)
			if err != nil {
				return nil, err
			}
			if later[n][k], err = atSeconds(seconds, by, short); err != nil {
				return nil, err
			}
		}
	}
	return later, nil
}

// checkHours is an error if the times of a trip cannot be told from seconds and
// whether their hours are short.
func (c calls) checkHours(trip [][]string, short bool) error {
	again, err := c.shifted(trip, trip[0][c.trip], 0, short)
	if err != nil {
		return err
	}
	for n := range trip {
		if !slices.Equal(trip[n], again[n]) {
			return fmt.Errorf("trip %s has hours of one digit and of two: %q", trip[n][c.trip], trip[n])
		}
	}
	return nil
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

// withCell is a copy of a row with another cell.
func withCell(row []string, k int, value string) []string {
	row = slices.Clone(row)
	row[k] = value
	return row
}
