package edit

import (
	"fmt"
	"regexp"
	"strconv"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// codePrefix is what codes may begin with.
var codePrefix = regexp.MustCompile(`^[A-Z]{1,8}$`)

// codes matches the codes of a prefix.
func codes(prefix string) *regexp.Regexp { return regexp.MustCompile(`\b` + prefix + `\d+\b`) }

// encode puts codes in place of values, and lists them: one for each value of Register, one
// for each place of Aside.
func (s *step) encode() (vfs.Files, error) {
	if found := codes(s.verb.Code).FindString(s.Text()); found != "" {
		return nil, fmt.Errorf("%s has %s already, so that codes cannot begin with %s", s.name, found, s.verb.Code)
	}
	table := [][]string{{"code", "text"}}
	given := make(map[string]string)
	for i := range s.Parts {
		s.Parts[i] = s.by.replace(s.Parts[i], func(value string) string {
			if code, known := given[value]; known && s.verb.Register != "" {
				return code
			}
			code := s.verb.Code + strconv.Itoa(len(table))
			given[value] = code
			table = append(table, []string{code, value})
			return code
		})
	}
	return s.document.with(vfs.Files{s.name: s.Text(), s.verb.Table: plain.WriteCSV(table)}), nil
}

// decode puts the values of the list in place of codes. A code that is not listed stays.
func (p *Program) decode(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, p.verb.Table, "code", "text")
	if err != nil {
		return nil, err
	}
	d, err := p.read(files)
	if err != nil {
		return nil, err
	}
	listed := make(map[string]string, len(rows))
	for _, row := range rows {
		listed[row[0]] = row[1]
	}
	text := codes(p.verb.Code).ReplaceAllStringFunc(d.Text(), func(code string) string {
		if value, known := listed[code]; known {
			return value
		}
		return code
	})
	return d.with(vfs.Files{d.name: text}), nil
}
