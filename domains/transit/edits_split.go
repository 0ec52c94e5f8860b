package transit

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"agentd/vfs"
)

const (
	tripsPattern     = "trips_*.txt"
	stopTimesPattern = "stop_times_*.txt"
	// noDirection stands in file names for trips without a direction.
	noDirection = "none"
)

// splitByDirection gives each direction a file of its trips and one of their
// stop times, trips in the order in which they leave.
func splitByDirection(files vfs.Files) (vfs.Files, error) {
	trips, err := gridOf(files, tripsFile, "trip_id", "direction_id")
	if err != nil {
		return nil, err
	}
	all, err := stopTimes(files, stopTimesFile, "arrival_time", "departure_time")
	if err != nil {
		return nil, err
	}
	names, rows := trips.by("trip_id")
	called, calls := all.trips()
	for _, name := range called {
		if rows[name] == nil {
			names = append(names, name)
		}
	}
	direction := trips.column("direction_id")
	tripsOf, callsOf := map[string]*grid{}, map[string]*grid{}
	for _, name := range all.byDeparture(names, calls) {
		to := noDirection
		if rows[name] != nil {
			to = cmp.Or(rows[name][0][direction], noDirection)
		}
		if !isFileName(to) {
			return nil, fmt.Errorf("the direction %q cannot be part of a file name", to)
		}
		if tripsOf[to] == nil {
			tripsOf[to], callsOf[to] = &grid{header: trips.header}, &grid{header: all.header}
		}
		tripsOf[to].rows = append(tripsOf[to].rows, rows[name]...)
		callsOf[to].rows = append(callsOf[to].rows, calls[name]...)
	}
	parts := vfs.Files{}
	for to := range tripsOf {
		parts[strings.Replace(tripsPattern, "*", to, 1)] = tripsOf[to].text()
		parts[strings.Replace(stopTimesPattern, "*", to, 1)] = callsOf[to].text()
	}
	return replaced(files, []string{tripsFile, stopTimesFile}, parts), nil
}

// isFileName reports whether an identifier may stand in the name of a file.
func isFileName(id string) bool {
	return id != "" && !strings.ContainsFunc(id, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

func mergeDirections(files vfs.Files) (vfs.Files, error) {
	trips, tripFiles, err := merged(files, tripsPattern)
	if err != nil {
		return nil, err
	}
	calls, callFiles, err := merged(files, stopTimesPattern)
	if err != nil {
		return nil, err
	}
	return replaced(files, append(tripFiles, callFiles...), vfs.Files{tripsFile: trips.text(), stopTimesFile: calls.text()}), nil
}

// merged joins the tables of the files that fit a pattern, which have one
// header.
func merged(files vfs.Files, pattern string) (all grid, names []string, err error) {
	for _, name := range files.Names() {
		if fits, _ := path.Match(pattern, name); !fits {
			continue
		}
		names = append(names, name)
		if len(readTable(name, files[name]).rows) == 0 {
			continue // a direction may lack trips or stop times
		}
		part, err := gridOf(files, name)
		switch {
		case err != nil:
			return grid{}, nil, err
		case all.header == nil:
			all.header = part.header
		case !slices.Equal(all.header, part.header):
			return grid{}, nil, fmt.Errorf("%s has another header than the files before it", name)
		}
		all.rows = append(all.rows, part.rows...)
	}
	if all.header == nil {
		return grid{}, nil, fmt.Errorf("no file %s with rows", pattern)
	}
	return all, names, nil
}

const boardPattern = "board_*.csv"

// boardColumns are what a board says of a trip in addition to its stop times.
var boardColumns = [...]string{"route_id", "trip_headsign"}

// toBoards gives each stop a board of its departures with route and headsign.
func toBoards(files vfs.Files) (vfs.Files, error) {
	all, err := stopTimes(files, stopTimesFile, "arrival_time", "departure_time")
	if err != nil {
		return nil, err
	}
	if err := all.lacks(boardColumns[:]...); err != nil {
		return nil, err
	}
	trips, err := gridOf(files, tripsFile, append(boardColumns[:], "trip_id")...)
	if err != nil {
		return nil, err
	}
	_, tripRows := trips.by("trip_id")
	stops, rows := all.by("stop_id")
	boards := vfs.Files{}
	for _, stop := range stops {
		if !isFileName(stop) {
			return nil, fmt.Errorf("the stop %q cannot be part of a file name", stop)
		}
		board := grid{header: append(slices.Clone(all.header), boardColumns[:]...)}
		for _, row := range all.inOrder(rows[stop]) {
			shown := slices.Clone(row)
			for _, column := range boardColumns {
				value := ""
				if trip := tripRows[row[all.trip]]; trip != nil {
					value = trip[0][trips.column(column)]
				}
				shown = append(shown, value)
			}
			board.rows = append(board.rows, shown)
		}
		boards[strings.Replace(boardPattern, "*", stop, 1)] = board.text()
	}
	return replaced(files, []string{stopTimesFile}, boards), nil
}

// inOrder orders calls by departure or, where there is none, by arrival;
// those without a time come last.
func (c calls) inOrder(rows [][]string) [][]string {
	at := func(row []string) int {
		if t, ok := readClock(cmp.Or(row[c.departure], row[c.arrival])); ok {
			return t
		}
		return maxClock
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b []string) int { return at(a) - at(b) })
	return rows
}

func fromBoards(files vfs.Files) (vfs.Files, error) {
	all, boards, err := merged(files, boardPattern)
	if err != nil {
		return nil, err
	}
	if err := all.check(boardColumns[:]); err != nil {
		return nil, err
	}
	return replaced(files, boards, vfs.Files{stopTimesFile: all.withoutColumns(boardColumns[:]...).text()}), nil
}
