package translation

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

var (
	// placeholder also matches a percent sign that is written twice, which is none.
	placeholder = regexp.MustCompile(`%%|%(?:\d+\$|\(\w+\))?[-+#0']*(?:\d+|\*)?(?:\.(?:\d+|\*))?` +
		`(?:hh|h|ll|l|z|j|t|L)?[diouxXeEfFgGaAcsp]`)
	placeholderMark = regexp.MustCompile(`\{(\d+)\}`)
)

// markPlaceholders replaces the placeholders of C and Python formats by numbers
// such as {1}, equal ones by the same.
func markPlaceholders(p struct{ Document, To, Table string }) exact.Steps {
	change := func(s *sections) (vfs.Files, error) {
		uses := map[string]int{}
		numbers := exact.Codes{New: func(_ string, n int) string { return strconv.Itoa(n + 1) }}
		s.replaceInFormats(placeholder, func(text string) string {
			if text == "%%" {
				return text
			}
			uses[text]++
			return "{" + numbers.Of(text) + "}"
		})
		used := func(text string) []string { return []string{strconv.Itoa(uses[text])} }
		table := numbers.Table(used, "mark", "placeholder", "uses")
		return vfs.Files{p.Table: table}, nil
	}
	restore := func(s *sections, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "mark", "placeholder")
		of := map[string]string{}
		for _, row := range rows {
			of["{"+strings.Trim(row[0], "{} ")+"}"] = row[1]
		}
		s.replaceInFormats(placeholderMark, func(mark string) string { return cmp.Or(of[mark], mark) })
		return err
	}
	return catalogues.Rewrite(p.Document, p.To, change, restore)
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
