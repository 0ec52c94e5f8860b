package translation

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	markedFile       = "marked.po"
	placeholdersFile = "placeholders.csv"
)

var (
	// placeholder also matches a percent sign that is written twice, which is none.
	placeholder     = regexp.MustCompile(`%%|%(?:\d+\$|\(\w+\))?[-+#0']*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|z|j|t|L)?[diouxXeEfFgGaAcsp]`)
	placeholderMark = regexp.MustCompile(`\{(\d+)\}`)
)

// markPlaceholders replaces the placeholders of C and Python formats by numbers
// such as {1}, equal ones by the same.
func markPlaceholders(files vfs.Files) (vfs.Files, error) {
	s, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	var uses []int
	numbers := map[string]int{}
	rows := [][]string{{"mark", "placeholder", "uses"}}
	s.replaceInFormats(placeholder, func(text string) string {
		if text == "%%" {
			return text
		}
		n, known := numbers[text]
		if !known {
			uses = append(uses, 0)
			n = len(uses)
			numbers[text] = n
			rows = append(rows, []string{strconv.Itoa(n), text, ""})
		}
		uses[n-1]++
		return fmt.Sprintf("{%d}", n)
	})
	for i, n := range uses {
		rows[i+1][2] = strconv.Itoa(n)
	}
	return vfs.Files{markedFile: s.print(), placeholdersFile: plain.WriteCSV(rows)}, nil
}

// replaceInFormats replaces what a pattern matches in the texts of the entries
// with C or Python formats.
func (s sections) replaceInFormats(pattern *regexp.Regexp, by func(string) string) {
	for i := range s.messages {
		e := &s.messages[i]
		m := e.message()
		if !slices.Contains(m.flags, "c-format") && !slices.Contains(m.flags, "python-format") {
			continue
		}
		e.lines = slices.Clone(e.lines)
		for k := range e.lines {
			if l := &e.lines[k]; l.kind == textLine && l.field != contextField {
				l.raw = pattern.ReplaceAllStringFunc(l.raw, by)
			}
		}
	}
}

func writePlaceholders(files vfs.Files) (vfs.Files, error) {
	s, err := readNamed(files, markedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, placeholdersFile, "mark", "placeholder")
	if err != nil {
		return nil, err
	}
	textOf := map[string]string{}
	for _, row := range rows {
		textOf["{"+strings.Trim(row[0], "{} ")+"}"] = row[1]
	}
	s.replaceInFormats(placeholderMark, func(text string) string {
		if known, ok := textOf[text]; ok {
			return known
		}
		return text
	})
	return asDocument(s), nil
}
