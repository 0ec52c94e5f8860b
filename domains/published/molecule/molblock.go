package molecule

import (
	"strconv"
	"strings"
)

// BlockReader reads a mol block as the published program does, which refuses a
// block with any fault. It reads no line after the one with the fault.
type BlockReader struct {
	*input
	Structure
	taken map[[2]int]bool // the pairs of atoms that have a bond
	Wrong bool            // there was a fault
}

// block reads a mol block after its title, to a molecule without plain
// hydrogens; nil if the published program refuses it.
func (in *input) block() *Structure {
	in.blockLine()
	in.blockLine()
	counts := in.blockLine()
	if len(counts) < 6 {
		return nil
	}
	r := &BlockReader{input: in, taken: map[[2]int]bool{}}
	atoms, bonds := r.unsigned(counts[:3]), r.unsigned(counts[3:6])
	version := "V2000"
	if len(counts) > 35 {
		version = counts[34:min(39, len(counts))]
	}
	switch {
	case r.Wrong:
		return nil
	case version == "V2000":
		r.v2000(atoms, bonds)
	case version == "V3000" && atoms == 0 && bonds == 0:
		r.v3000()
	default:
		return nil
	}
	if r.Wrong {
		return nil
	}
	s := &r.Structure
	s.Link()
	s.applyValences()
	s = s.removeHydrogens()
	if !s.Sanitise() {
		return nil
	}
	return s
}

// require notes a fault unless something holds.
func (r *BlockReader) require(holds bool) bool {
	r.Wrong = r.Wrong || !holds
	return holds
}

// noValence is the number by which an atom line states that there is none.
const noValence = 15

// applyValences takes hydrogens from the valences that atom lines state.
func (s *Structure) applyValences() {
	for i := range s.Atoms {
		a := &s.Atoms[i]
		if a.valence == 0 {
			continue
		}
		a.noImplicit = true
		if a.valence != noValence && a.valence > 0 {
			a.hydrogens = max(a.valence-s.explicitValence(i), 0)
		}
	}
}

func (r *BlockReader) v2000(atoms, bonds int) {
	for n := 0; n < atoms && !r.Wrong; n++ {
		r.atomLine(r.blockLine())
		r.require(!r.ended)
	}
	for n := 0; n < bonds && !r.Wrong; n++ {
		r.bondLine(r.blockLine())
		r.require(!r.ended)
	}
	if !r.Wrong {
		r.blockProperties()
	}
}

// The columns of an atom line after the coordinates.
const (
	ElementColumn  = 31
	MassColumn     = 34
	chargeColumn   = 36
	hydrogenColumn = 42
	valenceColumn  = 48
	unreadColumn   = 51 // the published program does not look at it
	mappingColumn  = 60
	lastColumn     = 66
)

// ColumnEnd is where a column for a number ends: that of the mass is two wide, all others three.
func ColumnEnd(from int) int {
	if from == MassColumn {
		return chargeColumn
	}
	return from + 3
}

func (r *BlockReader) atomLine(line string) {
	if !r.require(len(line) >= MassColumn) {
		return
	}
	var a Atom
	for axis := range a.Place {
		a.Place[axis] = r.coordinate(line[10*axis : 10*axis+10])
	}
	columns := map[int]int{}
	for from := MassColumn; from <= lastColumn; from = ColumnEnd(from) {
		to := ColumnEnd(from)
		if from != unreadColumn && to <= len(line) && strings.TrimLeft(line[from:to], " ") != "0" {
			columns[from] = r.integer(line[from:to])
		}
	}
	r.require(a.SetElement(strings.Trim(line[ElementColumn:MassColumn], " \t\r\n\v\f")))
	if charge := columns[chargeColumn]; charge != 0 {
		a.Charge = 4 - charge
	}
	if mass := columns[MassColumn]; mass != 0 {
		a.Isotope = ElementsByNumber[a.Element].Isotope + mass
	}
	a.noImplicit = a.noImplicit || columns[hydrogenColumn] >= 1
	a.valence, a.mapping = columns[valenceColumn], columns[mappingColumn]
	if _, written := columns[mappingColumn]; written && a.mapping == 0 {
		a.mapping = zeroMapping
	}
	r.Atoms = append(r.Atoms, a)
}

// SetElement reads the symbol of an element, of hydrogen's isotopes, or of an
// atom that stands for others. It is false for any other.
func (a *Atom) SetElement(symbol string) bool {
	switch symbol {
	case "":
		return false
	case "D", "T":
		a.Element, a.Isotope = 1, 2
		if symbol == "T" {
			a.Isotope = 3
		}
		return true
	case "A", "AH", "Q", "QH", "X", "XH", "M", "MH", "*", "R":
		a.noImplicit = true
		return true
	case "R#":
		return true
	}
	if len(symbol) == 2 {
		symbol = symbol[:1] + strings.ToLower(symbol[1:])
	}
	n, known := numberBySymbol[symbol]
	a.Element = n
	return known
}

func (r *BlockReader) bondLine(line string) {
	if !r.require(len(line) >= 9) {
		return
	}
	b := Bond{A: r.unsigned(line[:3]) - 1, B: r.unsigned(line[3:6]) - 1, Kind: KindOf(r.unsigned(line[6:9]))}
	if len(line) >= 12 {
		b.Wedge, _ = digits(line[9:12], noSign)
	}
	if len(line) >= 18 && line[15:18] != "  0" {
		topology, ok := digits(line[15:18], withSign)
		r.require(!ok || topology >= 0 && topology <= 2)
	}
	r.addBond(b)
}

// addBond refuses absent atoms and a second bond between two.
func (r *BlockReader) addBond(b Bond) {
	ends := [2]int{min(b.A, b.B), max(b.A, b.B)}
	r.require(ends[0] >= 0 && ends[1] < len(r.Atoms) && ends[0] != ends[1] && !r.taken[ends])
	r.taken[ends] = true
	r.Bonds = append(r.Bonds, b)
}

// KindOf is the kind of a bond by its number in a connection table.
func KindOf(order int) BondKind {
	if order < 1 || order > 4 {
		return otherBond
	}
	return BondKind(order)
}

// MayBeProperty reports whether a line may be one of those after the bonds.
func MayBeProperty(line string) bool {
	return line != "" && strings.IndexByte("MAVGS", line[0]) >= 0
}

// blockProperties reads the lines after the bonds, to M  END.
func (r *BlockReader) blockProperties() {
	line := r.blockLine()
	if !r.require(MayBeProperty(line)) {
		return
	}
	cleared := false // the charges of the atom lines
	for !r.ended && !strings.HasPrefix(line, BlockEnd) && !IsDelimiter(line) {
		switch {
		case strings.HasPrefix(line, "M  CHG"), strings.HasPrefix(line, "M  RAD"):
			if !cleared {
				cleared = true
				for i := range r.Atoms {
					r.Atoms[i].Charge = 0
				}
			}
			r.SetEach(line)
		case strings.HasPrefix(line, "M  ISO"):
			r.SetEach(line)
		}
		if r.Wrong {
			return
		}
		line = r.blockLine()
	}
	r.require(strings.HasPrefix(line, BlockEnd))
}

// SetEach reads a line of pairs of atom and charge, isotope or radical.
func (r *BlockReader) SetEach(line string) {
	if !r.require(len(line) >= 7) {
		return
	}
	count := r.integer(line[6:min(9, len(line))])
	for k := 0; k < count && !r.Wrong; k++ {
		at := 9 + 8*k
		if !r.require(len(line) > at+4) {
			return
		}
		n, value := r.integer(line[at:at+4]), r.integer(line[at+4:min(at+8, len(line))])
		if r.require(n >= 1 && n <= len(r.Atoms)) && !r.Wrong {
			r.require(r.Atoms[n-1].set(line[3:6], value))
		}
	}
}

// set sets the charge, isotope or radical of an atom. It is false for a radical that there is not.
func (a *Atom) set(what string, value int) bool {
	switch what {
	case "CHG":
		a.Charge = value
	case "ISO":
		a.Isotope = max(value, 0)
	case "RAD":
		if value < 0 || value > 3 {
			return false
		}
		a.Radicals = [...]int{0, 2, 1, 2}[value] // singlet, doublet, triplet
	}
	return true
}

func (r *BlockReader) unsigned(field string) int {
	value, ok := digits(field, noSign)
	r.require(ok)
	return value
}

func (r *BlockReader) integer(field string) int {
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
	value = Number(field[:len(field)-len(strings.TrimLeft(field, figures))])
	if negative {
		value = -value
	}
	return value, true
}

// coordinate checks what a coordinate may be made of; what is no number is 0.
func (r *BlockReader) coordinate(field string) float64 {
	r.require(strings.Trim(field, "0123456789+-,. ") == "")
	value, _ := strconv.ParseFloat(strings.TrimSpace(field), 64)
	return value
}

// HeaderLines are those before the counts.
const HeaderLines = 3
