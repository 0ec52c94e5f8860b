package molecule

import (
	"strconv"
	"strings"
)

const extended = "M  V30 "

// extendedLine is a line of an extended connection table, with those that
// continue it.
func (in *input) extendedLine() (string, error) {
	var b strings.Builder
	for {
		line := in.blockLine()
		if !strings.HasPrefix(line, extended) {
			return "", errColumns
		}
		part := line[len(extended):]
		if !strings.HasSuffix(part, "-") {
			b.WriteString(part)
			return b.String(), nil
		}
		b.WriteString(part[:len(part)-1])
	}
}

// expect reads a line that begins with these words.
func (in *input) expect(words string) (string, error) {
	line, err := in.extendedLine()
	if err == nil && !strings.HasPrefix(strings.ToUpper(line), words) {
		err = errColumns
	}
	return line, err
}

// v3000 reads an extended connection table.
func (in *input) v3000(s *structure) error {
	if _, err := in.expect("BEGIN CTAB"); err != nil {
		return err
	}
	line, err := in.expect("COUNTS ")
	if err != nil {
		return err
	}
	counts := strings.Fields(line)
	if len(counts) < 3 {
		return errColumns
	}
	numbers := map[string]int{} // of the atoms, by the number that is written
	if atoms := number(counts[1]); atoms > 0 {
		if err := in.extendedAtoms(s, atoms, numbers); err != nil {
			return err
		}
	}
	if bonds := number(counts[2]); bonds > 0 {
		if err := in.extendedBonds(s, bonds, numbers); err != nil {
			return err
		}
	}
	for depth := 0; ; {
		line, err := in.extendedLine()
		if err != nil {
			return err
		}
		switch line = strings.ToUpper(line); {
		case depth == 0 && strings.HasPrefix(line, "END CTAB"):
			if !strings.HasPrefix(in.blockLine(), blockEnd) {
				return errEnd
			}
			return nil
		case strings.HasPrefix(line, "BEGIN"):
			depth++
		case strings.HasPrefix(line, "END"):
			depth--
		}
	}
}

func (in *input) extendedAtoms(s *structure, count int, numbers map[string]int) error {
	if _, err := in.expect("BEGIN ATOM"); err != nil {
		return err
	}
	for range count {
		line, err := in.extendedLine()
		if err != nil {
			return err
		}
		words := strings.Fields(line)
		if len(words) < 6 {
			return errColumns
		}
		var a atom
		if err := a.setElement(words[1]); err != nil {
			return err
		}
		for axis := range a.place {
			if a.place[axis], err = coordinate(words[2+axis]); err != nil {
				return err
			}
		}
		a.mapping = number(words[5])
		for _, word := range words[6:] {
			name, value, ok := strings.Cut(word, "=")
			if !ok {
				return errColumns
			}
			if err := a.setNamed(strings.ToUpper(name), value); err != nil {
				return err
			}
		}
		numbers[words[0]] = len(s.atoms)
		s.atoms = append(s.atoms, a)
	}
	_, err := in.expect("END ATOM")
	return err
}

func (a *atom) setNamed(name, text string) error {
	value, err := strconv.Atoi(text)
	switch name {
	case "CHG":
		a.charge = value
	case "RAD":
		return a.set("RAD", value)
	case "MASS":
		a.isotope = value
	case "VAL":
		a.valence = value
		if value < 0 {
			a.valence = 15
		}
	case "HCOUNT":
		a.noImplicit = value != 0
	default:
		return nil
	}
	return err
}

func (in *input) extendedBonds(s *structure, count int, numbers map[string]int) error {
	if _, err := in.expect("BEGIN BOND"); err != nil {
		return err
	}
	taken := map[[2]int]bool{}
	for range count {
		line, err := in.extendedLine()
		if err != nil {
			return err
		}
		words := strings.Fields(line)
		if len(words) < 4 {
			return errColumns
		}
		from, has := numbers[words[2]]
		to, hasToo := numbers[words[3]]
		if !has || !hasToo {
			return errAtom
		}
		b := bond{a: from, b: to, kind: kindOf(number(words[1]))}
		for _, word := range words[4:] {
			if value, ok := strings.CutPrefix(word, "CFG="); ok {
				b.wedge = [...]int{0, 1, 4, 6}[min(max(number(value), 0), 3)]
			}
		}
		if err := s.addBond(b, taken); err != nil {
			return err
		}
	}
	_, err := in.expect("END BOND")
	return err
}
