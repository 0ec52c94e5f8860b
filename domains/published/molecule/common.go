package molecule

import (
	"cmp"
	"slices"

	"agentd/domains/internal/notes"
)

// between is the bond between two atoms, -1 if there is none.
func (s *Structure) between(i, j int) int32 {
	for _, k := range s.at[i] {
		if s.Bonds[k].other(i) == j {
			return k
		}
	}
	return -1
}

// commonAtoms is the number of atoms in the largest connected part that two molecules have in common, the one with most
// bonds and of those with most atoms. Atoms match by element, bonds by kind. Without a common bond it is 1 or
// 0. The search ends after a number of steps with the best that was found.
func commonAtoms(a, b *Structure, steps int, noted *notes.Notes) int {
	f := newFinder(a, b, steps)
	for _, i := range f.starts() {
		if f.steps <= 0 || !f.mayImprove() {
			break
		}
		for _, j := range f.partnersOf(i) {
			f.pair(i, j)
			f.grow(0, 1)
			f.unpair(i, j)
		}
		f.exclude(i)
	}
	noted.AddIf(f.steps <= 0, notes.GivenUp)
	if f.bestAtoms > 0 {
		return f.bestAtoms
	}
	for i := range a.Atoms {
		if slices.ContainsFunc(b.Atoms, func(x Atom) bool { return x.Element == a.Atoms[i].Element }) {
			return 1
		}
	}
	return 0
}

// finder is the search for a common part. It grows a match of atoms one by one, by a neighbour of what is matched, and
// goes back where no better part can be left.
type finder struct {
	a, b                 side
	matched              []int  // atoms of a, in order
	excluded             []bool // atoms of a that are not matched from here on
	bestBonds, bestAtoms int
	steps                int
}

// side is one of the two molecules.
type side struct {
	*Structure
	colours colouring
	partner []int // by atom, the one of the other side; -1 if none
	label   []int // of the bonds, by the elements of their ends and their kind
	open    []int // the bonds of each label that may still become part of the match, or are
}

func newFinder(a, b *Structure, steps int) *finder {
	f := &finder{a: side{Structure: a}, b: side{Structure: b}, excluded: make([]bool, len(a.Atoms)), steps: steps}
	labels := map[[3]int]int{}
	for _, s := range []*side{&f.a, &f.b} {
		s.colours = s.Structure.colours(element)
		s.partner = slices.Repeat([]int{-1}, len(s.Atoms))
		s.label = make([]int, len(s.Bonds))
		for k := range s.Bonds {
			x, y := s.Atoms[s.Bonds[k].A].Element, s.Atoms[s.Bonds[k].B].Element
			key := [3]int{min(x, y), max(x, y), int(s.Bonds[k].label())}
			if _, known := labels[key]; !known {
				labels[key] = len(labels)
			}
			s.label[k] = labels[key]
		}
	}
	for _, s := range []*side{&f.a, &f.b} {
		s.open = make([]int, len(labels))
		for _, label := range s.label {
			s.open[label]++
		}
	}
	return f
}

// mayImprove reports whether a part may be left that is better than the best: of more bonds, or as many with more
// atoms, of which there is at most one more than bonds.
func (f *finder) mayImprove() bool {
	possible := 0
	for label, open := range f.a.open {
		possible += min(open, f.b.open[label])
	}
	return possible > f.bestBonds || possible == f.bestBonds && f.bestAtoms < possible+1
}

// likeness is how far around two atoms their surroundings are the same, -1 if their elements differ.
func (f *finder) likeness(i, j int) int {
	for n := range f.a.colours {
		if f.a.colours[n][i] != f.b.colours[n][j] {
			return n - 1
		}
	}
	return len(f.a.colours)
}

// starts lists the atoms of a that have a partner, those first whose surroundings are most alike.
func (f *finder) starts() []int {
	levels := make([]map[uint64]bool, len(f.b.colours))
	for n, colours := range f.b.colours {
		levels[n] = map[uint64]bool{}
		for _, colour := range colours {
			levels[n][colour] = true
		}
	}
	likeness := make([]int, len(f.a.Atoms))
	var all []int
	for i := range f.a.Atoms {
		for likeness[i] < len(levels) && levels[likeness[i]][f.a.colours[likeness[i]][i]] {
			likeness[i]++
		}
		if likeness[i] > 0 {
			all = append(all, i)
		}
	}
	slices.SortStableFunc(all, func(i, j int) int { return likeness[j] - likeness[i] })
	return all
}

// partnersOf lists the atoms of b of the same element, the most alike first.
func (f *finder) partnersOf(i int) []int {
	f.steps -= len(f.b.Atoms)
	var all []int
	for j := range f.b.Atoms {
		if f.b.Atoms[j].Element == f.a.Atoms[i].Element {
			all = append(all, j)
		}
	}
	f.sortPartners(i, all)
	return all
}

func (f *finder) sortPartners(i int, all []int) {
	if len(all) < 2 {
		return
	}
	slices.SortStableFunc(all, func(x, y int) int {
		return cmp.Or(cmp.Compare(f.likeness(i, y), f.likeness(i, x)), cmp.Compare(distance(i, x), distance(i, y)))
	})
}

func distance(i, j int) int { return max(i-j, j-i) }

func (f *finder) pair(i, j int) {
	f.a.partner[i], f.b.partner[j] = j, i
	f.matched = append(f.matched, i)
}

func (f *finder) unpair(i, j int) {
	f.a.partner[i], f.b.partner[j] = -1, -1
	f.matched = f.matched[:len(f.matched)-1]
}

// exclude takes an atom of a out of the search, and its bonds to atoms that were not taken out before.
func (f *finder) exclude(i int) {
	f.excluded[i] = true
	f.openBonds(i, -1)
}

func (f *finder) include(i int) {
	f.openBonds(i, 1)
	f.excluded[i] = false
}

func (f *finder) openBonds(i, by int) {
	for _, k := range f.a.at[i] {
		if !f.excluded[f.a.Bonds[k].other(i)] {
			f.a.open[f.a.label[k]] += by
		}
	}
}

// grow adds to a match of some atoms with some bonds in all ways that may be better than the best.
func (f *finder) grow(bonds, atoms int) {
	if bonds > 0 && (bonds > f.bestBonds || bonds == f.bestBonds && atoms > f.bestAtoms) {
		f.bestBonds, f.bestAtoms = bonds, atoms
	}
	if f.steps--; f.steps <= 0 || !f.mayImprove() {
		return
	}
	i, partners := f.next()
	if i < 0 {
		return
	}
	for _, j := range partners {
		shared, lost := f.a.sharedWith(&f.b, i, j)
		_, lostToo := f.b.sharedWith(&f.a, j, i)
		lost = append(lost, lostToo...)
		for _, open := range lost {
			*open--
		}
		f.pair(i, j)
		f.grow(bonds+shared, atoms+1)
		f.unpair(i, j)
		for _, open := range lost {
			*open++
		}
	}
	f.exclude(i)
	f.grow(bonds, atoms)
	f.include(i)
}

// next is an atom next to the matched ones with its possible partners: of the
// atoms that have any the one with the fewest.
func (f *finder) next() (atom int, partners []int) {
	atom = -1
	for _, i := range f.matched {
		f.steps--
		for _, k := range f.a.at[i] {
			beside := f.a.Bonds[k].other(i)
			if f.a.partner[beside] >= 0 || f.excluded[beside] {
				continue
			}
			found := f.partnersBeside(beside)
			if len(found) > 0 && (atom < 0 || len(found) < len(partners)) {
				atom, partners = beside, found
			}
			if len(partners) == 1 {
				return atom, partners
			}
		}
	}
	if atom >= 0 {
		f.sortPartners(atom, partners)
	}
	return atom, partners
}

// partnersBeside lists the free atoms of b that have a bond in common with the match if they are paired with i.
func (f *finder) partnersBeside(i int) []int {
	var all []int
	for _, k := range f.a.at[i] {
		j := f.a.partner[f.a.Bonds[k].other(i)]
		if j < 0 {
			continue
		}
		for _, l := range f.b.at[j] {
			to := f.b.Bonds[l].other(j)
			if f.b.partner[to] < 0 && f.b.label[l] == f.a.label[k] && f.b.Atoms[to].Element == f.a.Atoms[i].Element &&
				!slices.Contains(all, to) {
				all = append(all, to)
			}
		}
	}
	return all
}

// sharedWith counts the bonds between i and the match that j has on the other side, too. For each bond that it has not,
// there is one less of that label that may become part of the match.
func (s *side) sharedWith(other *side, i, j int) (shared int, lost []*int) {
	for _, k := range s.at[i] {
		to := s.partner[s.Bonds[k].other(i)]
		if to < 0 {
			continue
		}
		if l := other.between(j, to); l >= 0 && other.label[l] == s.label[k] {
			shared++
		} else {
			lost = append(lost, &s.open[s.label[k]])
		}
	}
	return shared, lost
}
