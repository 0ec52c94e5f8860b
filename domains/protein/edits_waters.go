package protein

import (
	"fmt"
	"slices"
	"strconv"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// limits say which waters one had better not trust.
type limits struct {
	Hottest   float64 // B factor, in Å²
	Occupancy float64 // the least
	Reach     float64 // of the nearest partner, in Å
}

// watersApart moves the waters that are beyond some limits to a file of their own, and says in
// the table for which reason.
func watersApart(p struct {
	Document            string
	Limits              limits
	Waters, Rest, Table string
}) exact.Steps {
	forward := func(lines []string) (vfs.Files, error) {
		var partners [][3]float64
		for _, line := range lines {
			if isAtom(line) && !isWater(line) && !slices.Contains([]string{"", "C", "H"}, columns(line, 77, 78)) {
				partners = append(partners, placeOf(line))
			}
		}
		var kept, apart []string
		table := [][]string{{"line", "serial", "reason"}}
		reason := ""
		for n, line := range lines {
			if !isTensor(line) {
				reason = ""
			}
			if isAtom(line) && isWater(line) {
				reason = p.Limits.reason(line, partners)
			}
			if reason == "" {
				kept = append(kept, line)
				continue
			}
			apart = append(apart, line)
			table = append(table, []string{strconv.Itoa(n + 1), columns(line, 7, 11), reason})
		}
		return vfs.Files{p.Rest: plain.Text(kept), p.Waters: plain.Text(apart), p.Table: plain.WriteCSV(table)}, nil
	}
	return whole(p.Document, forward, func(files vfs.Files) ([]string, error) {
		kept, err := structures.Named(files, p.Rest)
		if err != nil {
			return nil, err
		}
		apart, err := structures.Named(files, p.Waters)
		if err != nil {
			return nil, err
		}
		left := map[string][]string{p.Waters: apart}
		lines, err := placedBy(files, p.Table, nil, kept, func([]string) (string, error) { return next(left, p.Waters) })
		if n := len(left[p.Waters]); err == nil && n > 0 {
			return nil, fmt.Errorf("%s has %d lines that %s does not list", p.Waters, n, p.Table)
		}
		return lines, err
	})
}

func isWater(line string) bool {
	return slices.Contains([]string{"HOH", "WAT", "DOD"}, columns(line, 18, 20))
}

func placeOf(line string) (place [3]float64) {
	for axis := range place {
		place[axis], _ = strconv.ParseFloat(columns(line, 31+8*axis, 38+8*axis), 64)
	}
	return place
}

// reason is why a water is not trusted, empty if it is.
func (l limits) reason(line string, partners [][3]float64) string {
	occupancy, _ := strconv.ParseFloat(columns(line, 55, 60), 64)
	bFactor, _ := strconv.ParseFloat(columns(line, 61, 66), 64)
	switch {
	case bFactor > l.Hottest:
		return "hot"
	case occupancy < l.Occupancy:
		return "partial"
	}
	place := placeOf(line)
	for _, partner := range partners {
		sum := 0.0
		for axis := range place {
			d := place[axis] - partner[axis]
			sum += float64(d * d)
		}
		if sum <= l.Reach*l.Reach {
			return ""
		}
	}
	return "lonely"
}
