package weather

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// splitByStation makes a file of the reports of each station, observations before forecasts. All
// other lines stay in the rest.
func splitByStation(p struct{ Document, Rest, Table string }) exact.Steps {
	forward := func(all []entry) (vfs.Files, error) {
		taken, rest := takeOut(all, func(_ int, e *entry) bool { return e.isReport() })
		made := vfs.Files{p.Rest: printed(rest), p.Table: placesTable(taken)}
		for _, kind := range []entryKind{observationEntry, forecastEntry} {
			for _, report := range taken {
				if report.kind == kind {
					made[report.identity()[1]+".txt"] += printed([]entry{report.entry})
				}
			}
		}
		return made, nil
	}
	return bulletins.Whole(p.Document, forward, func(files vfs.Files) ([]entry, error) {
		rest, err := bulletins.Named(files, p.Rest)
		if err != nil {
			return nil, err
		}
		var reports []entry
		for _, name := range files.Match(bulletins.Patterns).Names() {
			for _, e := range readEntries(files[name]) {
				if name != p.Rest && (e.isReport() || e.kind == textEntry) {
					reports = append(reports, e)
				}
			}
		}
		taken, err := readPlaces(files, p.Table, reports)
		return putIn(taken, rest), err
	})
}

// listPeriods makes a table of the periods of all forecasts. A mark stays where a forecast
// stood.
func listPeriods(p struct{ Document, Rest, Table string }) exact.Steps {
	change := func(all *[]entry) (vfs.Files, error) {
		issued, err := issueDate(*all)
		if err != nil {
			return nil, err
		}
		table := [][]string{{"taf", "station", "issued", "kind", "begin", "end", "text"}}
		n := 0
		for i := range *all {
			e := &(*all)[i]
			if e.kind != forecastEntry {
				continue
			}
			n++
			id := e.identity()
			for _, period := range e.datedPeriods(issued) {
				table = append(table, []string{
					strconv.Itoa(n), id[1], id[2], period.kind, stamp(period.begin), stamp(period.end), period.text,
				})
			}
			*e = textLine(fmt.Sprintf("<TAF %d>", n))
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	restore := func(all *[]entry, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "taf", "text")
		number := func(row []string) string { return strings.TrimSpace(row[0]) }
		left := plain.NotesBy(rows, number)
		take := func(n string) entry {
			e := entry{kind: forecastEntry}
			for k, row := range left[n] {
				e.lines = append(e.lines, strings.Repeat(" ", min(k, 1)*5)+row[1])
			}
			delete(left, n)
			return e
		}
		for i := range *all {
			e := &(*all)[i]
			if mark := forecastMark.FindStringSubmatch(e.lines[0]); mark != nil && left[mark[1]] != nil {
				*e = take(mark[1])
			}
		}
		for _, row := range rows {
			if left[number(row)] != nil {
				*all = append(*all, take(number(row)))
			}
		}
		return err
	}
	return bulletins.Rewrite(p.Document, p.Rest, change, restore)
}

var forecastMark = regexp.MustCompile(`^\s*<TAF ([0-9]+)>\s*$`)

// datedPeriod is a period with its instants, zero where the text gives none.
type datedPeriod struct {
	kind, text string
	begin, end time.Time
}

func stamp(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Format("2006-01-02T15:04Z")
}

// datedPeriods divides a forecast where periods are announced. What holds from
// the beginning, or from a time, does so up to the next such time.
func (e *entry) datedPeriods(issued time.Time) []datedPeriod {
	words := strings.Fields(joined(e.lines))
	upper := strings.Fields(strings.ToUpper(joined(e.lines)))
	p := datedPeriod{kind: "INITIAL"}
	heading := slices.IndexFunc(upper, isSpan)
	if heading < 0 {
		p.text = joined(words)
		return []datedPeriod{p}
	}
	p.begin, p.end = span(issued, upper[heading])
	last := p.end
	var all []datedPeriod
	start := 0
	for k := heading + 1; k < len(words); {
		n := periodHeading(upper[k:])
		if n == 0 {
			k++
			continue
		}
		p.text = joined(words[start:k])
		all = append(all, p)
		p = datedPeriod{kind: changeKind(upper[k])}
		if p.kind == "FM" {
			p.begin, _ = groupTime(issued, strings.TrimPrefix(upper[k], "FM"), "")
			p.end = last
			endStanding(all, p.begin)
		} else {
			p.begin, p.end = span(issued, upper[k+n-1])
		}
		start, k = k, k+n
	}
	p.text = joined(words[start:])
	return append(all, p)
}

// endStanding ends the last period that has no end of its own where a new one
// begins.
func endStanding(all []datedPeriod, at time.Time) {
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].kind == "FM" || all[i].kind == "INITIAL" {
			all[i].end = at
			return
		}
	}
}

// span reads days and hours, as in 2818/0124; hour 24 is the end of the day.
func span(issued time.Time, word string) (begin, end time.Time) {
	if !isSpan(word) {
		return begin, end
	}
	from, to, _ := strings.Cut(word, "/")
	return dayHour(issued, from), dayHour(issued, to)
}

func dayHour(near time.Time, text string) time.Time {
	day, hour := number(text[:2]), number(text[2:])
	at, ok := instant(near, day, 0, 0)
	if !ok || hour > 24 {
		return time.Time{}
	}
	return at.Add(time.Duration(hour) * time.Hour)
}
