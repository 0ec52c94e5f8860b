package latex

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/vfs"
)

const unitsPackage = "\\usepackage{siunitx}\n"

// A number with a decimal point or without, and a unit.
var (
	numberAtEnd    = regexp.MustCompile(`(?:^|[^\d.])(\d+(?:\.\d+)?)$`)
	lettersAtBegin = regexp.MustCompile(`^[A-Za-z]+`)
)

// withSIUnits writes numbers with a thin space and a unit with siunitx.
func withSIUnits(p struct {
	Document, Bibliography, To string
	Units                      map[string]string // as siunitx has them, by how they are written
}) exact.Steps {
	written := map[string]string{}
	for unit, name := range p.Units {
		written[name] = unit
	}
	if len(written) < len(p.Units) {
		return exact.Refuse("two units have the same name in siunitx")
	}
	forward := func(s *source, _ string, _ vfs.Files) (r revision, err error) {
		if strings.Contains(s.text, "siunitx") || strings.Contains(s.text, `\qty`) {
			return r, errors.New("the paper has siunitx already")
		}
		at, err := s.afterPackages()
		r.changes = []change{{at, at, unitsPackage}}
		for i := 1; i+1 < len(s.tokens); i++ {
			isSpace := s.tokens[i].kind == symbolToken && s.of(i) == `\,`
			if !isSpace || s.tokens[i-1].kind != wordToken || s.tokens[i+1].kind != wordToken {
				continue
			}
			number, unit := numberAtEnd.FindStringSubmatch(s.of(i-1)), lettersAtBegin.FindString(s.of(i+1))
			if name := p.Units[unit]; number != nil && name != "" {
				from, to := int(s.tokens[i-1].end)-len(number[1]), int(s.tokens[i+1].at)+len(unit)
				r.changes = append(r.changes, change{from, to, fmt.Sprintf(`\qty{%s}{%s}`, number[1], name)})
			}
		}
		return r, err
	}
	backward := func(s *source, _ string, _ vfs.Files) (r revision, err error) {
		at := strings.Index(s.text, unitsPackage)
		if at < 0 {
			return r, errors.New("no line with \\usepackage{siunitx}")
		}
		r.changes = []change{{at, at + len(unitsPackage), ""}}
		for i := range s.tokens {
			if !s.is(i, "qty") {
				continue
			}
			lo, hi, next, ok := s.group(s.skip(i + 1))
			unitLo, unitHi, after, hasUnit := s.group(s.skip(next))
			unit := written[strings.Join(strings.Fields(s.between(unitLo, unitHi)), "")]
			if !ok || !hasUnit || unit == "" {
				return r, fmt.Errorf("a quantity has no unit that is known: %s", s.between(unitLo, unitHi))
			}
			from, to := int(s.tokens[i].at), int(s.tokens[after-1].end)
			r.changes = append(r.changes, change{from, to, s.between(lo, hi) + `\,` + unit})
		}
		return r, nil
	}
	return revise(papers{p.Document, p.Bibliography}, papers{p.To, p.Bibliography}, forward, backward)
}

// afterPackages is the beginning of the line below the last \usepackage, or
// else below \documentclass.
func (s *source) afterPackages() (int, error) {
	at := -1
	for i := range s.tokens {
		if !s.is(i, "usepackage") && !s.is(i, "documentclass") {
			continue
		}
		next := s.skip(i + 1)
		if _, _, after, ok := s.option(next); ok {
			next = s.skip(after)
		}
		if _, _, after, ok := s.group(next); ok {
			at = int(s.tokens[after-1].end)
		}
	}
	if at < 0 {
		return 0, errors.New("the paper has no \\documentclass")
	}
	end := strings.IndexByte(s.text[at:], '\n')
	if end < 0 {
		return 0, errors.New("no line below the packages")
	}
	return at + end + 1, nil
}
