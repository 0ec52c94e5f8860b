package aviation

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
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

// takeQLines moves the Q lines to a JSON array of their parts, and leaves [1], [2] and so on.
func takeQLines(p struct{ Document, To, List string }) exact.Steps {
	change := func(all *[]entry) ([]qLine, error) {
		list := []qLine{}
		rewriteAll(*all, func(e *entry, name itemName, text string) string {
			q, ok := readQLine(strings.TrimSpace(text))
			if name != itemQ || !ok {
				return text
			}
			q.N, q.Notam = len(list)+1, e.notice.id
			list = append(list, q)
			return replaceTrimmed(text, fmt.Sprintf("[%d]", q.N))
		})
		return list, nil
	}
	return exact.Keeping(&bulletins, p.Document, p.To, p.List, change, func(all *[]entry, list []qLine) error {
		lines := map[string]string{}
		for _, q := range list {
			lines[strconv.Itoa(q.N)] = q.String()
		}
		rewriteAll(*all, func(_ *entry, name itemName, text string) string {
			mark := qLineMark.FindStringSubmatch(strings.TrimSpace(text))
			if name != itemQ || mark == nil || lines[mark[1]] == "" {
				return text
			}
			return replaceTrimmed(text, lines[mark[1]])
		})
		return nil
	})
}

// decodeCodes writes the codes of the Q lines in words, those of the subject before those of
// the condition, and lists the codes with how many notices have them.
func decodeCodes(p struct {
	Document, To         string
	Subjects, Conditions map[string]string // by the letters 2 and 3, 4 and 5 of the code
	Table                string
}) exact.Steps {
	meaning := func(code string) string {
		const length = len("QMRLC")
		if len(code) != length || code[0] != 'Q' {
			return ""
		}
		subject, condition := p.Subjects[code[1:3]], p.Conditions[code[3:]]
		if subject == "" || condition == "" {
			return ""
		}
		return subject + " " + condition
	}
	change := func(all *[]entry) (vfs.Files, error) {
		uses := map[string]int{}
		replaceCodes(*all, func(code string) string {
			words := meaning(code)
			if words != "" {
				uses[code]++
			}
			return words
		})
		table := [][]string{{"code", "meaning", "notams"}}
		for _, code := range slices.Sorted(maps.Keys(uses)) {
			table = append(table, []string{code, meaning(code), strconv.Itoa(uses[code])})
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	restore := func(all *[]entry, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "code", "meaning")
		codes := map[string]string{}
		for _, row := range rows {
			codes[normal(row[1])] = strings.TrimSpace(row[0])
		}
		replaceCodes(*all, func(words string) string { return codes[normal(words)] })
		return err
	}
	return bulletins.Rewrite(p.Document, p.To, change, restore)
}

// replaceCodes replaces the second parts of Q lines, unless by nothing.
func replaceCodes(all []entry, by func(string) string) {
	rewriteAll(all, func(_ *entry, name itemName, text string) string {
		const parts = 3 // the rest is the third
		of := strings.SplitN(text, "/", parts)
		if name == itemQ && len(of) == parts {
			of[1] = cmp.Or(by(of[1]), of[1])
		}
		return strings.Join(of, "/")
	})
}
