package protein

import (
	"errors"
	"slices"
	"strings"

	"agentd/domains/internal/pytext"
)

var (
	errMonth    = errors.New("a date in the header has a month that is none")
	errMolecule = errors.New("a line of the header belongs to no molecule")
)

var (
	datePattern   = pytext.Pattern(`\d{2}-\w{3}-\d{2}`)
	enzymePattern = pytext.Pattern(`\d+\.\d+\.\d+\.\d+`)
	endCode       = pytext.Pattern(`\s{4,}\w{4}.\s+\d+\z`)
	months        = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}
)

// checkHeader finds what Biopython raises for in the lines above the atoms: an
// unknown month, and a line of COMPND or SOURCE for a molecule that was not
// opened.
func checkHeader(lines []string) error {
	molecules := moleculeLists{current: "1", compound: newMolecules(), source: newMolecules()}
	for _, line := range lines {
		var err error
		switch text := pytext.Strip(part(line, 10, toEnd)); pytext.Strip(part(line, 0, 6)) {
		case "HEADER", "REVDAT":
			err = checkDate(text)
		case "COMPND":
			err = molecules.add(molecules.compound, text)
		case "SOURCE":
			err = molecules.add(molecules.source, text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func checkDate(text string) error {
	if !strings.Contains(text, "-") {
		return nil
	}
	if date := datePattern.FindString(text); date != "" && !slices.Contains(months, pytext.Lower(strings.Split(date, "-")[1])) {
		return errMonth
	}
	return nil
}

// moleculeLists are the molecules of COMPND and SOURCE. Biopython has one
// number in force for both.
type moleculeLists struct {
	current          string
	compound, source *molecules
}

// molecules are the keys of each molecule that a record has opened.
type molecules struct {
	keys map[string]map[string]bool
	last string // key, which the next line without one continues
}

const miscellaneous = "misc"

func newMolecules() *molecules {
	m := &molecules{keys: map[string]map[string]bool{}}
	m.open("1")
	return m
}

func (m *molecules) open(number string) {
	m.keys[number] = map[string]bool{miscellaneous: true}
	m.last = miscellaneous
}

func (l *moleculeLists) add(m *molecules, text string) error {
	text = pytext.Lower(strings.TrimSuffix(pytext.StripRight(withoutEndCode(text)), ";"))
	if m == l.compound && m.keys[l.current] == nil && enzymePattern.MatchString(text) {
		return errMolecule
	}
	key, value, found := strings.Cut(text, ":")
	value, _, _ = strings.Cut(value, ":")
	switch {
	case found && key == "mol_id":
		l.current = pytext.StripLeft(value)
		m.open(l.current)
	case m.keys[l.current] == nil:
		return errMolecule
	case found:
		m.keys[l.current][key] = true
		m.last = key
	case !m.keys[l.current][m.last]:
		return errMolecule
	}
	return nil
}

// withoutEndCode takes off what old files have in columns 73-80, such as
// "    1CSA  14".
func withoutEndCode(text string) string {
	if place := endCode.FindStringIndex(text); place != nil {
		return text[:place[0]]
	}
	return text
}
