package molecule

import "slices"

// colouring gives atoms with unlike surroundings unlike colours: level by level
// by those of their neighbours.
type colouring [][]uint64

const rounds = 8 // of colouring

// colours colours atoms by what first says, then round after round by their
// neighbours.
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

// isomorphic looks for a one to one match of the atoms in which all bonds are
// kept. Two atoms may match if the colours say so, and a whole match is taken if
// accept likes it. It gives up after a number of steps.
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

// sameSkeleton reports whether two molecules have the same elements and kinds of
// bonds throughout.
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
