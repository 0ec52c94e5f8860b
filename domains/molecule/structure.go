package molecule

// structure is a molecule as a graph.
type structure struct {
	atoms []atom
	bonds []bond
	at    [][]int32 // the numbers of the bonds at each atom
}

// zeroMapping is a number of 0 that an atom line states in other columns than usual: the
// published program takes it for another number than none.
const zeroMapping = -1

type atom struct {
	element    int // atomic number, 0 for a dummy
	charge     int
	isotope    int  // 0 for the natural mixture
	hydrogens  int  // bound to it without being atoms
	radicals   int  // unpaired electrons
	mapping    int  // number in a reaction; zeroMapping if it is a zero in unusual columns
	valence    int  // as an atom line states it, 0 if it does not
	noImplicit bool // no hydrogens are added
	place      [3]float64
}

type bondKind uint8

const (
	otherBond bondKind = iota
	singleBond
	doubleBond
	tripleBond
	aromaticBond
)

type bond struct {
	a, b     int
	kind     bondKind
	wedge    int  // as in a bond line
	aromatic bool // perceived, regardless of the kind
}

func (b *bond) other(atom int) int {
	if b.a == atom {
		return b.b
	}
	return b.a
}

// label is what bonds are matched by: the kind, or aromatic.
func (b *bond) label() bondKind {
	if b.aromatic && b.kind != otherBond {
		return aromaticBond
	}
	return b.kind
}

// halves is what a bond contributes to valences, in halves.
func (b *bond) halves() int {
	switch b.kind {
	case singleBond, doubleBond, tripleBond:
		return 2 * int(b.kind)
	case aromaticBond:
		return 3
	}
	return 0
}

// link fills in the bonds at each atom.
func (s *structure) link() {
	counts := make([]int32, len(s.atoms)+1)
	for i := range s.bonds {
		counts[s.bonds[i].a]++
		counts[s.bonds[i].b]++
	}
	all := make([]int32, 2*len(s.bonds))
	s.at = make([][]int32, len(s.atoms))
	start := int32(0)
	for i := range s.atoms {
		s.at[i] = all[start : start : start+counts[i]]
		start += counts[i]
	}
	for i := range s.bonds {
		a, b := s.bonds[i].a, s.bonds[i].b
		s.at[a] = append(s.at[a], int32(i))
		s.at[b] = append(s.at[b], int32(i))
	}
}

// explicitValence is the sum of the bond orders and the hydrogens that are
// written at an atom.
func (s *structure) explicitValence(i int) int {
	halves := 0
	for _, k := range s.at[i] {
		halves += s.bonds[k].halves()
	}
	return s.atoms[i].hydrogens + (halves+1)/2
}

// without leaves atoms out, with their bonds.
func (s *structure) without(leave []bool) *structure {
	left := &structure{}
	moved := make([]int, len(s.atoms))
	for i := range s.atoms {
		if leave[i] {
			moved[i] = -1
			continue
		}
		moved[i] = len(left.atoms)
		left.atoms = append(left.atoms, s.atoms[i])
	}
	for _, b := range s.bonds {
		if b.a, b.b = moved[b.a], moved[b.b]; b.a >= 0 && b.b >= 0 {
			left.bonds = append(left.bonds, b)
		}
	}
	left.link()
	return left
}

// between is the bond between two atoms, -1 if there is none.
func (s *structure) between(i, j int) int32 {
	for _, k := range s.at[i] {
		if s.bonds[k].other(i) == j {
			return k
		}
	}
	return -1
}
