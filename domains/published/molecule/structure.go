package molecule

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/lists"
)

// Structure is a molecule as a graph.
type Structure struct {
	Atoms []Atom
	Bonds []Bond
	at    [][]int32 // the numbers of the bonds at each atom
}

// zeroMapping is a number of 0 that an atom line states in other columns than usual: the
// published program takes it for another number than none.
const zeroMapping = -1

// Atom is an atom of a structure.
type Atom struct {
	Element    int // atomic number, 0 for a dummy
	Charge     int
	Isotope    int  // 0 for the natural mixture
	hydrogens  int  // bound to it without being atoms
	Radicals   int  // unpaired electrons
	mapping    int  // number in a reaction; zeroMapping if it is a zero in unusual columns
	valence    int  // as an atom line states it, 0 if it does not
	noImplicit bool // no hydrogens are added
	Place      [3]float64
}

// BondKind is the order of a bond.
type BondKind uint8

// The kinds of bonds.
const (
	otherBond BondKind = iota
	singleBond
	DoubleBond
	tripleBond
	AromaticBond
)

// Bond joins two atoms, by their places.
type Bond struct {
	A, B     int
	Kind     BondKind
	Wedge    int  // as in a bond line
	Aromatic bool // perceived, regardless of the kind
}

func (b *Bond) other(atom int) int {
	if b.A == atom {
		return b.B
	}
	return b.A
}

// label is what bonds are matched by: the kind, or aromatic.
func (b *Bond) label() BondKind {
	if b.Aromatic && b.Kind != otherBond {
		return AromaticBond
	}
	return b.Kind
}

// halves is what a bond contributes to valences, in halves.
func (b *Bond) halves() int {
	switch b.Kind {
	case singleBond, DoubleBond, tripleBond:
		return 2 * int(b.Kind)
	case AromaticBond:
		return 3
	}
	return 0
}

// Link fills in the bonds at each atom.
func (s *Structure) Link() {
	counts := make([]int32, len(s.Atoms)+1)
	for i := range s.Bonds {
		counts[s.Bonds[i].A]++
		counts[s.Bonds[i].B]++
	}
	all := make([]int32, 2*len(s.Bonds))
	s.at = make([][]int32, len(s.Atoms))
	start := int32(0)
	for i := range s.Atoms {
		s.at[i] = all[start : start : start+counts[i]]
		start += counts[i]
	}
	for i := range s.Bonds {
		a, b := s.Bonds[i].A, s.Bonds[i].B
		s.at[a] = append(s.at[a], int32(i))
		s.at[b] = append(s.at[b], int32(i))
	}
}

// explicitValence is the sum of the bond orders and the hydrogens that are written at an atom.
func (s *Structure) explicitValence(i int) int {
	halves := 0
	for _, k := range s.at[i] {
		halves += s.Bonds[k].halves()
	}
	return s.Atoms[i].hydrogens + (halves+1)/2
}

// without leaves atoms out, with their bonds.
func (s *Structure) without(leave []bool) *Structure {
	left := &Structure{}
	moved := make([]int, len(s.Atoms))
	for i := range s.Atoms {
		if leave[i] {
			moved[i] = -1
			continue
		}
		moved[i] = len(left.Atoms)
		left.Atoms = append(left.Atoms, s.Atoms[i])
	}
	for _, b := range s.Bonds {
		if b.A, b.B = moved[b.A], moved[b.B]; b.A >= 0 && b.B >= 0 {
			left.Bonds = append(left.Bonds, b)
		}
	}
	left.Link()
	return left
}

const (
	// largestRing is the largest ring that is looked for; porphyrin's outer one is smaller.
	largestRing = 24
	// mostClosures is how many rings are looked at from one atom, small ones first.
	mostClosures = 32
	// ringSteps bounds the search for rings in a molecule. All rings of some sixty fused ones are found within it.
	ringSteps = 50_000
)

// ring is a ring by the numbers of its bonds, ascending, and its atoms.
type ring struct {
	bonds []int32
	atoms []int32
	set   big.Int // of the bonds, counted among ring bonds only

	number     int
	neighbours []*ring // those that share one bond with it
	done       bool    // it was looked at in its system
}

func (r *ring) bondNumbers() []int32 { return r.bonds }
func (r *ring) atomNumbers() []int32 { return r.atoms }

// ringBonds marks the bonds that are part of a ring: those whose loss leaves their ends connected.
func (s *Structure) ringBonds() []bool {
	inRing := make([]bool, len(s.Bonds))
	// The depth of each atom in a tree, 0 if it was not met, and the least one that it or those
	// below it have a bond to.
	depth, low := make([]int32, len(s.Atoms)), make([]int32, len(s.Atoms))
	var visit func(i int, from int32)
	visit = func(i int, from int32) {
		low[i] = depth[i]
		for _, k := range s.at[i] {
			next := s.Bonds[k].other(i)
			switch {
			case k == from:
			case depth[next] > 0:
				low[i] = min(low[i], depth[next])
				inRing[k] = true
			default:
				depth[next] = depth[i] + 1
				visit(next, k)
				low[i] = min(low[i], low[next])
				inRing[k] = low[next] <= depth[i]
			}
		}
	}
	for start := range s.Atoms {
		if depth[start] == 0 {
			depth[start] = 1
			visit(start, -1)
		}
	}
	return inRing
}

// rings finds the rings that are no sum of smaller ones, as chemists count
// them. In very large networks of rings it finds some of them.
func (s *Structure) rings(inRing []bool) []*ring {
	numbers, count := make([]int, len(s.Bonds)), 0
	for k, in := range inRing {
		if in {
			numbers[k] = count
			count++
		}
	}
	if count == 0 {
		return nil
	}
	f := ringFinder{
		s: s, open: slices.Clone(inRing), numbers: numbers, setSteps: (count + 63) / 64,
		left: ringSteps, seen: map[string]bool{},
	}
	f.distance, f.from, f.branch = make([]int32, len(s.Atoms)), make([]int32, len(s.Atoms)), make([]int32, len(s.Atoms))
	for i := range s.Atoms {
		f.search(int32(i))
	}
	slices.SortStableFunc(f.found, func(a, b *ring) int {
		return cmp.Or(cmp.Compare(len(a.bonds), len(b.bonds)), slices.Compare(a.bonds, b.bonds))
	})
	f.left = ringSteps
	return f.irreducible()
}

type ringFinder struct {
	s        *Structure
	open     []bool // ring bonds that the search may still use
	numbers  []int  // of the bonds, among ring bonds
	setSteps int    // steps that the work on a set of bonds counts for
	left     int    // steps
	found    []*ring
	seen     map[string]bool
	// of the search in hand, 1 + the distance from its start, the bond each
	// atom was reached by, and the neighbour of the start it lies after
	distance, from, branch []int32
}

// search finds the rings through an atom that are closed by a bond between two
// shortest paths from it. Later searches do without the atom.
func (f *ringFinder) search(start int32) {
	if lists.Count(f.s.at[start], func(k *int32) bool { return f.open[*k] }) < 2 {
		return
	}
	queue := []int32{start}
	f.distance[start] = 1
	type closure struct{ a, b, bond int32 }
	var closures []closure
	for n := 0; n < len(queue) && f.left > 0 && len(closures) < mostClosures; n++ {
		at := queue[n]
		for _, k := range f.s.at[at] {
			if !f.open[k] || at != start && k == f.from[at] {
				continue
			}
			f.left--
			next := int32(f.s.Bonds[k].other(int(at)))
			switch {
			case f.distance[next] == 0 && f.distance[at] <= largestRing/2:
				f.distance[next], f.from[next], f.branch[next] = f.distance[at]+1, k, f.branch[at]
				if at == start {
					f.branch[next] = next
				}
				queue = append(queue, next)
			case f.distance[next] >= f.distance[at] && at != start && f.branch[next] != f.branch[at] &&
				(f.distance[next] > f.distance[at] || at < next) && f.distance[at]+f.distance[next]-1 <= largestRing:
				closures = append(closures, closure{at, next, k})
			}
		}
	}
	for _, c := range closures {
		f.add(c.a, c.b, c.bond)
	}
	for _, i := range queue {
		f.distance[i], f.branch[i] = 0, 0
	}
	for _, k := range f.s.at[start] {
		f.open[k] = false
	}
}

func (f *ringFinder) add(a, b, closing int32) {
	length := int(f.distance[a] + f.distance[b])
	r := &ring{bonds: append(make([]int32, 0, length), closing), atoms: append(make([]int32, 0, length), a, b)}
	for _, end := range []int32{a, b} {
		for f.distance[end] > 1 {
			r.bonds = append(r.bonds, f.from[end])
			end = int32(f.s.Bonds[f.from[end]].other(int(end)))
			r.atoms = append(r.atoms, end)
			f.left--
		}
	}
	r.atoms = r.atoms[:len(r.atoms)-1] // the start is there twice
	slices.Sort(r.bonds)
	for _, k := range slices.Backward(r.bonds) {
		r.set.SetBit(&r.set, f.numbers[k], 1)
	}
	key := string(r.set.Bytes())
	if f.seen[key] {
		return
	}
	f.seen[key] = true
	f.left -= f.setSteps
	f.found = append(f.found, r)
}

// irreducible keeps the rings that are no sum of smaller ones.
func (f *ringFinder) irreducible() []*ring {
	var kept []*ring
	basis := map[uint]*big.Int{} // by the lowest bond
	reduced := func(set *big.Int) *big.Int {
		rest := new(big.Int).Set(set)
		for f.left > 0 && rest.Sign() > 0 && basis[rest.TrailingZeroBits()] != nil {
			f.left -= f.setSteps
			rest.Xor(rest, basis[rest.TrailingZeroBits()])
		}
		return rest
	}
	for start := 0; start < len(f.found) && f.left > 0; {
		end := start
		first := len(kept)
		for ; end < len(f.found) && f.left > 0 && len(f.found[end].bonds) == len(f.found[start].bonds); end++ {
			if reduced(&f.found[end].set).Sign() > 0 {
				kept = append(kept, f.found[end])
			}
		}
		for _, r := range kept[first:] {
			rest := reduced(&r.set)
			if lowest := rest.TrailingZeroBits(); rest.Sign() > 0 && basis[lowest] == nil {
				basis[lowest] = rest
			}
		}
		start = end
	}
	return kept
}

// Element is what the valence rules know of a chemical element.
type Element struct {
	Symbol   string
	outer    int   // electrons of the outer shell
	Isotope  int   // the most common one
	valences []int // that are allowed; none if any is
}

// periodicTable has a line for each period: symbol, outer electrons, most common isotope, allowed valences (- for any).
const periodicTable = `H 1 1 1, He 2 4 0,
Li 1 7 1, Be 2 9 2, B 3 11 3, C 4 12 4, N 5 14 3, O 6 16 2, F 7 19 1, Ne 8 20 0,
Na 1 23 1, Mg 2 24 2, Al 3 27 3/6, Si 4 28 4/6, P 5 31 3/5/7, S 6 32 2/4/6, Cl 7 35 1, Ar 8 40 0,
K 1 39 1, Ca 2 40 2, Sc 3 45 -, Ti 4 48 -, V 5 51 -, Cr 6 52 -, Mn 7 55 -, Fe 8 56 -, Co 9 59 -, Ni 10 58 -, Cu 11 63 -, Zn 2 64 -, Ga 3 69 3, Ge 4 74 4, As 5 75 3/5/7, Se 6 80 2/4/6, Br 7 79 1, Kr 8 84 0,
Rb 1 85 1, Sr 2 88 2, Y 3 89 -, Zr 4 90 -, Nb 5 93 -, Mo 6 98 -, Tc 7 97 -, Ru 8 102 -, Rh 9 103 -, Pd 10 106 -, Ag 11 107 -, Cd 2 114 -, In 3 115 3, Sn 4 120 2/4, Sb 5 121 3/5/7, Te 6 130 2/4/6, I 7 127 1/3/5, Xe 8 132 0/2/4/6,
Cs 1 133 1, Ba 2 138 2, La 3 139 -, Ce 4 140 -, Pr 3 141 -, Nd 4 142 -, Pm 5 145 -, Sm 6 152 -, Eu 7 153 -, Gd 8 158 -, Tb 9 159 -, Dy 10 164 -, Ho 11 165 -, Er 12 166 -, Tm 13 169 -, Yb 14 174 -, Lu 15 175 -, Hf 4 180 -, Ta 5 181 -, W 6 184 -, Re 7 187 -, Os 8 192 -, Ir 9 193 -, Pt 10 195 -, Au 11 197 -, Hg 2 202 -, Tl 3 205 3, Pb 4 208 2/4, Bi 5 209 3/5/7, Po 6 209 2/4/6, At 7 210 1/3/5, Rn 8 211 0,
Fr 1 223 1, Ra 2 223 2, Ac 3 227 -, Th 4 232 -, Pa 3 231 -, U 4 238 -, Np 5 236 -, Pu 6 238 -, Am 7 241 -, Cm 8 243 -, Bk 9 247 -, Cf 10 249 -, Es 11 252 -, Fm 12 257 -, Md 13 258 -, No 14 259 -, Lr 15 262 -, Rf 2 267 -, Db 2 268 -, Sg 2 271 -, Bh 2 270 -, Hs 2 269 -, Mt 2 278 -, Ds 2 281 -, Rg 2 281 -, Cn 2 285 -, Nh 2 284 -, Fl 2 289 -, Mc 2 288 -, Lv 2 293 -, Ts 2 292 -, Og 2 294 -`

// The elements by atomic number, and their numbers by symbol. Number 0 is a dummy, which binds to anything.
var ElementsByNumber, numberBySymbol = readPeriodicTable()

func readPeriodicTable() ([]Element, map[string]int) {
	all := []Element{{Symbol: "*"}}
	numbers := map[string]int{}
	for _, entry := range strings.Split(strings.ReplaceAll(periodicTable, "\n", " "), ",") {
		parts := strings.Fields(entry)
		e := Element{Symbol: parts[0], outer: Number(parts[1]), Isotope: Number(parts[2])}
		if parts[3] != "-" {
			for _, v := range strings.Split(parts[3], "/") {
				e.valences = append(e.valences, Number(v))
			}
		}
		numbers[e.Symbol] = len(all)
		all = append(all, e)
	}
	return all, numbers
}

// Number reads a decimal number, 0 if it is none.
func Number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// defaultValence is the lowest allowed valence, -1 where any is allowed.
func defaultValence(atomicNumber int) int {
	if atomicNumber < 0 || atomicNumber >= len(ElementsByNumber) || len(ElementsByNumber[atomicNumber].valences) == 0 {
		return -1
	}
	return ElementsByNumber[atomicNumber].valences[0]
}

// isEarly tells the elements that a negative charge lets bind more atoms, not fewer: metals and boron.
func isEarly(atomicNumber int) bool {
	switch n := atomicNumber; {
	case n <= 2 || n >= 6 && n <= 10 || n >= 14 && n <= 18 || n >= 28 && n <= 30 ||
		n >= 33 && n <= 36 || n >= 46 && n <= 48 || n >= 52 && n <= 54 || n >= 78 && n <= 80 || n >= 84 && n <= 86:
		return false
	}
	return true
}

// moreElectronegative compares as the published program does, by outer electrons and then by row.
func moreElectronegative(a, b int) bool {
	outerA, outerB := ElementsByNumber[a].outer, ElementsByNumber[b].outer
	return outerA > outerB || outerA == outerB && a < b
}
