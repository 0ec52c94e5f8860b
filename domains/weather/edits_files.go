package weather

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	frameFile = "frame.txt"
	indexFile = "index.csv"
)

// splitStations makes a file of the reports of each station, observations before
// forecasts. All other lines stay in the frame.
func splitStations(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	taken, rest := takeOut(all, func(_ int, e *entry) bool { return e.isReport() })
	observations, forecasts := map[string][]entry{}, map[string][]entry{}
	for _, p := range taken {
		of := observations
		if p.kind == forecastEntry {
			of = forecasts
		}
		station := p.identity()[1]
		of[station] = append(of[station], p.entry)
	}
	out := vfs.Files{frameFile: printed(rest), indexFile: plain.WriteCSV(placesTable(taken))}
	for _, p := range taken {
		station := p.identity()[1]
		out[station+".txt"] = printed(append(observations[station], forecasts[station]...))
	}
	return out, nil
}

func mergeStations(files vfs.Files) (vfs.Files, error) {
	frame, err := readNamed(files, frameFile)
	if err != nil {
		return nil, err
	}
	of, taken, err := readPlaces(files, indexFile)
	if err != nil {
		return nil, err
	}
	for _, name := range files.Match([]string{"*.txt"}).Names() {
		if name == frameFile {
			continue
		}
		for _, e := range readEntries(files[name]) {
			switch {
			case e.isReport():
				taken = append(taken, of.take(e))
			case e.kind == textEntry:
				taken = append(taken, placed{0, e})
			}
		}
	}
	return asDocument(putIn(taken, frame)), nil
}

const (
	observationsFile = "observations.txt"
	periodsFile      = "taf_periods.csv"
)

var periodColumns = []string{"taf", "station", "issued", "kind", "begin", "end", "text"}

// toPeriods makes a table of the periods of all forecasts. A mark stays where a
// forecast stood.
func toPeriods(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	issued, err := issueDate(all)
	if err != nil {
		return nil, err
	}
	table := [][]string{periodColumns}
	n := 0
	for i := range all {
		if all[i].kind != forecastEntry {
			continue
		}
		n++
		id := all[i].identity()
		for _, p := range all[i].datedPeriods(issued) {
			table = append(table, []string{fmt.Sprint(n), id[1], id[2], p.kind, stamp(p.begin), stamp(p.end), p.text})
		}
		all[i] = textLine(forecastMark(n))
	}
	return vfs.Files{observationsFile: printed(all), periodsFile: plain.WriteCSV(table)}, nil
}

func forecastMark(n int) string { return fmt.Sprintf("<TAF %d>", n) }

var forecastMarkPattern = regexp.MustCompile(`^\s*<TAF ([0-9]+)>\s*$`)

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

func fromPeriods(files vfs.Files) (vfs.Files, error) {
	all, err := readNamed(files, observationsFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, periodsFile, "taf", "text")
	if err != nil {
		return nil, err
	}
	lines := map[string][]string{}
	var order []string
	for _, row := range rows {
		n := strings.TrimSpace(row[0])
		text := row[1]
		if len(lines[n]) == 0 {
			order = append(order, n)
		} else {
			text = "     " + text
		}
		lines[n] = append(lines[n], text)
	}
	for i := range all {
		mark := forecastMarkPattern.FindStringSubmatch(all[i].lines[0])
		if mark == nil || lines[mark[1]] == nil {
			continue
		}
		all[i] = entry{kind: forecastEntry, lines: lines[mark[1]]}
		delete(lines, mark[1])
	}
	for _, n := range order {
		if lines[n] != nil {
			all = append(all, entry{kind: forecastEntry, lines: lines[n]})
		}
	}
	return asDocument(all), nil
}
