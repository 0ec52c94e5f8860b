package latex

import (
	"errors"
	"fmt"
	"strings"

	"agentd/vfs"
)

const (
	unitsFile    = "units.tex"
	unitsPackage = "\\usepackage{siunitx}\n"
)

// unitNames are the units as written and as siunitx has them.
var unitNames = map[string]string{
	"Hz": `\hertz`, "kHz": `\kilo\hertz`, "m": `\metre`, "mm": `\milli\metre`, "kg": `\kilo\gram`,
	"s": `\second`, "ms": `\milli\second`, "dB": `\decibel`,
}

// toUnits writes numbers with a thin space and a unit with siunitx.
func toUnits(files vfs.Files) (vfs.Files, error) {
	s, err := readSource(files, paperFile)
	if err != nil {
		return nil, err
	}
	if strings.Contains(s.text, "siunitx") || strings.Contains(s.text, `\qty`) {
		return nil, errors.New("the paper has siunitx already")
	}
	at, err := s.afterPackages()
	if err != nil {
		return nil, err
	}
	changes := []change{{at, at, unitsPackage}}
	for i := 1; i+1 < len(s.tokens); i++ {
		if s.tokens[i].kind != symbolToken || s.of(i) != `\,` || s.tokens[i-1].kind != wordToken || s.tokens[i+1].kind != wordToken {
			continue
		}
		number, unit := numberAfter(s.of(i-1)), unitBefore(s.of(i+1))
		if number == "" || unit == "" {
			continue
		}
		changes = append(changes, change{
			int(s.tokens[i-1].end) - len(number), int(s.tokens[i+1].at) + len(unit),
			fmt.Sprintf(`\qty{%s}{%s}`, number, unitNames[unit]),
		})
	}
	return withBibliography(files, vfs.Files{unitsFile: s.changed(changes)})
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

// numberAfter is the decimal number at the end of a word, empty if there is
// none.
func numberAfter(word string) string {
	number := word[len(strings.TrimRight(word, "0123456789.")):]
	whole, fraction, found := strings.Cut(number, ".")
	if whole == "" || found && fraction == "" || strings.Contains(fraction, ".") {
		return ""
	}
	return number
}

// unitBefore is the unit with which a word begins, empty if it begins with
// another word.
func unitBefore(word string) string {
	end := 0
	for end < len(word) && isLetter(word[end]) {
		end++
	}
	if unitNames[word[:end]] == "" {
		return ""
	}
	return word[:end]
}

func fromUnits(files vfs.Files) (vfs.Files, error) {
	s, err := readSource(files, unitsFile)
	if err != nil {
		return nil, err
	}
	at := strings.Index(s.text, unitsPackage)
	if at < 0 {
		return nil, errors.New("no line with \\usepackage{siunitx}")
	}
	written := map[string]string{}
	for unit, name := range unitNames {
		written[name] = unit
	}
	changes := []change{{at, at + len(unitsPackage), ""}}
	for i := range s.tokens {
		if !s.is(i, "qty") {
			continue
		}
		lo, hi, next, ok := s.group(s.skip(i + 1))
		unitLo, unitHi, after, hasUnit := s.group(s.skip(next))
		unit := written[strings.Join(strings.Fields(s.between(unitLo, unitHi)), "")]
		if !ok || !hasUnit || unit == "" {
			return nil, fmt.Errorf("a quantity has no unit that is known: %s", s.between(unitLo, unitHi))
		}
		changes = append(changes, change{int(s.tokens[i].at), int(s.tokens[after-1].end), s.between(lo, hi) + `\,` + unit})
	}
	return withBibliography(files, vfs.Files{paperFile: s.changed(changes)})
}
