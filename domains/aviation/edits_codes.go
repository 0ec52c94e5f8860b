package aviation

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	shortFile  = "bulletin_short.txt"
	qLinesFile = "q_lines.json"
)

// qLine is a Q line in parts. Traffic, purpose and scope are as written, with
// the blanks that fill them up.
type qLine struct {
	N         int     `json:"n"`
	Notam     string  `json:"notam"`
	FIR       string  `json:"fir"`
	Code      string  `json:"code"`
	Traffic   string  `json:"traffic"`
	Purpose   string  `json:"purpose"`
	Scope     string  `json:"scope"`
	Lower     int     `json:"lower"`
	Upper     int     `json:"upper"`
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
	Radius    int     `json:"radius"`
}

var (
	qLinePattern = regexp.MustCompile(`^([A-Z]{4})/(Q[A-Z]{4})/([A-Z ]*)/([A-Z ]*)/([A-Z ]*)/([0-9]{3})/([0-9]{3})/([0-9]{4}[NS])([0-9]{5}[EW])([0-9]{3})$`)
	qLineMark    = regexp.MustCompile(`^\[([0-9]+)\]$`)
)

// readQLine reads a Q line that String writes the same; false for another.
func readQLine(text string) (q qLine, ok bool) {
	parts := qLinePattern.FindStringSubmatch(text)
	if parts == nil {
		return q, false
	}
	number := func(text string) int { n, _ := strconv.Atoi(text); return n }
	q = qLine{
		FIR: parts[1], Code: parts[2], Traffic: parts[3], Purpose: parts[4], Scope: parts[5],
		Lower: number(parts[6]), Upper: number(parts[7]), Radius: number(parts[10]),
		Latitude: degrees(parts[8]), Longitude: degrees(parts[9]),
	}
	return q, q.String() == text
}

// degrees are decimal, with four places, from degrees, minutes and a direction.
func degrees(text string) float64 {
	last := len(text) - 1
	n, _ := strconv.Atoi(text[:last])
	minutes := n/100*60 + n%100
	if text[last] == 'S' || text[last] == 'W' {
		minutes = -minutes
	}
	const places = 10_000
	return math.Round(float64(minutes)/60*places) / places
}

func (q qLine) String() string {
	return fmt.Sprintf("%s/%s/%s/%s/%s/%03d/%03d/%s%s%03d", q.FIR, q.Code, q.Traffic, q.Purpose, q.Scope, q.Lower, q.Upper,
		minutes(q.Latitude, 2, "NS"), minutes(q.Longitude, 3, "EW"), q.Radius)
}

// minutes writes degrees with that many figures, minutes and a direction.
func minutes(degrees float64, figures int, directions string) string {
	total := int(math.Round(math.Abs(degrees) * 60))
	direction := directions[0]
	if degrees < 0 {
		direction = directions[1]
	}
	return fmt.Sprintf("%0*d%02d%c", figures, total/60, total%60, direction)
}

// explodeQLines moves the Q lines to a JSON array of their parts.
func explodeQLines(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	if err := refuseMarks(all, func(name itemName, text string) bool {
		return name == itemQ && qLineMark.MatchString(strings.TrimSpace(text))
	}); err != nil {
		return nil, err
	}
	list := []qLine{}
	rewriteAll(all, func(e *entry, name itemName, text string) string {
		q, ok := readQLine(strings.TrimSpace(text))
		if name != itemQ || !ok {
			return text
		}
		q.N, q.Notam = len(list)+1, e.notice.id
		list = append(list, q)
		return replaceTrimmed(text, fmt.Sprintf("[%d]", q.N))
	})
	out, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", qLinesFile, err)
	}
	return vfs.Files{shortFile: printed(all), qLinesFile: string(out) + "\n"}, nil
}

func writeQLines(files vfs.Files) (vfs.Files, error) {
	all, err := readNamed(files, shortFile)
	if err != nil {
		return nil, err
	}
	var list []qLine
	if err := plain.JSON(files, qLinesFile, &list); err != nil {
		return nil, err
	}
	lines := map[string]string{}
	for _, q := range list {
		lines[strconv.Itoa(q.N)] = q.String()
	}
	rewriteAll(all, func(_ *entry, name itemName, text string) string {
		mark := qLineMark.FindStringSubmatch(strings.TrimSpace(text))
		if name != itemQ || mark == nil || lines[mark[1]] == "" {
			return text
		}
		return replaceTrimmed(text, lines[mark[1]])
	})
	return asDocument(all), nil
}

const (
	plainFile = "bulletin_plain.txt"
	codesFile = "codes.csv"
)

// subjects are by the second and third letter of a code, conditions by the last
// two (ICAO Doc 8126); only those that the edit names.
var (
	subjects = map[string]string{
		"FA": "AERODROME", "FU": "FUEL", "IC": "ILS", "LA": "APPROACH LIGHTING", "LP": "PAPI", "LR": "RUNWAY LIGHTING",
		"MN": "APRON", "MR": "RUNWAY", "MX": "TAXIWAY", "NM": "VOR DME", "OB": "OBSTACLE", "OL": "OBSTACLE LIGHTS",
		"PI": "INSTRUMENT APPROACH", "RD": "DANGER AREA", "RT": "RESTRICTED AREA", "WE": "EXERCISES",
		"WP": "PARACHUTE JUMPING", "WU": "UNMANNED AIRCRAFT",
	}
	conditions = map[string]string{
		"AH": "HOURS CHANGED", "AK": "RESUMED", "AS": "UNSERVICEABLE", "AU": "NOT AVAILABLE", "CA": "ACTIVATED",
		"CE": "ERECTED", "CH": "CHANGED", "HW": "WORK IN PROGRESS", "LC": "CLOSED", "LT": "LIMITED", "LW": "WILL TAKE PLACE",
	}
	codeColumns = []string{"code", "meaning", "notams"}
)

// meaning is that of a code in words, empty if a part of it is not known.
func meaning(code string) string {
	const length = len("QMRLC")
	if len(code) != length || code[0] != 'Q' {
		return ""
	}
	subject, condition := subjects[code[1:3]], conditions[code[3:]]
	if subject == "" || condition == "" {
		return ""
	}
	return subject + " " + condition
}

// decodeCodes writes the codes of the Q lines in words and lists those used.
func decodeCodes(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	if err := refuseMarks(all, func(name itemName, text string) bool {
		parts := strings.Split(text, "/")
		return name == itemQ && len(parts) > 1 && strings.ContainsAny(strings.TrimSpace(parts[1]), " \t")
	}); err != nil {
		return nil, err
	}
	uses := map[string]int{}
	rewriteAll(all, func(_ *entry, name itemName, text string) string {
		return replaceCode(name, text, func(code string) string {
			words := meaning(code)
			if words != "" {
				uses[code]++
			}
			return words
		})
	})
	table := [][]string{codeColumns}
	for code, n := range uses {
		table = append(table, []string{code, meaning(code), strconv.Itoa(n)})
	}
	slices.SortFunc(table[1:], slices.Compare[[]string])
	return vfs.Files{plainFile: printed(all), codesFile: plain.WriteCSV(table)}, nil
}

func encodeCodes(files vfs.Files) (vfs.Files, error) {
	all, err := readNamed(files, plainFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, codesFile, codeColumns[:2]...)
	if err != nil {
		return nil, err
	}
	codes := map[string]string{}
	for _, row := range rows {
		codes[normal(row[1])] = strings.TrimSpace(row[0])
	}
	rewriteAll(all, func(_ *entry, name itemName, text string) string {
		return replaceCode(name, text, func(words string) string { return codes[normal(words)] })
	})
	return asDocument(all), nil
}

// replaceCode replaces the second part of a Q line, unless by nothing.
func replaceCode(name itemName, text string, by func(string) string) string {
	fir, rest, found := strings.Cut(text, "/")
	if name != itemQ || !found {
		return text
	}
	code, rest, found := strings.Cut(rest, "/")
	if !found {
		return text
	}
	if other := by(code); other != "" {
		return fir + "/" + other + "/" + rest
	}
	return text
}
