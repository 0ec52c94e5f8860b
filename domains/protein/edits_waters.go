package protein

import (
	"fmt"
	"slices"
	"strconv"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	trustedFile = "trusted.pdb"
	weakFile    = "weak_waters.pdb"
	watersFile  = "waters.csv"
)

// takeWaters moves the waters that one had better not trust to a file of their
// own.
func takeWaters(files vfs.Files) (vfs.Files, error) {
	lines, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	var partners [][3]float64
	for _, line := range lines {
		if isAtom(line) && !isWater(line) && !isOneOf(columns(line, 77, 78), "", "C", "H") {
			partners = append(partners, placeOf(line))
		}
	}
	var kept, weak []string
	table := [][]string{{"line", "serial", "reason"}}
	reason := ""
	for n, line := range lines {
		if !isTensor(line) {
			reason = ""
		}
		if isAtom(line) && isWater(line) {
			reason = weakness(line, partners)
		}
		if reason == "" {
			kept = append(kept, line)
			continue
		}
		weak = append(weak, line)
		table = append(table, []string{strconv.Itoa(n + 1), columns(line, 7, 11), reason})
	}
	return vfs.Files{trustedFile: plain.Text(kept), weakFile: plain.Text(weak), watersFile: plain.WriteCSV(table)}, nil
}

func isWater(line string) bool { return isOneOf(columns(line, 18, 20), "HOH", "WAT", "DOD") }

func isOneOf(text string, among ...string) bool { return slices.Contains(among, text) }

func placeOf(line string) (place [3]float64) {
	for axis := range place {
		place[axis], _ = strconv.ParseFloat(columns(line, 31+8*axis, 38+8*axis), 64)
	}
	return place
}

// weakness is why a water is not trusted, empty if it is.
func weakness(line string, partners [][3]float64) string {
	const (
		hottest = 45.0 // in Å²
		least   = 0.5  // occupancy
		reach   = 3.5  // in Å
	)
	occupancy, _ := strconv.ParseFloat(columns(line, 55, 60), 64)
	bFactor, _ := strconv.ParseFloat(columns(line, 61, 66), 64)
	switch {
	case bFactor > hottest:
		return "hot"
	case occupancy < least:
		return "partial"
	}
	place := placeOf(line)
	for _, partner := range partners {
		sum := 0.0
		for axis := range place {
			d := place[axis] - partner[axis]
			sum += float64(d * d)
		}
		if sum <= reach*reach {
			return ""
		}
	}
	return "lonely"
}

func giveWaters(files vfs.Files) (vfs.Files, error) {
	kept, err := readNamed(files, trustedFile)
	if err != nil {
		return nil, err
	}
	weak, err := readNamed(files, weakFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, watersFile, "line")
	if err != nil {
		return nil, err
	}
	if len(rows) != len(weak) {
		return nil, fmt.Errorf("%s lists %d lines, %s has %d", watersFile, len(rows), weakFile, len(weak))
	}
	at := map[int]string{}
	for k, row := range rows {
		n, err := lineNumber(row[0])
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", watersFile, err)
		}
		at[n] = weak[k]
	}
	return asDocument(placed(kept, at)), nil
}
