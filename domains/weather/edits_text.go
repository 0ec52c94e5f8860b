package weather

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	shortFile   = "bulletin_short.txt"
	remarksFile = "remarks.csv"
)

var remarkStart = regexp.MustCompile(`(?i)(?:^|\s)RMK\s+`)

// listRemarks numbers the remarks of observations and moves them to a table.
func listRemarks(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	table := [][]string{{"n", "station", "time", "remarks"}}
	for i := range all {
		e := &all[i]
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
	return vfs.Files{shortFile: printed(all), remarksFile: plain.WriteCSV(table)}, nil
}

var remarkNumber = regexp.MustCompile(`@([0-9]+)\s*$`)

func insertRemarks(files vfs.Files) (vfs.Files, error) {
	all, err := readNamed(files, shortFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, remarksFile, "n", "remarks")
	if err != nil {
		return nil, err
	}
	remarks := map[string]string{}
	for _, row := range rows {
		remarks[strings.TrimSpace(row[0])] = row[1]
	}
	for i := range all {
		line := &all[i].lines[len(all[i].lines)-1]
		at := remarkNumber.FindStringSubmatchIndex(*line)
		if all[i].kind != observationEntry || at == nil {
			continue
		}
		if text, ok := remarks[(*line)[at[2]:at[3]]]; ok {
			*line = (*line)[:at[0]] + text
		}
	}
	return asDocument(all), nil
}

// eachGroup rewrites the words of a report up to the remarks; blanks stay.
func (e *entry) eachGroup(change func(word string) string) {
	for n, line := range e.lines {
		var b strings.Builder
		at := 0
		for at < len(line) {
			start := at + len(line[at:]) - len(strings.TrimLeft(line[at:], " \t"))
			length := strings.IndexAny(line[start:], " \t")
			if length < 0 {
				length = len(line) - start
			}
			word := line[start : start+length]
			if strings.EqualFold(word, "RMK") {
				e.lines[n] = b.String() + line[at:]
				return
			}
			b.WriteString(line[at:start] + change(word))
			at = start + length
		}
		e.lines[n] = b.String()
	}
}

const (
	metricFile = "bulletin_mps.txt"
	windsFile  = "winds.csv"
)

// toMetres writes winds in metres per second, rounded, and lists every wind as
// it was coded.
func toMetres(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	table := [][]string{{"n", "station", "coded"}}
	for i := range all {
		e := &all[i]
		if !e.isReport() {
			continue
		}
		e.eachGroup(func(word string) string {
			if !isWind(strings.ToUpper(word)) {
				return word
			}
			table = append(table, []string{strconv.Itoa(len(table)), e.identity()[1], word})
			return metricWind(word)
		})
	}
	return vfs.Files{metricFile: printed(all), windsFile: plain.WriteCSV(table)}, nil
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

func toKnots(files vfs.Files) (vfs.Files, error) {
	all, err := readNamed(files, metricFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, windsFile, "station", "coded")
	if err != nil {
		return nil, err
	}
	coded := map[string][]string{} // by station
	for _, row := range rows {
		coded[row[0]] = append(coded[row[0]], row[1])
	}
	for i := range all {
		e := &all[i]
		if !e.isReport() {
			continue
		}
		station := e.identity()[1]
		e.eachGroup(func(word string) string {
			left := coded[station]
			k := slices.IndexFunc(left, func(wind string) bool { return metricWind(wind) == word })
			if k < 0 {
				return word
			}
			coded[station] = left[k+1:]
			return left[k]
		})
	}
	return asDocument(all), nil
}

const (
	localFile = "bulletin_local.txt"
	// alaska is how far Alaska Standard Time is after UTC.
	alaska = 9 * time.Hour
)

// toLocal writes the times of observations in Alaska Standard Time.
func toLocal(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	if err := shiftTimes(all, "Z", "L", -alaska); err != nil {
		return nil, err
	}
	return vfs.Files{localFile: printed(all)}, nil
}

func toUniversal(files vfs.Files) (vfs.Files, error) {
	all, err := readNamed(files, localFile)
	if err != nil {
		return nil, err
	}
	if err := shiftTimes(all, "L", "Z", alaska); err != nil {
		return nil, err
	}
	return asDocument(all), nil
}

func shiftTimes(all []entry, from, to string, by time.Duration) error {
	issued, err := issueDate(all)
	if err != nil {
		return err
	}
	for i := range all {
		if all[i].kind != observationEntry {
			continue
		}
		all[i].eachGroup(func(word string) string {
			if at, ok := groupTime(issued, strings.ToUpper(word), from); ok {
				return at.Add(by).Format("021504") + to
			}
			return word
		})
	}
	return nil
}
