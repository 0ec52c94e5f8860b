package aviation

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const localFile = "bulletin_local.txt"

// localOffset is that of central European summer time.
const localOffset = 2 * time.Hour

func toLocal(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	shiftTimes(all, localOffset)
	return vfs.Files{localFile: printed(all)}, nil
}

func toUniversal(files vfs.Files) (vfs.Files, error) {
	all, err := readNamed(files, localFile)
	if err != nil {
		return nil, err
	}
	shiftTimes(all, -localOffset)
	return asDocument(all), nil
}

var timeGroup = regexp.MustCompile(`^\s*([0-9]{10})(?:\D|$)`)

// shiftTimes moves the times of items B and C; what is no time stays.
func shiftTimes(all []entry, by time.Duration) {
	rewriteAll(all, func(_ *entry, name itemName, text string) string {
		at := timeGroup.FindStringSubmatchIndex(text)
		if at == nil || name != itemB && name != itemC {
			return text
		}
		const layout, century = "20060102150405", "20"
		instant, err := time.Parse(layout, century+text[at[2]:at[3]]+"00")
		if err != nil {
			return text
		}
		shifted := instant.Add(by).Format(layout)
		return text[:at[2]] + shifted[len(century):len(shifted)-len("00")] + text[at[3]:]
	})
}

const (
	metricFile = "bulletin_metric.txt"
	limitsFile = "limits.csv"
)

var (
	limitColumns = []string{"n", "notam", "item", "coded"}
	limitNames   = map[itemName]string{itemF: "F", itemG: "G"}
	feet         = regexp.MustCompile(`^([0-9]{1,6}) ?FT( AMSL| AGL)?$`)
	metric       = regexp.MustCompile(`^[0-9]+M( AMSL| AGL)?$`)
)

// toMetres converts the limits in feet; flight levels stay.
func toMetres(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	if err := refuseMarks(all, func(name itemName, text string) bool {
		return limitNames[name] != "" && metric.MatchString(strings.TrimSpace(text))
	}); err != nil {
		return nil, err
	}
	table := [][]string{limitColumns}
	rewriteAll(all, func(e *entry, name itemName, text string) string {
		coded := strings.TrimSpace(text)
		parts := feet.FindStringSubmatch(coded)
		if parts == nil || limitNames[name] == "" {
			return text
		}
		table = append(table, []string{strconv.Itoa(len(table)), e.notice.id, limitNames[name], coded})
		height, _ := strconv.Atoi(parts[1])
		return replaceTrimmed(text, fmt.Sprintf("%dM%s", metres(height), parts[2]))
	})
	return vfs.Files{metricFile: printed(all), limitsFile: plain.WriteCSV(table)}, nil
}

// metres are whole ones, half a metre rounded up.
func metres(feet int) int {
	const per, of = 3048, 10_000
	return (feet*per + of/2) / of
}

func toFeet(files vfs.Files) (vfs.Files, error) {
	all, err := readNamed(files, metricFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, limitsFile, limitColumns[1:]...)
	if err != nil {
		return nil, err
	}
	coded := map[[2]string][]string{}
	for _, row := range rows {
		at := [2]string{normal(row[0]), normal(row[1])}
		coded[at] = append(coded[at], row[2])
	}
	rewriteAll(all, func(e *entry, name itemName, text string) string {
		at := [2]string{e.notice.id, limitNames[name]}
		limits := coded[at]
		if len(limits) == 0 || !metric.MatchString(strings.TrimSpace(text)) {
			return text
		}
		coded[at] = limits[1:]
		return replaceTrimmed(text, limits[0])
	})
	return asDocument(all), nil
}

const (
	positionsFile = "positions.csv"
	markedFile    = "bulletin_positions.txt"
)

var (
	positionColumns = []string{"pos", "notam", "latitude", "longitude", "coded"}
	position        = regexp.MustCompile(`\b([0-9]{4}|[0-9]{6})([NS]) ?([0-9]{5}|[0-9]{7})([EW])\b`)
	positionMark    = regexp.MustCompile(`\[POS-[0-9]+\]`)
)

// listPositions moves the positions in texts to a table, in decimal degrees.
func listPositions(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	if err := refuseMarks(all, func(name itemName, text string) bool {
		return name == itemE && positionMark.MatchString(text)
	}); err != nil {
		return nil, err
	}
	table := [][]string{positionColumns}
	rewriteAll(all, func(e *entry, name itemName, text string) string {
		if name != itemE {
			return text
		}
		return position.ReplaceAllStringFunc(text, func(coded string) string {
			parts := position.FindStringSubmatch(coded)
			n := len(table)
			table = append(table, []string{
				strconv.Itoa(n), e.notice.id, decimal(parts[1], parts[2] == "S"), decimal(parts[3], parts[4] == "W"), coded,
			})
			return fmt.Sprintf("[POS-%d]", n)
		})
	})
	return vfs.Files{markedFile: printed(all), positionsFile: plain.WriteCSV(table)}, nil
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

func insertPositions(files vfs.Files) (vfs.Files, error) {
	all, err := readNamed(files, markedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, positionsFile, "pos", "coded")
	if err != nil {
		return nil, err
	}
	coded := map[string]string{}
	for _, row := range rows {
		coded["[POS-"+strings.TrimSpace(row[0])+"]"] = row[1]
	}
	rewriteAll(all, func(_ *entry, name itemName, text string) string {
		if name != itemE {
			return text
		}
		return positionMark.ReplaceAllStringFunc(text, func(mark string) string {
			if original, known := coded[mark]; known {
				return original
			}
			return mark
		})
	})
	return asDocument(all), nil
}
