package makefile

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	rulesFile     = "rules.mk"
	variablesFile = "variables.csv"
)

// takeVariables moves the assignments that are no definitions and not specific
// to a target into a table.
func takeVariables(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	var kept []statement
	var rows [][]string
	line := 1
	for i := range all {
		s := &all[i]
		if s.kind == variableLine && s.rule.targets == nil && s.directive == "" {
			head, value := s.written()
			rows = append(rows, []string{strconv.Itoa(line), head, s.operator, value})
		} else {
			kept = append(kept, *s)
		}
		line += 1 + strings.Count(s.text, "\n")
	}
	slices.SortStableFunc(rows, func(a, b []string) int { return cmp.Compare(a[1], b[1]) })
	table := append([][]string{{"line", "name", "operator", "value"}}, rows...)
	return vfs.Files{rulesFile: printed(kept), variablesFile: plain.WriteCSV(table)}, nil
}

// written is what stands before the operator of an assignment, without blanks
// around it, and what stands after it, with its comment and line ends.
func (s *statement) written() (head, value string) {
	from := strings.LastIndex(s.text[:s.operatorAt()], s.name) + len(s.name)
	head = strings.TrimSpace(s.text[:from])
	return head, strings.TrimSpace(s.text[s.operatorAt()+len(s.operator):])
}

// operatorAt is the place of an assignment's operator.
func (s *statement) operatorAt() int {
	at := 0
	for at < len(s.text) {
		if s.text[at] == '$' {
			at = referenceEnd(s.text, at)
			continue
		}
		if strings.HasPrefix(s.text[at:], s.operator) {
			return at
		}
		at++
	}
	return at
}

func writeVariables(files vfs.Files) (vfs.Files, error) {
	all, err := readNamed(files, rulesFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, variablesFile, "line", "name", "operator", "value")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	rest := plain.Lines(printed(all))
	var lines []string
	for len(rest) > 0 || len(rows) > 0 {
		if len(rows) > 0 {
			place, _ := strconv.Atoi(strings.TrimSpace(rows[0][0]))
			if place <= len(lines)+1 || len(rest) == 0 {
				text := strings.TrimRight(rows[0][1]+" "+rows[0][2]+" "+rows[0][3], " ")
				lines = append(lines, strings.Split(text, "\n")...)
				rows = rows[1:]
				continue
			}
		}
		lines, rest = append(lines, rest[0]), rest[1:]
	}
	return asDocument(plain.Text(lines)), nil
}

const (
	secondsFile   = "seconds.mk"
	durationsFile = "durations.csv"
)

// toSeconds writes every duration in seconds.
func toSeconds(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	table := [][]string{{"number", "line", "duration", "seconds"}}
	lines := plain.Lines(printed(all))
	for i, line := range lines {
		lines[i] = eachDuration(line, func(written string, seconds int) string {
			n := strconv.Itoa(seconds)
			table = append(table, []string{strconv.Itoa(len(table)), strconv.Itoa(i + 1), written, n})
			return n + "s"
		})
	}
	return vfs.Files{secondsFile: plain.Text(lines), durationsFile: plain.WriteCSV(table)}, nil
}

func fromSeconds(files vfs.Files) (vfs.Files, error) {
	text, err := plain.File(files, secondsFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, durationsFile, "number", "duration", "seconds")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	text = eachDuration(text, func(written string, seconds int) string {
		if len(rows) == 0 || rows[0][2] != strconv.Itoa(seconds) {
			return written
		}
		written, rows = rows[0][1], rows[1:]
		return written
	})
	if len(rows) > 0 {
		return nil, fmt.Errorf("%s: no duration of %s seconds is left in %s", durationsFile, rows[0][2], secondsFile)
	}
	return asDocument(text), nil
}

// eachDuration replaces the durations of a text, such as 90s, 30m or 1h30m. One
// stands between blanks, quotes, brackets, commas, semicolons or after an
// equals sign.
func eachDuration(text string, replace func(written string, seconds int) string) string {
	const around = " \t\n\"'(){}[],;"
	var b strings.Builder
	for at := 0; at < len(text); {
		end := at
		for end < len(text) && isDurationByte(text[end]) {
			end++
		}
		written := text[at:end]
		seconds, ok := secondsOf(written)
		before := at == 0 || strings.IndexByte(around+"=", text[at-1]) >= 0
		if ok && before && (end == len(text) || strings.IndexByte(around, text[end]) >= 0) {
			written = replace(written, seconds)
		}
		b.WriteString(written)
		if at = end; at < len(text) {
			b.WriteByte(text[at])
			at++
		}
	}
	return b.String()
}

func isDurationByte(c byte) bool { return isDigit(c) || c == 'h' || c == 'm' || c == 's' }

// secondsOf reads hours, minutes and seconds, in that order, at least one.
func secondsOf(text string) (seconds int, ok bool) {
	for _, unit := range []struct {
		letter  string
		seconds int
	}{{"h", 3600}, {"m", 60}, {"s", 1}} {
		number, rest, found := strings.Cut(text, unit.letter)
		if !found {
			continue
		}
		n, err := strconv.Atoi(number)
		if err != nil || len(number) > 6 {
			return 0, false
		}
		seconds, text, ok = seconds+n*unit.seconds, rest, true
	}
	return seconds, ok && text == ""
}
