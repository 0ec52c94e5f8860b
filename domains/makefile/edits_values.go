package makefile

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// variableTable moves the assignments that are no definitions and not specific to a target
// into a table.
func variableTable(p struct{ Document, To, Table string }) exact.Steps {
	change := func(all *[]statement) (vfs.Files, error) {
		var rows [][]string
		line := 1
		*all = slices.DeleteFunc(*all, func(s statement) bool {
			taken := s.kind == variableLine && s.rule.targets == nil && s.directive == ""
			if taken {
				head, value := s.written()
				rows = append(rows, []string{strconv.Itoa(line), head, s.operator, value})
			}
			line += s.lines()
			return taken
		})
		slices.SortStableFunc(rows, func(a, b []string) int { return cmp.Compare(a[1], b[1]) })
		table := append([][]string{{"line", "name", "operator", "value"}}, rows...)
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	restore := func(all *[]statement, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "line", "name", "operator", "value")
		*all = plain.PutIn(rows, *all, func(row []string) (int, statement) {
			return plain.LineNumber(row[0]), statement{text: strings.TrimRight(row[1]+" "+row[2]+" "+row[3], " ")}
		}, func(s statement) int { return s.lines() })
		return err
	}
	return makefiles.Rewrite(p.Document, p.To, change, restore)
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

// inSeconds writes every duration in seconds.
func inSeconds(p struct{ Document, To, Table string }) exact.Steps {
	forward := func(all []statement) (vfs.Files, error) {
		table := [][]string{{"number", "line", "duration", "seconds"}}
		lines := plain.Lines(printed(all))
		for i, line := range lines {
			lines[i] = eachDuration(line, func(written string, seconds int) string {
				n := strconv.Itoa(seconds)
				table = append(table, []string{strconv.Itoa(len(table)), strconv.Itoa(i + 1), written, n})
				return n + "s"
			})
		}
		return vfs.Files{p.To: plain.Text(lines), p.Table: plain.WriteCSV(table)}, nil
	}
	return makefiles.Whole(p.Document, forward, func(files vfs.Files) ([]statement, error) {
		text, err := plain.File(files, p.To)
		if err != nil {
			return nil, err
		}
		rows, err := plain.Table(files, p.Table, "number", "duration", "seconds")
		slices.SortStableFunc(rows, plain.ByNumber)
		text = eachDuration(text, func(written string, seconds int) string {
			if len(rows) > 0 && rows[0][2] == strconv.Itoa(seconds) {
				written, rows = rows[0][1], rows[1:]
			}
			return written
		})
		if len(rows) > 0 {
			return nil, fmt.Errorf("%s: no duration of %s seconds is left in %s", p.Table, rows[0][2], p.To)
		}
		return read(text), err
	})
}

var (
	durationWord = regexp.MustCompile("[^ \t\n\"'(){}\\[\\],;]+")
	duration     = regexp.MustCompile(`^(\d{1,6}h)?(\d{1,6}m)?(\d{1,6}s)?$`)
)

// eachDuration replaces the durations of a text, such as 90s, 30m or 1h30m. One
// stands between blanks, quotes, brackets, commas, semicolons or after an
// equals sign.
func eachDuration(text string, replace func(written string, seconds int) string) string {
	return durationWord.ReplaceAllStringFunc(text, func(word string) string {
		at := strings.LastIndexByte(word, '=') + 1
		if value, err := time.ParseDuration(word[at:]); err == nil && duration.MatchString(word[at:]) {
			return word[:at] + replace(word[at:], int(value.Seconds()))
		}
		return word
	})
}
