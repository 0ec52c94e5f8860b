package molecule

import (
	"errors"
	"strconv"
	"strings"
)

var (
	errColumns = errors.New("columns that cannot be read")
	errElement = errors.New("no such element")
	errAtom    = errors.New("no such atom")
	errBond    = errors.New("a bond that cannot be")
	errEnd     = errors.New("no M  END")
)

// block reads a mol block after its title, as the published program does, to a
// molecule without plain hydrogens.
func (in *input) block() (*structure, error) {
	in.blockLine()
	in.blockLine()
	counts := in.blockLine()
	if len(counts) < 6 {
		return nil, errColumns
	}
	atoms, err := unsigned(counts[:3])
	if err != nil {
		return nil, err
	}
	bonds, err := unsigned(counts[3:6])
	if err != nil {
		return nil, err
	}
	s := &structure{}
	switch {
	case len(counts) > 35 && (len(counts) < 39 || counts[34] != 'V'):
		return nil, errColumns
	case len(counts) <= 35 || counts[34:39] == "V2000":
		err = in.v2000(s, atoms, bonds)
	case counts[34:39] == "V3000" && atoms == 0 && bonds == 0:
		err = in.v3000(s)
	default:
		err = errColumns
	}
	if err != nil {
		return nil, err
	}
	s.link()
	s.applyValences()
	s = s.removeHydrogens()
	if err := s.sanitise(); err != nil {
		return nil, err
	}
	return s, nil
}

// noValence is the number by which an atom line states that there is none.
const noValence = 15

// applyValences takes hydrogens from the valences that atom lines state.
func (s *structure) applyValences() {
	for i := range s.atoms {
		a := &s.atoms[i]
		if a.valence == 0 {
			continue
		}
		a.noImplicit = true
		if a.valence != noValence && a.valence > 0 {
			a.hydrogens = max(a.valence-s.explicitValence(i), 0)
		}
	}
}

func (in *input) v2000(s *structure, atoms, bonds int) error {
	for range atoms {
		line := in.blockLine()
		if in.ended {
			return errEnd
		}
		a, err := atomLine(line)
		if err != nil {
			return err
		}
		s.atoms = append(s.atoms, a)
	}
	taken := map[[2]int]bool{}
	for range bonds {
		line := in.blockLine()
		if in.ended {
			return errEnd
		}
		b, err := bondLine(line)
		if err != nil {
			return err
		}
		if err := s.addBond(b, taken); err != nil {
			return err
		}
	}
	return in.blockProperties(s)
}

// addBond refuses absent atoms and a second bond between two.
func (s *structure) addBond(b bond, taken map[[2]int]bool) error {
	low, high := min(b.a, b.b), max(b.a, b.b)
	if low < 0 || high >= len(s.atoms) || low == high || taken[[2]int{low, high}] {
		return errBond
	}
	taken[[2]int{low, high}] = true
	s.bonds = append(s.bonds, b)
	return nil
}

// The columns of an atom line after the element, of which all but the first
// are three wide.
const (
	elementColumn  = 31
	massColumn     = 34
	chargeColumn   = 36
	parityColumn   = 39
	hydrogenColumn = 42
	careColumn     = 45
	valenceColumn  = 48
	roleColumn     = 54
	partColumn     = 57
	mappingColumn  = 60
	invertColumn   = 63
	changeColumn   = 66
)

func atomLine(line string) (atom, error) {
	var a atom
	if len(line) < 34 {
		return a, errColumns
	}
	for axis := range a.place {
		value, err := coordinate(line[10*axis : 10*axis+10])
		if err != nil {
			return a, err
		}
		a.place[axis] = value
	}
	mass, err := 0, error(nil)
	if len(line) >= chargeColumn && line[massColumn:chargeColumn] != " 0" {
		if mass, err = integer(line[massColumn:chargeColumn]); err != nil {
			return a, err
		}
	}
	columns := map[int]int{}
	for _, at := range []int{
		chargeColumn, parityColumn, hydrogenColumn, careColumn, valenceColumn, roleColumn, partColumn,
		mappingColumn, invertColumn, changeColumn,
	} {
		if len(line) < at+3 || line[at:at+3] == "  0" {
			continue
		}
		if columns[at], err = integer(line[at : at+3]); err != nil {
			return a, err
		}
	}
	if err := a.setElement(strings.Trim(line[elementColumn:massColumn], " \t\r\n\v\f")); err != nil {
		return a, err
	}
	if columns[chargeColumn] != 0 {
		a.charge = 4 - columns[chargeColumn]
	}
	if mass != 0 {
		a.isotope = elementsByNumber[a.element].isotope + mass
	}
	a.noImplicit = a.noImplicit || columns[hydrogenColumn] >= 1
	a.valence, a.mapping = columns[valenceColumn], columns[mappingColumn]
	if _, written := columns[mappingColumn]; written && a.mapping == 0 {
		a.mapping = zeroMapping
	}
	return a, nil
}

// setElement reads the symbol of an element, of hydrogen's isotopes, or of an
// atom that stands for others.
func (a *atom) setElement(symbol string) error {
	switch symbol {
	case "":
		return errElement
	case "D", "T":
		a.element, a.isotope = 1, 2
		if symbol == "T" {
			a.isotope = 3
		}
		return nil
	case "A", "AH", "Q", "QH", "X", "XH", "M", "MH", "*", "R":
		a.noImplicit = true
		return nil
	case "L", "LP", "R#", "Pol", "Mod":
		return nil
	}
	if symbol[0] == 'R' && symbol >= "R0" && symbol <= "R99" {
		a.isotope = number(symbol[1:])
		return nil
	}
	if len(symbol) == 2 {
		symbol = symbol[:1] + strings.ToLower(symbol[1:])
	}
	n, known := numberBySymbol[symbol]
	if !known {
		return errElement
	}
	a.element = n
	return nil
}

func bondLine(line string) (bond, error) {
	var b bond
	if len(line) < 9 {
		return b, errColumns
	}
	var values [3]int
	for i := range values {
		value, err := unsigned(line[3*i : 3*i+3])
		if err != nil {
			return b, err
		}
		values[i] = value
	}
	b.a, b.b, b.kind = values[0]-1, values[1]-1, kindOf(values[2])
	if len(line) >= 12 {
		b.wedge, _ = unsigned(line[9:12])
	}
	if len(line) >= 18 && line[15:18] != "  0" {
		if topology, err := integer(line[15:18]); err == nil && (topology < 0 || topology > 2) {
			return b, errBond
		}
	}
	return b, nil
}

func kindOf(order int) bondKind {
	if order < 1 || order > 4 {
		return otherBond
	}
	return bondKind(order)
}

// blockProperties reads the lines after the bonds, to M  END.
func (in *input) blockProperties(s *structure) error {
	line := in.blockLine()
	if line == "" || !strings.ContainsRune("MAVGS", rune(line[0])) {
		return errColumns
	}
	cleared := false // the charges of the atom lines
	for !in.ended && !strings.HasPrefix(line, blockEnd) && !isDelimiter(line) {
		var err error
		switch {
		case line == "":
		case line[0] == 'A':
			in.blockLine()
			err = s.named(line, "A  ")
		case line[0] == 'G':
			in.blockLine()
		case line[0] == 'V':
			err = s.named(line, "V  ")
		case strings.HasPrefix(line, "S  SKP") && len(line) > 6:
			for range number(strings.TrimSpace(line[6:min(9, len(line))])) {
				if in.blockLine(); in.ended {
					break
				}
			}
		case strings.HasPrefix(line, "M  CHG"), strings.HasPrefix(line, "M  RAD"):
			if !cleared {
				cleared = true
				for i := range s.atoms {
					s.atoms[i].charge = 0
				}
			}
			err = s.setEach(line)
		case strings.HasPrefix(line, "M  ISO"):
			err = s.setEach(line)
		case strings.HasPrefix(line, "M  CRS"):
			err = errColumns
		}
		if err != nil {
			return err
		}
		line = in.blockLine()
	}
	if !strings.HasPrefix(line, blockEnd) {
		return errEnd
	}
	return nil
}

// named checks the atom number of a line that names an atom.
func (s *structure) named(line, begin string) error {
	if !strings.HasPrefix(line, begin[:2]) || len(line) < 3 {
		return errColumns
	}
	n, err := strconv.Atoi(strings.TrimSpace(line[3:min(6, len(line))]))
	if err != nil || n < 1 || n > len(s.atoms) {
		return errAtom
	}
	return nil
}

// setEach reads a line of pairs of atom and charge, isotope or radical.
func (s *structure) setEach(line string) error {
	if len(line) < 7 {
		return errColumns
	}
	count, err := integer(line[6:min(9, len(line))])
	if err != nil {
		return err
	}
	for k := range count {
		at := 9 + 8*k
		if len(line) <= at+4 {
			return errColumns
		}
		n, err := integer(line[at : at+4])
		if err != nil {
			return err
		}
		value, err := integer(line[at+4 : min(at+8, len(line))])
		if err != nil {
			return err
		}
		if n < 1 || n > len(s.atoms) {
			return errAtom
		}
		if err := s.atoms[n-1].set(line[3:6], value); err != nil {
			return err
		}
	}
	return nil
}

func (a *atom) set(what string, value int) error {
	switch what {
	case "CHG":
		a.charge = value
	case "ISO":
		a.isotope = max(value, 0)
	case "RAD":
		if value < 0 || value > 3 {
			return errColumns
		}
		a.radicals = [...]int{0, 2, 1, 2}[value] // singlet, doublet, triplet
	}
	return nil
}

// unsigned reads digits the way the published program does: blanks and plus
// signs may stand among them, and what is after the first number does not count.
func unsigned(field string) (int, error) { return digits(field, "+ ", "") }

// integer is unsigned with a sign.
func integer(field string) (int, error) { return digits(field, "+- ", "-") }

func digits(field, allowed, sign string) (int, error) {
	if at := strings.IndexByte(field, 0); at >= 0 {
		field = field[:at]
	}
	for i := range len(field) {
		if (field[i] < '0' || field[i] > '9') && strings.IndexByte(allowed, field[i]) < 0 {
			return 0, errColumns
		}
	}
	field = strings.TrimLeft(field, " ")
	negative := sign != "" && strings.HasPrefix(field, sign)
	if negative {
		field = field[1:]
	}
	value := 0
	for i := 0; i < len(field) && field[i] >= '0' && field[i] <= '9'; i++ {
		value = 10*value + int(field[i]-'0')
	}
	if negative {
		value = -value
	}
	return value, nil
}

// coordinate checks what a coordinate may be made of; what is no number is 0.
func coordinate(field string) (float64, error) {
	for i := range len(field) {
		if (field[i] < '0' || field[i] > '9') && strings.IndexByte("+-,. ", field[i]) < 0 {
			return 0, errColumns
		}
	}
	value, _ := strconv.ParseFloat(strings.TrimSpace(field), 64)
	return value, nil
}
