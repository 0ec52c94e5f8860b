package weather

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// bulletins says how bulletins, which are lists of entries, are taken apart and put together.
var bulletins = exact.Format[[]entry, entry]{
	Patterns: []string{"*.txt"},
	Read:     readEntries,
	Print:    printed,
	Parts:    func(entries *[]entry) *[]entry { return entries },
	Empty:    errNoReport,
	Counts:   (*entry).isReport,
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("sort_by_time", sortByTime),
		domains.Taking("split_by_station", splitByStation),
		domains.Taking("table", inTable),
		domains.Taking("group_by_category", groupByCategory),
		domains.Taking("list_periods", listPeriods),
		domains.Taking("list_remarks", listRemarks),
		domains.Taking("metric_winds", metricWinds),
		domains.Taking("shift_times", shiftTimes),
	}
}

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
	place := func(p placed) (int, entry) { return p.line, p.entry }
	return plain.PutIn(taken, rest, place, func(e entry) int { return len(e.lines) })
}

// placesTable has a row for each report and each empty line.
func placesTable(taken []placed) string {
	table := [][]string{{"line", "type", "station", "time"}}
	for _, p := range taken {
		if p.kind == textEntry {
			continue // a heading of the new order
		}
		id := p.identity()
		table = append(table, append([]string{strconv.Itoa(p.line)}, id[:]...))
	}
	return plain.WriteCSV(table)
}

// readPlaces gives reports the lines that a table has for them, and adds its blank lines.
// Foreign text comes last.
func readPlaces(files vfs.Files, table string, entries []entry) (taken []placed, err error) {
	rows, err := plain.Table(files, table, "line", "type", "station", "time")
	about := func(id []string) string { return strings.Join(id, " ") }
	places := plain.NotesBy(rows, func(row []string) string { return about(row[1:]) })
	var none [3]string
	for _, row := range places[about(none[:])] {
		taken = append(taken, placed{plain.LineNumber(row[0]), blankLine()})
	}
	for _, e := range entries {
		id := e.identity()
		row := append(places.Take(about(id[:])), "")
		taken = append(taken, placed{plain.LineNumber(row[0]), e})
	}
	return taken, err
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
	if !ok || len(figures) != 6 || !plain.IsDigits(figures) {
		return time.Time{}, false
	}
	day, hour, minute := number(figures[:2]), number(figures[2:4]), number(figures[4:])
	if hour > 23 || minute > 59 {
		return time.Time{}, false
	}
	return instant(near, day, hour, minute)
}
