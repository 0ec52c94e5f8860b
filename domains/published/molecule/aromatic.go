package molecule

import (
	"slices"

	"agentd/domains/internal/lists"
)

// donation is what an atom gives to the electrons of a ring.
type donation struct {
	least, most int
	candidate   bool // the atom may be part of an aromatic ring
}

const (
	largestSystem  = 6   // rings that are tested together
	mostSubsystems = 100 // of each size that are tested
)

// perceiveAromatic marks the bonds of aromatic rings and ring systems, by the rule of 4n+2 electrons.
func (s *Structure) perceiveAromatic() {
	inRing := s.ringBonds()
	donations := s.donations(inRing)
	if donations == nil {
		return
	}
	unfit := func(i int32) bool { return !donations[i].candidate }
	known := func(i int32) bool { return s.Atoms[i].Element != 0 }
	candidates := slices.DeleteFunc(s.rings(inRing), func(r *ring) bool {
		return slices.ContainsFunc(r.atoms, unfit) || !slices.ContainsFunc(r.atoms, known)
	})
	connect(candidates)
	for _, r := range candidates {
		if !r.done {
			s.markSystem(r.fused(), donations)
		}
	}
}

// donations says what each atom gives to its rings; nil if too few of them are candidates for an aromatic ring.
func (s *Structure) donations(inRing []bool) []donation {
	all := make([]donation, len(s.Atoms))
	for i := range s.Atoms {
		if slices.ContainsFunc(s.at[i], func(k int32) bool { return inRing[k] }) {
			all[i] = s.donationOf(i, inRing)
		}
	}
	bonds := 0
	for k, b := range s.Bonds {
		if inRing[k] && all[b.A].candidate && all[b.B].candidate {
			bonds++
		}
	}
	if bonds < 3 {
		return nil
	}
	return all
}

// connect numbers rings, and finds the neighbours of each, which share one bond with it.
func connect(rings []*ring) {
	at := map[int32][]*ring{} // by bond
	for n, r := range rings {
		r.number = n + 1
		for _, k := range r.bonds {
			at[k] = append(at[k], r)
		}
	}
	for _, r := range rings {
		shared := map[*ring]int{}
		for _, k := range r.bonds {
			for _, other := range at[k] {
				shared[other]++
			}
		}
		for other, bonds := range shared {
			if other != r && bonds == 1 {
				r.neighbours = append(r.neighbours, other)
			}
		}
		slices.SortFunc(r.neighbours, byNumber)
	}
}

func byNumber(r, other *ring) int { return r.number - other.number }

// fused lists the rings of the system that a ring is in, which are done with.
func (r *ring) fused() []*ring {
	r.done = true
	system := []*ring{r}
	for n := 0; n < len(system); n++ {
		for _, next := range system[n].neighbours {
			if !next.done {
				next.done = true
				system = append(system, next)
			}
		}
	}
	slices.SortFunc(system, byNumber)
	return system
}

// markSystem tests the rings of a fused system one by one, then two together and
// so on, until all its bonds are aromatic.
func (s *Structure) markSystem(system []*ring, donations []donation) {
	var subsystems [][]*ring
	for _, r := range system {
		subsystems = append(subsystems, []*ring{r})
	}
	marked, all := 0, len(tally(system, (*ring).bondNumbers))
	for size := 1; size <= min(len(system), largestSystem) && marked < all; size++ {
		if size > 1 {
			subsystems = enlarged(subsystems)
		}
		for _, sub := range subsystems {
			if isAromatic(sub, donations) {
				marked += s.mark(sub)
			}
		}
	}
}

// tally counts in how many of some rings each bond or atom is.
func tally(rings []*ring, numbers func(*ring) []int32) map[int32]int {
	times := map[int32]int{}
	for _, r := range rings {
		for _, n := range numbers(r) {
			times[n]++
		}
	}
	return times
}

// enlarged adds to each subsystem each ring next to it.
func enlarged(subsystems [][]*ring) [][]*ring {
	var larger [][]*ring
	seen := map[[largestSystem]int]bool{}
	for _, sub := range subsystems {
		for _, r := range sub {
			for _, other := range r.neighbours {
				if slices.Contains(sub, other) || len(larger) >= mostSubsystems {
					continue
				}
				next := append(slices.Clone(sub), other)
				slices.SortFunc(next, byNumber)
				var key [largestSystem]int
				for n, r := range next {
					key[n] = r.number
				}
				if !seen[key] {
					seen[key] = true
					larger = append(larger, next)
				}
			}
		}
	}
	return larger
}

// isAromatic counts the electrons of rings together. An atom in the middle, of three rings, does not count.
func isAromatic(system []*ring, donations []donation) bool {
	least, most := 0, 0
	for a, n := range tally(system, (*ring).atomNumbers) {
		if n <= 2 {
			least += donations[a].least
			most += donations[a].most
		}
	}
	if most < 6 {
		return most == 2
	}
	for electrons := least; electrons <= most; electrons++ {
		if electrons >= 2 && (electrons-2)%4 == 0 {
			return true
		}
	}
	return false
}

// mark makes the bonds aromatic that are in one of the rings only.
func (s *Structure) mark(system []*ring) (marked int) {
	for k, n := range tally(system, (*ring).bondNumbers) {
		if n == 1 && !s.Bonds[k].Aromatic {
			s.Bonds[k].Aromatic = true
			marked++
		}
	}
	return marked
}

// donationOf says what an atom of a ring gives to it.
func (s *Structure) donationOf(i int, inRing []bool) donation {
	a := &s.Atoms[i]
	if a.Element == 0 {
		return donation{0, 2, true}
	}
	electrons, gives := s.electronsFor(i, inRing)
	if !gives {
		return donation{}
	}
	return donation{electrons, electrons, s.mayBeAromatic(i)}
}

// electronsFor counts the electrons an atom gives to a ring; false if it keeps the ring from being aromatic.
func (s *Structure) electronsFor(i int, inRing []bool) (electrons int, gives bool) {
	free := s.freeElectrons(i)
	outside, inside := -1, false // a multiple bond out of the ring, and in one
	for _, k := range s.at[i] {
		if s.Bonds[k].halves() >= 4 {
			if inRing[k] {
				inside = true
			} else if outside < 0 {
				outside = s.Bonds[k].other(i)
			}
		}
	}
	drawn := outside >= 0 && moreElectronegative(s.Atoms[outside].Element, s.Atoms[i].Element)
	switch {
	case free < 0:
		return 0, false
	case free == 0 && outside >= 0:
		return 0, true
	case free == 0:
		return 1, inside
	case free == 1 && outside >= 0 && drawn:
		return 0, true
	case free == 1 && outside >= 0:
		return 1, true
	case free == 1 && s.bondOrders(i) != s.degree(i):
		return 1, true
	case free == 1:
		return 0, s.Atoms[i].Charge == 1
	}
	if drawn {
		free--
	}
	return 2 - free%2, true
}

// freeElectrons counts the electrons that an atom does not need for single
// bonds; negative if it can be no part of a flat system.
func (s *Structure) freeElectrons(i int) int {
	a := &s.Atoms[i]
	valence := defaultValence(a.Element)
	if valence <= 1 {
		return -1
	}
	degree := a.hydrogens + s.degree(i)
	if degree > 3 {
		return -1
	}
	lonely := max(ElementsByNumber[a.Element].outer-valence-a.Charge, 0)
	free := valence - degree + lonely - a.Radicals
	if free > 1 && s.bondOrders(i)-len(s.at[i]) > 1 {
		return 1
	}
	return free
}

// bondOrders adds up the orders of the bonds at an atom.
func (s *Structure) bondOrders(i int) int { return s.explicitValence(i) - s.Atoms[i].hydrogens }

// degree counts the bonds of an atom that have an order.
func (s *Structure) degree(i int) int {
	return lists.Count(s.at[i], func(k *int32) bool { return s.Bonds[*k].Kind != otherBond })
}

// mayBeAromatic leaves out elements, valences and bonds that are in no aromatic ring.
func (s *Structure) mayBeAromatic(i int) bool {
	a := &s.Atoms[i]
	if a.Element > 18 && a.Element != 34 && a.Element != 52 {
		return false
	}
	if defaultValence(a.Element) > 0 && s.explicitValence(i) > defaultValence(a.Element-a.Charge) {
		return false
	}
	if a.Radicals > 0 && a.Element != 6 {
		return false
	}
	isMultiple := func(k *int32) bool { return s.Bonds[*k].Kind == DoubleBond || s.Bonds[*k].Kind == tripleBond }
	return lists.Count(s.at[i], isMultiple) <= 1
}
