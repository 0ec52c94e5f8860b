package molecule

import "slices"

// geometry is how a molecule's atoms lie in space where that makes it another one: 1 or -1, or 0 where nothing is said.
type geometry struct {
	s       *structure
	centres []int8 // by atom: how its neighbours, by number, turn around it
	doubles []int8 // by bond: whether the first neighbours of its ends lie on one side
}

// geometry looks at atoms and double bonds whose neighbours have unlike colours.
func (s *structure) geometry(c colouring) *geometry {
	g := &geometry{s: s, centres: make([]int8, len(s.atoms)), doubles: make([]int8, len(s.bonds))}
	last := c[len(c)-1]
	for i := range s.atoms {
		g.centres[i] = s.handedness(i, last)
	}
	inRing := s.ringBonds()
	for k := range s.bonds {
		if s.bonds[k].kind == doubleBond && !inRing[k] {
			g.doubles[k] = s.sides(k, last)
		}
	}
	return g
}

// neighbours lists the atoms next to an atom but one, by number.
func (s *structure) neighbours(i, but int) []int {
	var all []int
	for _, k := range s.at[i] {
		if other := s.bonds[k].other(i); other != but {
			all = append(all, other)
		}
	}
	slices.Sort(all)
	return all
}

func unlike(atoms []int, colours []uint64) bool {
	for n, i := range atoms {
		for _, j := range atoms[:n] {
			if colours[i] == colours[j] {
				return false
			}
		}
	}
	return true
}

// handedness tells in which sense the neighbours of an atom turn, from the wedges that begin at it.
func (s *structure) handedness(i int, colours []uint64) int8 {
	around := s.neighbours(i, -1)
	a := &s.atoms[i]
	fourth := len(around)+a.hydrogens == 4 || len(around) == 3 && (a.element == 15 || a.element == 16) // or a lone pair
	if len(around) < 3 || !fourth || !unlike(around, colours) {
		return 0
	}
	from := s.atoms[i].place
	vectors := map[int][3]float64{}
	raised := false
	for _, k := range s.at[i] {
		b := &s.bonds[k]
		to := s.atoms[b.other(i)].place
		v := [3]float64{to[0] - from[0], to[1] - from[1], to[2] - from[2]}
		if b.a == i && b.kind == singleBond && (b.wedge == 1 || b.wedge == 6) {
			raised = true
			v[2] = 1
			if b.wedge == 6 {
				v[2] = -1
			}
		}
		raised = raised || v[2] != 0
		vectors[b.other(i)] = v
	}
	if !raised {
		return 0
	}
	u, v, w := vectors[around[0]], vectors[around[1]], vectors[around[2]]
	if len(around) == 4 {
		last := vectors[around[3]]
		u, v, w = minus(u, last), minus(v, last), minus(w, last)
	}
	return sign(u[0]*(v[1]*w[2]-v[2]*w[1]) - u[1]*(v[0]*w[2]-v[2]*w[0]) + u[2]*(v[0]*w[1]-v[1]*w[0]))
}

func minus(a, b [3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func sign(x float64) int8 {
	const least = 1e-4
	switch {
	case x > least:
		return 1
	case x < -least:
		return -1
	}
	return 0
}

// sides tells whether the first neighbours of a double bond's ends lie on the same side of it.
func (s *structure) sides(k int, colours []uint64) int8 {
	b := &s.bonds[k]
	const either = 3
	if b.wedge == either {
		return 0
	}
	product := int8(1)
	for _, ends := range [][2]int{{b.a, b.b}, {b.b, b.a}} {
		around := s.neighbours(ends[0], ends[1])
		if len(around) == 0 || len(around) > 2 || !unlike(around, colours) {
			return 0
		}
		first, second := s.atoms[b.a].place, s.atoms[b.b].place
		along, out := minus(second, first), minus(s.atoms[around[0]].place, first)
		product *= sign(along[0]*out[1] - along[1]*out[0])
	}
	return product
}

// definesGeometry reports whether an atom has a hydrogen that shows on which side of a double bond it lies.
func (s *structure) definesGeometry(i int) bool {
	if len(s.at[i]) != 2 {
		return false
	}
	for _, k := range s.at[i] {
		if s.bonds[k].kind != doubleBond {
			continue
		}
		colours := s.elementColours()
		return !s.ringBonds()[k] && s.sides(int(k), colours[len(colours)-1]) != 0
	}
	return false
}

// equals compares two geometries of molecules whose atoms are matched.
func (g *geometry) equals(h *geometry, match []int) bool {
	for i, centre := range g.centres {
		other := h.centres[match[i]]
		if centre != other*turned(g.s.neighbours(i, -1), match) {
			return false
		}
	}
	for k, side := range g.doubles {
		b := &g.s.bonds[k]
		if b.kind != doubleBond {
			continue
		}
		other := h.doubles[h.s.between(match[b.a], match[b.b])]
		for _, ends := range [][2]int{{b.a, b.b}, {b.b, b.a}} {
			other *= turned(g.s.neighbours(ends[0], ends[1]), match)
		}
		if side != other {
			return false
		}
	}
	return true
}

// turned is -1 if a match puts atoms in an odd order, otherwise 1.
func turned(atoms, match []int) int8 {
	sense := int8(1)
	for n, i := range atoms {
		for _, j := range atoms[:n] {
			if match[j] > match[i] {
				sense = -sense
			}
		}
	}
	return sense
}

// colouring gives atoms with unlike surroundings unlike colours: level by level by those of their neighbours.
type colouring [][]uint64

const rounds = 8 // of colouring

// colours colours atoms by what first says, then round after round by their neighbours.
func (s *structure) colours(first func(*atom) uint64) colouring {
	c := colouring{make([]uint64, len(s.atoms))}
	for i := range s.atoms {
		c[0][i] = mixed(first(&s.atoms[i]), 0)
	}
	for range rounds {
		was := c[len(c)-1]
		is := make([]uint64, len(was))
		for i := range was {
			sum := uint64(0)
			for _, k := range s.at[i] {
				sum += mixed(was[s.bonds[k].other(i)], uint64(s.bonds[k].label())+1)
			}
			is[i] = mixed(was[i], sum)
		}
		c = append(c, is)
	}
	return c
}

// mixed makes one number of two, as the generator SplitMix64 does.
func mixed(a, b uint64) uint64 {
	x := a*0x9e3779b97f4a7c15 + b + 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// isomorphic looks for a one to one match of the atoms in which all bonds are kept. Two atoms may match if the colours
// say so, and a whole match is taken if accept likes it. It gives up after a number of steps.
func isomorphic(a, b *structure, coloursA, coloursB colouring, accept func(match []int) bool) bool {
	const most = 50_000 // steps
	n := len(a.atoms)
	if n != len(b.atoms) || len(a.bonds) != len(b.bonds) {
		return false
	}
	lastA, lastB := coloursA[len(coloursA)-1], coloursB[len(coloursB)-1]
	sortedA, sortedB := slices.Sorted(slices.Values(lastA)), slices.Sorted(slices.Values(lastB))
	if !slices.Equal(sortedA, sortedB) {
		return false
	}
	of := map[uint64][]int{} // the atoms of b by colour
	for j, colour := range lastB {
		of[colour] = append(of[colour], j)
	}
	match, taken := slices.Repeat([]int{-1}, n), make([]bool, n)
	order, _ := a.searchOrder()
	steps := 0
	var place func(at int) bool
	place = func(at int) bool {
		if at == n {
			return accept(match)
		}
		i := order[at]
		for _, j := range of[lastA[i]] {
			if steps++; steps > most {
				return false
			}
			if taken[j] || !keepsBonds(a, b, match, i, j) {
				continue
			}
			match[i], taken[j] = j, true
			if place(at + 1) {
				return true
			}
			match[i], taken[j] = -1, false
		}
		return false
	}
	return place(0)
}

// searchOrder lists atoms so that each stands after a neighbour, but for the
// first of each of the parts that no bond connects.
func (s *structure) searchOrder() (order []int, parts int) {
	seen := make([]bool, len(s.atoms))
	for start := range s.atoms {
		if seen[start] {
			continue
		}
		seen[start] = true
		order = append(order, start)
		parts++
		for n := len(order) - 1; n < len(order); n++ {
			for _, k := range s.at[order[n]] {
				if next := s.bonds[k].other(order[n]); !seen[next] {
					seen[next] = true
					order = append(order, next)
				}
			}
		}
	}
	return order, parts
}

// keepsBonds reports whether the bonds from i to matched atoms are also in b.
func keepsBonds(a, b *structure, match []int, i, j int) bool {
	if len(a.at[i]) != len(b.at[j]) {
		return false
	}
	for _, k := range a.at[i] {
		to := match[a.bonds[k].other(i)]
		if to < 0 {
			continue
		}
		if l := b.between(j, to); l < 0 || b.bonds[l].label() != a.bonds[k].label() {
			return false
		}
	}
	return true
}

// sameSkeleton reports whether two molecules have the same elements and kinds of bonds throughout.
func sameSkeleton(a, b *structure) bool {
	if slices.EqualFunc(a.atoms, b.atoms, func(x, y atom) bool { return x.element == y.element }) &&
		slices.EqualFunc(a.bonds, b.bonds, func(x, y bond) bool {
			return x.a == y.a && x.b == y.b && x.label() == y.label()
		}) {
		return true
	}
	coloursA, coloursB := a.elementColours(), b.elementColours()
	return isomorphic(a, b, coloursA, coloursB, func([]int) bool { return true })
}

func (s *structure) elementColours() colouring {
	return s.colours(func(a *atom) uint64 { return uint64(a.element) })
}

// sameMolecule reports whether two molecules are the same in everything that
// identifies one: isotopes, charges, hydrogens and geometry too.
func sameMolecule(a, b *structure) bool {
	first := func(x *atom) uint64 {
		return uint64(x.element) + uint64(x.charge&0xff)<<8 + uint64(x.hydrogens&0xff)<<16 +
			uint64(x.isotope&0xfff)<<24 + uint64(x.mapping&0xfff)<<36
	}
	coloursA, coloursB := a.colours(first), b.colours(first)
	geometryA, geometryB := a.geometry(coloursA), b.geometry(coloursB)
	return isomorphic(a, b, coloursA, coloursB, func(match []int) bool { return geometryA.equals(geometryB, match) })
}
