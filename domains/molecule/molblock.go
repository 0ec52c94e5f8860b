package molecule

import (
	"strconv"
	"strings"
)

// blockReader reads a mol block as the published program does, which refuses a
// block with any fault. It reads no line after the one with the fault.
type blockReader struct {
	*input
	structure
	taken map[[2]int]bool // the pairs of atoms that have a bond
	wrong bool            // there was a fault
}

// block reads a mol block after its title, to a molecule without plain
// hydrogens; nil if the published program refuses it.
func (in *input) block() *structure {
	in.blockLine()
	in.blockLine()
	counts := in.blockLine()
	if len(counts) < 6 {
		return nil
	}
	r := &blockReader{input: in, taken: map[[2]int]bool{}}
	atoms, bonds := r.unsigned(counts[:3]), r.unsigned(counts[3:6])
	version := "V2000"
	if len(counts) > 35 {
		version = counts[34:min(39, len(counts))]
	}
	switch {
	case r.wrong:
		return nil
	case version == "V2000":
		r.v2000(atoms, bonds)
	case version == "V3000" && atoms == 0 && bonds == 0:
		r.v3000()
	default:
		return nil
	}
	if r.wrong {
		return nil
	}
	s := &r.structure
	s.link()
	s.applyValences()
	s = s.removeHydrogens()
	if !s.sanitise() {
		return nil
	}
	return s
}

// require notes a fault unless something holds.
func (r *blockReader) require(holds bool) bool {
	r.wrong = r.wrong || !holds
	return holds
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

func (r *blockReader) v2000(atoms, bonds int) {
	for n := 0; n < atoms && !r.wrong; n++ {
		r.atomLine(r.blockLine())
		r.require(!r.ended)
	}
	for n := 0; n < bonds && !r.wrong; n++ {
		r.bondLine(r.blockLine())
		r.require(!r.ended)
	}
	if !r.wrong {
		r.blockProperties()
	}
}

// The columns of an atom line after the coordinates.
const (
	elementColumn  = 31
	massColumn     = 34
	chargeColumn   = 36
	hydrogenColumn = 42
	valenceColumn  = 48
	unreadColumn   = 51 // the published program does not look at it
	mappingColumn  = 60
	lastColumn     = 66
)

// columnEnd is where a column for a number ends: that of the mass is two wide, all others three.
func columnEnd(from int) int {
	if from == massColumn {
		return chargeColumn
	}
	return from + 3
}

func (r *blockReader) atomLine(line string) {
	if !r.require(len(line) >= massColumn) {
		return
	}
	var a atom
	for axis := range a.place {
		a.place[axis] = r.coordinate(line[10*axis : 10*axis+10])
	}
	columns := map[int]int{}
	for from := massColumn; from <= lastColumn; from = columnEnd(from) {
		to := columnEnd(from)
		if from != unreadColumn && to <= len(line) && strings.TrimLeft(line[from:to], " ") != "0" {
			columns[from] = r.integer(line[from:to])
		}
	}
	r.require(a.setElement(strings.Trim(line[elementColumn:massColumn], " \t\r\n\v\f")))
	if charge := columns[chargeColumn]; charge != 0 {
		a.charge = 4 - charge
	}
	if mass := columns[massColumn]; mass != 0 {
		a.isotope = elementsByNumber[a.element].isotope + mass
	}
	a.noImplicit = a.noImplicit || columns[hydrogenColumn] >= 1
	a.valence, a.mapping = columns[valenceColumn], columns[mappingColumn]
	if _, written := columns[mappingColumn]; written && a.mapping == 0 {
		a.mapping = zeroMapping
	}
	r.atoms = append(r.atoms, a)
}

// setElement reads the symbol of an element, of hydrogen's isotopes, or of an
// atom that stands for others. It is false for any other.
func (a *atom) setElement(symbol string) bool {
	switch symbol {
	case "":
		return false
	case "D", "T":
		a.element, a.isotope = 1, 2
		if symbol == "T" {
			a.isotope = 3
		}
		return true
	case "A", "AH", "Q", "QH", "X", "XH", "M", "MH", "*", "R":
		a.noImplicit = true
		return true
	case "L", "LP", "R#", "Pol", "Mod":
		return true
	}
	if symbol[0] == 'R' && symbol >= "R0" && symbol <= "R99" {
		a.isotope = number(symbol[1:])
		return true
	}
	if len(symbol) == 2 {
		symbol = symbol[:1] + strings.ToLower(symbol[1:])
	}
	n, known := numberBySymbol[symbol]
	a.element = n
	return known
}

func (r *blockReader) bondLine(line string) {
	if !r.require(len(line) >= 9) {
		return
	}
	b := bond{a: r.unsigned(line[:3]) - 1, b: r.unsigned(line[3:6]) - 1, kind: kindOf(r.unsigned(line[6:9]))}
	if len(line) >= 12 {
		b.wedge, _ = digits(line[9:12], noSign)
	}
	if len(line) >= 18 && line[15:18] != "  0" {
		topology, ok := digits(line[15:18], withSign)
		r.require(!ok || topology >= 0 && topology <= 2)
	}
	r.addBond(b)
}

// addBond refuses absent atoms and a second bond between two.
func (r *blockReader) addBond(b bond) {
	ends := [2]int{min(b.a, b.b), max(b.a, b.b)}
	r.require(ends[0] >= 0 && ends[1] < len(r.atoms) && ends[0] != ends[1] && !r.taken[ends])
	r.taken[ends] = true
	r.bonds = append(r.bonds, b)
}

func kindOf(order int) bondKind {
	if order < 1 || order > 4 {
		return otherBond
	}
	return bondKind(order)
}

// mayBeProperty reports whether a line may be one of those after the bonds.
func mayBeProperty(line string) bool {
	return line != "" && strings.IndexByte("MAVGS", line[0]) >= 0
}

// blockProperties reads the lines after the bonds, to M  END.
func (r *blockReader) blockProperties() {
	line := r.blockLine()
	if !r.require(mayBeProperty(line)) {
		return
	}
	cleared := false // the charges of the atom lines
	for !r.ended && !strings.HasPrefix(line, blockEnd) && !isDelimiter(line) {
		switch {
		case strings.HasPrefix(line, "M  CHG"), strings.HasPrefix(line, "M  RAD"):
			if !cleared {
				cleared = true
				for i := range r.atoms {
					r.atoms[i].charge = 0
				}
			}
			r.setEach(line)
		case strings.HasPrefix(line, "M  ISO"):
			r.setEach(line)
		}
		if r.wrong {
			return
		}
		line = r.blockLine()
	}
	r.require(strings.HasPrefix(line, blockEnd))
}

// setEach reads a line of pairs of atom and charge, isotope or radical.
func (r *blockReader) setEach(line string) {
	if !r.require(len(line) >= 7) {
		return
	}
	count := r.integer(line[6:min(9, len(line))])
	for k := 0; k < count && !r.wrong; k++ {
		at := 9 + 8*k
		if !r.require(len(line) > at+4) {
			return
		}
		n, value := r.integer(line[at:at+4]), r.integer(line[at+4:min(at+8, len(line))])
		if r.require(n >= 1 && n <= len(r.atoms)) && !r.wrong {
			r.require(r.atoms[n-1].set(line[3:6], value))
		}
	}
}

// set sets the charge, isotope or radical of an atom. It is false for a radical that there is not.
func (a *atom) set(what string, value int) bool {
	switch what {
	case "CHG":
		a.charge = value
	case "ISO":
		a.isotope = max(value, 0)
	case "RAD":
		if value < 0 || value > 3 {
			return false
		}
		a.radicals = [...]int{0, 2, 1, 2}[value] // singlet, doublet, triplet
	}
	return true
}

func (r *blockReader) unsigned(field string) int {
	value, ok := digits(field, noSign)
	r.require(ok)
	return value
}

func (r *blockReader) integer(field string) int {
	value, ok := digits(field, withSign)
	r.require(ok)
	return value
}

// What may stand among digits.
const (
	noSign   = "+ "
	withSign = "+- "
)

// digits reads a number the way the published program does: blanks and signs may
// stand among the digits, and what is after the first number does not count.
func digits(field, others string) (value int, ok bool) {
	const figures = "0123456789"
	field, _, _ = strings.Cut(field, "\x00")
	if strings.Trim(field, figures+others) != "" {
		return 0, false
	}
	field, negative := strings.CutPrefix(strings.TrimLeft(field, " "), "-")
	value = number(field[:len(field)-len(strings.TrimLeft(field, figures))])
	if negative {
		value = -value
	}
	return value, true
}

// coordinate checks what a coordinate may be made of; what is no number is 0.
func (r *blockReader) coordinate(field string) float64 {
	r.require(strings.Trim(field, "0123456789+-,. ") == "")
	value, _ := strconv.ParseFloat(strings.TrimSpace(field), 64)
	return value
}
