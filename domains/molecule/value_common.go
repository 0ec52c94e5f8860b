package molecule

import (
	"cmp"
	"slices"

	"agentd/domains/internal/notes"
)

// commonAtoms is the number of atoms in the largest connected part that two
// molecules have in common, the one with most bonds and of those with most
// atoms. Atoms match by element, bonds by kind. Without a common bond it is 1 or
// 0. The search ends after a number of steps with the best that was found.
func commonAtoms(a, b *structure, steps int, noted *notes.Notes) int {
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
	for i := range a.atoms {
		if slices.ContainsFunc(b.atoms, func(x atom) bool { return x.element == a.atoms[i].element }) {
			return 1
		}
	}
	return 0
}

// finder is the search for a common part. It grows a match of atoms one by one,
// by a neighbour of what is matched, and goes back where no better part can be
// left.
type finder struct {
	a, b               *structure
	coloursA, coloursB colouring
	match, back        []int  // atoms of b by those of a, and of a by those of b; -1 if none
	matched            []int  // atoms of a, in order
	excluded           []bool // atoms of a that are not matched from here on
	// The bonds of each label that may still become part of the match, or are.
	openA, openB         []int
	labelA, labelB       []int // of the bonds
	bestBonds, bestAtoms int
	steps                int
}

func newFinder(a, b *structure, steps int) *finder {
	f := &finder{a: a, b: b, coloursA: a.elementColours(), coloursB: b.elementColours(), steps: steps}
	f.match, f.back = slices.Repeat([]int{-1}, len(a.atoms)), slices.Repeat([]int{-1}, len(b.atoms))
	f.excluded = make([]bool, len(a.atoms))
	labels := map[[3]int]int{}
	f.labelA, f.openA = a.bondLabels(labels)
	f.labelB, f.openB = b.bondLabels(labels)
	for len(f.openA) < len(labels) {
		f.openA = append(f.openA, 0)
	}
	return f
}

// bondLabels numbers bonds by the elements of their ends and their kind, and
// counts those of each number.
func (s *structure) bondLabels(labels map[[3]int]int) (label, count []int) {
	label = make([]int, len(s.bonds))
	count = make([]int, len(labels))
	for k := range s.bonds {
		x, y := s.atoms[s.bonds[k].a].element, s.atoms[s.bonds[k].b].element
		key := [3]int{min(x, y), max(x, y), int(s.bonds[k].label())}
		n, known := labels[key]
		if !known {
			n = len(labels)
			labels[key] = n
		}
		for len(count) <= n {
			count = append(count, 0)
		}
		label[k] = n
		count[n]++
	}
	return label, count
}

// mayImprove reports whether a part may be left that is better than the best: of
// more bonds, or as many with more atoms, of which there is at most one more than
// bonds.
func (f *finder) mayImprove() bool {
	possible := 0
	for n, open := range f.openA {
		possible += min(open, f.openB[n])
	}
	return possible > f.bestBonds || possible == f.bestBonds && f.bestAtoms < possible+1
}

// likeness is how far around two atoms their surroundings are the same, -1 if
// their elements differ.
func (f *finder) likeness(i, j int) int {
	for n := range f.coloursA {
		if f.coloursA[n][i] != f.coloursB[n][j] {
			return n - 1
		}
	}
	return len(f.coloursA)
}

// starts lists the atoms of a that have a partner, those first whose
// surroundings are most alike.
func (f *finder) starts() []int {
	levels := make([]map[uint64]bool, len(f.coloursB))
	for n, colours := range f.coloursB {
		levels[n] = map[uint64]bool{}
		for _, colour := range colours {
			levels[n][colour] = true
		}
	}
	likeness := make([]int, len(f.a.atoms))
	var all []int
	for i := range f.a.atoms {
		for likeness[i] < len(levels) && levels[likeness[i]][f.coloursA[likeness[i]][i]] {
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
	f.steps -= len(f.b.atoms)
	var all []int
	for j := range f.b.atoms {
		if f.b.atoms[j].element == f.a.atoms[i].element {
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
	f.match[i], f.back[j] = j, i
	f.matched = append(f.matched, i)
}

func (f *finder) unpair(i, j int) {
	f.match[i], f.back[j] = -1, -1
	f.matched = f.matched[:len(f.matched)-1]
}

// exclude takes an atom of a out of the search, and its bonds to atoms that were
// not taken out before.
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
		if !f.excluded[f.a.bonds[k].other(i)] {
			f.openA[f.labelA[k]] += by
		}
	}
}

// grow adds to a match of some atoms with some bonds in all ways that may be
// better than the best.
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
		gained := f.gain(i, j)
		lost := f.close(i, j)
		f.pair(i, j)
		f.grow(bonds+gained, atoms+1)
		f.unpair(i, j)
		f.reopen(lost)
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
			beside := f.a.bonds[k].other(i)
			if f.match[beside] >= 0 || f.excluded[beside] {
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

// partnersBeside lists the free atoms of b that have a bond in common with the
// match if they are paired with i.
func (f *finder) partnersBeside(i int) []int {
	var all []int
	for _, k := range f.a.at[i] {
		j := f.match[f.a.bonds[k].other(i)]
		if j < 0 {
			continue
		}
		for _, l := range f.b.at[j] {
			to := f.b.bonds[l].other(j)
			if f.back[to] < 0 && f.labelB[l] == f.labelA[k] && f.b.atoms[to].element == f.a.atoms[i].element &&
				!slices.Contains(all, to) {
				all = append(all, to)
			}
		}
	}
	return all
}

// gain is the number of bonds to the match that i and j have in common.
func (f *finder) gain(i, j int) int {
	bonds := 0
	for _, k := range f.a.at[i] {
		to := f.match[f.a.bonds[k].other(i)]
		if to >= 0 && f.sharesBond(j, to, f.labelA[k]) {
			bonds++
		}
	}
	return bonds
}

func (f *finder) sharesBond(j, to, label int) bool {
	for _, l := range f.b.at[j] {
		if f.b.bonds[l].other(j) == to && f.labelB[l] == label {
			return true
		}
	}
	return false
}

// close takes bonds out of the possible ones that pairing i with j rules out:
// those from either to the match that the other one does not have.
func (f *finder) close(i, j int) (lost []int) {
	for _, k := range f.a.at[i] {
		to := f.match[f.a.bonds[k].other(i)]
		if to >= 0 && !f.sharesBond(j, to, f.labelA[k]) {
			f.openA[f.labelA[k]]--
			lost = append(lost, f.labelA[k])
		}
	}
	for _, l := range f.b.at[j] {
		from := f.back[f.b.bonds[l].other(j)]
		if from >= 0 && !f.hasBond(i, from, f.labelB[l]) {
			f.openB[f.labelB[l]]--
			lost = append(lost, -1-f.labelB[l])
		}
	}
	return lost
}

func (f *finder) hasBond(i, from, label int) bool {
	for _, k := range f.a.at[i] {
		if f.a.bonds[k].other(i) == from && f.labelA[k] == label {
			return true
		}
	}
	return false
}

func (f *finder) reopen(lost []int) {
	for _, label := range lost {
		if label >= 0 {
			f.openA[label]++
		} else {
			f.openB[-1-label]++
		}
	}
}
