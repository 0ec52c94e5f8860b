package aviation

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

var timeGroup = regexp.MustCompile(`^\s*([0-9]{10})(?:\D|$)`)

// shiftTimes moves the times of items B and C; what is no time stays.
func shiftTimes(p struct {
	Document, To string
	Hours        float64
}) exact.Steps {
	shift := func(all []entry, by time.Duration) {
		rewriteAll(all, func(_ *entry, name itemName, text string) string {
			at := timeGroup.FindStringSubmatchIndex(text)
			if at == nil || name != itemB && name != itemC {
				return text
			}
			const layout = "0601021504"
			instant, err := time.Parse(layout, text[at[2]:at[3]])
			if err != nil {
				return text
			}
			return text[:at[2]] + instant.Add(by).Format(layout) + text[at[3]:]
		})
	}
	by := time.Duration(p.Hours * float64(time.Hour))
	return bulletins.Change(p.Document, p.To, func(all *[]entry) { shift(*all, by) }, func(all *[]entry) { shift(*all, -by) })
}

var (
	limitNames = map[itemName]string{itemF: "F", itemG: "G"}
	feet       = regexp.MustCompile(`^([0-9]{1,6}) ?FT( AMSL| AGL)?$`)
	metric     = regexp.MustCompile(`^[0-9]+M( AMSL| AGL)?$`)
)

// inMetres converts the limits in feet; flight levels stay.
func inMetres(p struct{ Document, To, Table string }) exact.Steps {
	change := func(all *[]entry) (vfs.Files, error) {
		table := [][]string{{"n", "notam", "item", "coded"}}
		rewriteAll(*all, func(e *entry, name itemName, text string) string {
			coded := strings.TrimSpace(text)
			parts := feet.FindStringSubmatch(coded)
			if parts == nil || limitNames[name] == "" {
				return text
			}
			table = append(table, []string{strconv.Itoa(len(table)), e.notice.id, limitNames[name], coded})
			height, _ := strconv.Atoi(parts[1])
			return replaceTrimmed(text, fmt.Sprintf("%dM%s", metres(height), parts[2]))
		})
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	restore := func(all *[]entry, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "notam", "item", "coded")
		coded := plain.NotesBy(rows, func(row []string) string { return normal(row[0]) + " " + normal(row[1]) })
		rewriteAll(*all, func(e *entry, name itemName, text string) string {
			if metric.MatchString(strings.TrimSpace(text)) {
				if row := coded.Take(e.notice.id + " " + limitNames[name]); row != nil {
					return replaceTrimmed(text, row[2])
				}
			}
			return text
		})
		return err
	}
	return bulletins.Rewrite(p.Document, p.To, change, restore)
}

// metres are whole ones, half a metre rounded up.
func metres(feet int) int {
	const per, of = 3048, 10_000
	return (feet*per + of/2) / of
}

var (
	position     = regexp.MustCompile(`\b([0-9]{4}|[0-9]{6})([NS]) ?([0-9]{5}|[0-9]{7})([EW])\b`)
	positionMark = regexp.MustCompile(`\[POS-([0-9]+)\]`)
)

// listPositions moves the positions in texts to a table, in decimal degrees, and leaves [POS-1],
// [POS-2] and so on.
func listPositions(p struct{ Document, To, Table string }) exact.Steps {
	replace := func(all []entry, find *regexp.Regexp, by func(e *entry, found []string) string) {
		rewriteAll(all, func(e *entry, name itemName, text string) string {
			if name != itemE {
				return text
			}
			return find.ReplaceAllStringFunc(text, func(found string) string { return by(e, find.FindStringSubmatch(found)) })
		})
	}
	change := func(all *[]entry) (vfs.Files, error) {
		table := [][]string{{"pos", "notam", "latitude", "longitude", "coded"}}
		replace(*all, position, func(e *entry, coded []string) string {
			n := strconv.Itoa(len(table))
			table = append(table, []string{n, e.notice.id, decimal(coded[1], coded[2] == "S"), decimal(coded[3], coded[4] == "W"), coded[0]})
			return "[POS-" + n + "]"
		})
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	restore := func(all *[]entry, files vfs.Files) error {
		positions, err := exact.ReadRegister(files, p.Table, "pos", "coded")
		replace(*all, positionMark, func(_ *entry, mark []string) string {
			if coded, known := positions[mark[1]]; known {
				return coded
			}
			return mark[0]
		})
		return err
	}
	return bulletins.Rewrite(p.Document, p.To, change, restore)
}

// decimal are degrees with five places, from degrees and minutes of even or odd
// length, with seconds where there are more than five figures.
func decimal(figures string, negative bool) string {
	const withoutSeconds = 5
	if len(figures) <= withoutSeconds {
		figures += "00"
	}
	n, _ := strconv.Atoi(figures)
	seconds := n/10_000*3600 + n/100%100*60 + n%100
	degrees := float64(seconds) / 3600
	if negative {
		degrees = -degrees
	}
	return strconv.FormatFloat(degrees, 'f', 5, 64)
}
