package weather

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

var (
	remarkStart  = regexp.MustCompile(`(?i)(?:^|\s)RMK\s+`)
	remarkNumber = regexp.MustCompile(`@([0-9]+)\s*$`)
)

// listRemarks moves the remarks of observations to a table and leaves their numbers there, as
// in @1.
func listRemarks(p struct{ Document, To, Table string }) exact.Steps {
	change := func(all *[]entry) (vfs.Files, error) {
		table := [][]string{{"n", "station", "time", "remarks"}}
		for i := range *all {
			e := &(*all)[i]
			text := strings.Join(e.lines, "\n")
			at := remarkStart.FindStringIndex(text)
			if e.kind != observationEntry || at == nil || at[1] == len(text) {
				continue
			}
			n := strconv.Itoa(len(table))
			id := e.identity()
			table = append(table, []string{n, id[1], id[2], text[at[1]:]})
			e.lines = []string{text[:at[1]] + "@" + n}
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	restore := func(all *[]entry, files vfs.Files) error {
		remarks, err := exact.ReadRegister(files, p.Table, "n", "remarks")
		for i := range *all {
			e := &(*all)[i]
			line := &e.lines[len(e.lines)-1]
			at := remarkNumber.FindStringSubmatchIndex(*line)
			if e.kind != observationEntry || at == nil {
				continue
			}
			if text, ok := remarks[(*line)[at[2]:at[3]]]; ok {
				*line = (*line)[:at[0]] + text
			}
		}
		return err
	}
	return bulletins.Rewrite(p.Document, p.To, change, restore)
}

// eachGroup rewrites the words of reports of some kinds up to the remarks; blanks stay.
func eachGroup(all []entry, change func(e *entry, word string) string, kinds ...entryKind) {
	for i := range all {
		if e := &all[i]; slices.Contains(kinds, e.kind) {
			e.eachGroup(func(word string) string { return change(e, word) })
		}
	}
}

var (
	remarksGroup = regexp.MustCompile(`(?i)(?:^|[ \t])RMK(?:[ \t]|$)`)
	anyGroup     = regexp.MustCompile(`[^ \t]+`)
)

// eachGroup rewrites the words of a report up to the remarks; blanks stay.
func (e *entry) eachGroup(change func(word string) string) {
	for n, line := range e.lines {
		end := len(line)
		at := remarksGroup.FindStringIndex(line)
		if at != nil {
			end = at[0]
		}
		e.lines[n] = anyGroup.ReplaceAllStringFunc(line[:end], change) + line[end:]
		if at != nil {
			return
		}
	}
}

// metricWinds writes winds in metres per second, rounded, and lists every wind as it was coded.
func metricWinds(p struct{ Document, To, Table string }) exact.Steps {
	change := func(all *[]entry) (vfs.Files, error) {
		table := [][]string{{"n", "station", "coded"}}
		eachGroup(*all, func(e *entry, word string) string {
			if groups.name(strings.ToUpper(word)) != "wind" {
				return word
			}
			table = append(table, []string{strconv.Itoa(len(table)), e.identity()[1], word})
			return metricWind(word)
		}, observationEntry, forecastEntry)
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	restore := func(all *[]entry, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "station", "coded")
		coded := plain.NotesBy(rows, func(row []string) string { return row[0] })
		eachGroup(*all, func(e *entry, word string) string {
			station := e.identity()[1]
			left := coded[station]
			k := slices.IndexFunc(left, func(row []string) bool { return metricWind(row[1]) == word })
			if k < 0 {
				return word
			}
			coded[station] = left[k+1:]
			return left[k][1]
		}, observationEntry, forecastEntry)
		return err
	}
	return bulletins.Rewrite(p.Document, p.To, change, restore)
}

var knotsPattern = regexp.MustCompile(`(?i)^([0-9]{3}|VRB)([0-9]{2,3})(?:G([0-9]{2,3}))?KT$`)

// metricWind converts a wind in knots; others stay.
func metricWind(word string) string {
	parts := knotsPattern.FindStringSubmatch(word)
	if parts == nil {
		return word
	}
	metric := strings.ToUpper(parts[1]) + metres(parts[2])
	if parts[3] != "" {
		metric += "G" + metres(parts[3])
	}
	return metric + "MPS"
}

// metres rounds a speed in knots to metres per second of two figures or more.
func metres(knots string) string {
	const inKnot = 0.514444
	return fmt.Sprintf("%02.0f", math.Round(float64(number(knots))*inKnot))
}

// shiftTimes writes the times of observations in another zone.
func shiftTimes(p struct {
	Document, To string
	Hours        float64 // by which the zone is before UTC
	Letter       string  // of the zone, for Z
}) exact.Steps {
	by := time.Duration(p.Hours * float64(time.Hour))
	shift := func(all []entry, from, to string, by time.Duration) error {
		issued, err := issueDate(all)
		if err != nil {
			return err
		}
		eachGroup(all, func(_ *entry, word string) string {
			if at, ok := groupTime(issued, strings.ToUpper(word), from); ok {
				return at.Add(by).Format("021504") + to
			}
			return word
		}, observationEntry)
		return nil
	}
	return bulletins.Rewrite(p.Document, p.To,
		func(all *[]entry) (vfs.Files, error) { return nil, shift(*all, "Z", p.Letter, by) },
		func(all *[]entry, _ vfs.Files) error { return shift(*all, p.Letter, "Z", -by) })
}
