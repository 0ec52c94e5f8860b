package weather

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// bulletinFile is the file that every backward step leaves.
const bulletinFile = "bulletin.txt"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "chronological", Forward: sortByTime, Backward: regroup},
		{Name: "station_files", Forward: splitStations, Backward: mergeStations},
		{Name: "observation_table", Forward: toTable, Backward: fromTable},
		{Name: "flight_categories", Forward: sortByCategory, Backward: dropCategories},
		{Name: "taf_periods", Forward: toPeriods, Backward: fromPeriods},
		{Name: "remark_list", Forward: listRemarks, Backward: insertRemarks},
		{Name: "metric_winds", Forward: toMetres, Backward: toKnots},
		{Name: "local_times", Forward: toLocal, Backward: toUniversal},
	}
}

// readDocument reads the bulletin that a forward step is given.
func readDocument(files vfs.Files) ([]entry, error) {
	var all []entry
	for _, name := range files.Match([]string{"*.txt"}).Names() {
		all = append(all, readEntries(files[name])...)
	}
	if !slices.ContainsFunc(all, func(e entry) bool { return e.isReport() }) {
		return nil, errNoReport
	}
	return all, nil
}

// readNamed reads the file that a backward step needs.
func readNamed(files vfs.Files, name string) ([]entry, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	return readEntries(text), nil
}

func asDocument(entries []entry) vfs.Files { return vfs.Files{bulletinFile: printed(entries)} }

func blankLine() entry { return entry{kind: blankEntry, lines: []string{""}} }

func textLine(text string) entry { return entry{kind: textEntry, lines: []string{text}} }

// identity are the type, station and time of a report, without modifiers.
func (e *entry) identity() [3]string {
	var id [3]string
	copy(id[:], e.words)
	if len(e.words) > 2 && isRevision(e.words[1]) {
		copy(id[1:], e.words[2:])
	}
	return id
}

// placed is an entry with the line on which it begins in the bulletin, 0 if
// nothing says it.
type placed struct {
	line int
	entry
}

// takeOut divides a bulletin into the entries that are taken and the rest.
func takeOut(all []entry, takes func(n int, e *entry) bool) (taken []placed, rest []entry) {
	line := 1
	for n := range all {
		if takes(n, &all[n]) {
			taken = append(taken, placed{line, all[n]})
		} else {
			rest = append(rest, all[n])
		}
		line += len(all[n].lines)
	}
	return taken, rest
}

// putIn is the reverse of takeOut. Entries without a line come last.
func putIn(taken []placed, rest []entry) []entry {
	return plain.PutIn(taken, rest, func(p placed) (int, entry) { return p.line, p.entry }, func(e entry) int { return len(e.lines) })
}

// places are the lines on which reports begin, by identity.
type places map[[3]string][]int

var placeColumns = []string{"line", "type", "station", "time"}

// placesTable has a row for each report and each empty line.
func placesTable(taken []placed) [][]string {
	table := [][]string{placeColumns}
	for _, p := range taken {
		if p.kind == textEntry {
			continue // a heading of the new order
		}
		id := p.identity()
		table = append(table, append([]string{strconv.Itoa(p.line)}, id[:]...))
	}
	return table
}

// readPlaces returns the places of the reports, and those of blank lines.
func readPlaces(files vfs.Files, name string) (of places, blanks []placed, err error) {
	rows, err := plain.Table(files, name, placeColumns...)
	if err != nil {
		return nil, nil, err
	}
	of = places{}
	for _, row := range rows {
		line := plain.LineNumber(row[0])
		if id := [3]string(row[1:]); id != [3]string{} {
			of[id] = append(of[id], line)
		} else {
			blanks = append(blanks, placed{line, blankLine()})
		}
	}
	return of, blanks, nil
}

// take gives a report its place.
func (p places) take(e entry) placed {
	id := e.identity()
	lines := p[id]
	if len(lines) == 0 {
		return placed{0, e}
	}
	p[id] = lines[1:]
	return placed{lines[0], e}
}

var errNoDate = errors.New("the bulletin has no DTG with day, time, month and year")

// issueDate is the instant of the header's DTG.
func issueDate(all []entry) (time.Time, error) {
	for i := range all {
		if all[i].kind != headerEntry || all[i].words[0] != "DTG" {
			continue
		}
		if at, err := time.Parse("021504Z Jan 2006", all[i].words[1]); err == nil {
			return at, nil
		}
	}
	return time.Time{}, errNoDate
}

// instant is the one nearest to a date that has the day, hour and minute.
func instant(near time.Time, day, hour, minute int) (time.Time, bool) {
	var best time.Time
	found := false
	for month := -1; month <= 1; month++ {
		at := time.Date(near.Year(), near.Month()+time.Month(month), day, hour, minute, 0, 0, time.UTC)
		if at.Day() != day {
			continue // the month has no such day
		}
		if !found || at.Sub(near).Abs() < best.Sub(near).Abs() {
			best, found = at, true
		}
	}
	return best, found
}

// groupTime reads a time of six digits and a letter.
func groupTime(near time.Time, word, zone string) (time.Time, bool) {
	figures, ok := strings.CutSuffix(word, zone)
	if !ok || len(figures) != 6 || !isDigits(figures) {
		return time.Time{}, false
	}
	day, hour, minute := number(figures[:2]), number(figures[2:4]), number(figures[4:])
	if hour > 23 || minute > 59 {
		return time.Time{}, false
	}
	return instant(near, day, hour, minute)
}
