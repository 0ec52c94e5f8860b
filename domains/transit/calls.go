package transit

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
)

// The columns of the times of a call, as they are written and in seconds.
var (
	clockColumns   = []string{"arrival_time", "departure_time"}
	secondsColumns = []string{"arrival_secs", "departure_secs"}
)

// calls is the grid of the stop times with the places of its columns.
type calls struct {
	grid
	trip, arrival, departure, stop, number int
}

// callsOf finds the columns, those of the times by the names that they have.
func callsOf(g grid, times []string) (calls, error) {
	if err := g.check(append([]string{"trip_id", "stop_id", "stop_sequence"}, times...)); err != nil {
		return calls{}, err
	}
	return calls{
		grid: g, trip: g.column("trip_id"), arrival: g.column(times[0]), departure: g.column(times[1]),
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

// departs is the departure of a call or, if that is not given, its arrival. It is written as in
// the table.
func (c calls) departs(row []string) string { return cmp.Or(row[c.departure], row[c.arrival]) }

// leaves is the time at which a call departs; without a time it is one after all others.
func (c calls) leaves(row []string) int {
	if t, ok := readClock(c.departs(row)); ok {
		return t
	}
	return maxClock
}

// changeTimes changes the times of a row. Empty ones stay.
func (c calls) changeTimes(row []string, change func(column int, time string) (string, error)) (err error) {
	for _, k := range []int{c.arrival, c.departure} {
		if row[k] == "" {
			continue
		}
		if row[k], err = change(k, row[k]); err != nil {
			return fmt.Errorf("trip %s: %w", row[c.trip], err)
		}
	}
	return nil
}

// changed are stop times with other times, for a trip of that name.
func (c calls) changed(rows [][]string, trip string, change func(time string) (string, error)) ([][]string, error) {
	made := make([][]string, len(rows))
	for n, row := range rows {
		made[n] = withCell(row, c.trip, trip)
		if err := c.changeTimes(made[n], func(_ int, time string) (string, error) { return change(time) }); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// shifted are stop times so many seconds later, for a trip of that name.
func (c calls) shifted(rows [][]string, trip string, by int, short bool) ([][]string, error) {
	return c.changed(rows, trip, func(time string) (string, error) {
		seconds, err := inSeconds(time, 0)
		if err != nil {
			return "", err
		}
		return atSeconds(seconds, by, short)
	})
}

// begin reads when a trip begins. It is an error if the times of the trip cannot be told from
// seconds and whether the hours of that time are short.
func (c calls) begin(trip [][]string, begins string) (seconds int, err error) {
	name := trip[0][c.trip]
	seconds, ok := readClock(begins)
	if !ok {
		return 0, fmt.Errorf("trip %s begins at %q, which is no time", name, begins)
	}
	again, err := c.shifted(trip, name, 0, isShort(begins))
	if err != nil {
		return 0, err
	}
	for n := range trip {
		if !slices.Equal(trip[n], again[n]) {
			return 0, fmt.Errorf("trip %s has hours of one digit and of two: %q", name, trip[n])
		}
	}
	return seconds, nil
}

// inSeconds writes a time as seconds after another.
func inSeconds(value string, after int) (string, error) {
	t, ok := readClock(value)
	if !ok {
		return "", fmt.Errorf("%q is no time", value)
	}
	return strconv.Itoa(t - after), nil
}

// atSeconds is the time that stands so many seconds after another.
func atSeconds(seconds string, after int, short bool) (string, error) {
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

// maxClock is more than any time that an edit reads, in seconds.
const maxClock = 1000 * 3600

// cutClock divides a time H:MM:SS of the format into its hours and the rest.
func cutClock(value string) (hours, rest string, ok bool) {
	hours, rest, _ = strings.Cut(value, ":")
	ok = plain.IsDigits(hours) && len(rest) == len("00:00") && rest[2] == ':' &&
		rest[0] <= '5' && rest[3] <= '5' && plain.IsDigits(rest[:2]+rest[3:])
	return hours, rest, ok
}

// readClock reads a time as seconds after noon minus twelve hours. Of hours
// with zeros in front it takes only those that writeClock writes.
func readClock(value string) (seconds int, ok bool) {
	hours, rest, ok := cutClock(value)
	if !ok || len(hours) > 3 || len(hours) == 3 && hours[0] == '0' {
		return 0, false
	}
	h, _ := strconv.Atoi(hours)
	m, _ := strconv.Atoi(rest[:2])
	s, _ := strconv.Atoi(rest[3:])
	return 3600*h + 60*m + s, true
}

// writeClock writes a time with two digits of hours or, if it is short, with
// one where that is enough.
func writeClock(seconds int, short bool) string {
	digits := 2
	if short {
		digits = 1
	}
	return fmt.Sprintf("%0*d:%02d:%02d", digits, seconds/3600, seconds/60%60, seconds%60)
}

// isShort reports whether a time has hours of one digit.
func isShort(value string) bool { return strings.IndexByte(value, ':') == 1 }
