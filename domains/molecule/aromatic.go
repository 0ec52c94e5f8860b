package molecule

import "slices"

// donation is what an atom gives to the electrons of a ring.
type donation struct {
	least, most int
	candidate   bool // the atom may be part of an aromatic ring
}

const (
	largestSystem  = 6   // rings that are tested together
	mostSubsystems = 100 // of each size that are tested
)

// perceiveAromatic marks the bonds of aromatic rings and ring systems, by the
// rule of 4n+2 electrons.
func (s *structure) perceiveAromatic() {
	inRing := s.ringBonds()
	donations := s.donations(inRing)
	if donations == nil {
		return
	}
	var candidates []*ring
	for _, r := range s.rings(inRing) {
		all, dummies := true, 0
		for _, i := range r.atoms {
			all = all && donations[i].candidate
			if s.atoms[i].element == 0 {
				dummies++
			}
		}
		if all && dummies < len(r.atoms) {
			candidates = append(candidates, r)
		}
	}
	neighbours := ringNeighbours(candidates)
	done := make([]bool, len(candidates))
	for i := range candidates {
		if !done[i] {
			s.markSystem(candidates, neighbours, fusedWith(i, neighbours, done), donations)
		}
	}
}

// donations says what each atom gives to its rings; nil if too few of them are
// candidates for an aromatic ring.
func (s *structure) donations(inRing []bool) []donation {
	all := make([]donation, len(s.atoms))
	known := make([]bool, len(s.atoms))
	bonds := 0
	for k := range s.bonds {
		if !inRing[k] {
			continue
		}
		for _, i := range []int{s.bonds[k].a, s.bonds[k].b} {
			if !known[i] {
				known[i] = true
				all[i] = s.donationOf(i, inRing)
			}
		}
		if all[s.bonds[k].a].candidate && all[s.bonds[k].b].candidate {
			bonds++
		}
	}
	if bonds < 3 {
		return nil
	}
	return all
}

// ringNeighbours lists, for each ring, those that share one bond with it.
func ringNeighbours(rings []*ring) [][]int {
	neighbours := make([][]int, len(rings))
	at := map[int32][]int{} // by bond
	for i, r := range rings {
		for _, k := range r.bonds {
			at[k] = append(at[k], i)
		}
	}
	for i, r := range rings {
		shared := map[int]int{}
		for _, k := range r.bonds {
			for _, j := range at[k] {
				shared[j]++
			}
		}
		for j, bonds := range shared {
			if j != i && bonds == 1 {
				neighbours[i] = append(neighbours[i], j)
			}
		}
		slices.Sort(neighbours[i])
	}
	return neighbours
}

func fusedWith(start int, neighbours [][]int, done []bool) []int {
	done[start] = true
	system := []int{start}
	for n := 0; n < len(system); n++ {
		for _, j := range neighbours[system[n]] {
			if !done[j] {
				done[j] = true
				system = append(system, j)
			}
		}
	}
	slices.Sort(system)
	return system
}

// markSystem tests the rings of a fused system one by one, then two together and
// so on, until all its bonds are aromatic.
func (s *structure) markSystem(rings []*ring, neighbours [][]int, system []int, donations []donation) {
	all := map[int32]bool{}
	for _, i := range system {
		for _, k := range rings[i].bonds {
			all[k] = true
		}
	}
	var subsystems [][]int
	for _, i := range system {
		subsystems = append(subsystems, []int{i})
	}
	marked := 0
	for size := 1; size <= min(len(system), largestSystem) && marked < len(all); size++ {
		if size > 1 {
			subsystems = enlarged(subsystems, neighbours)
		}
		for _, sub := range subsystems {
			if s.isAromatic(rings, sub, donations) {
				marked += s.mark(rings, sub)
			}
		}
	}
}

// enlarged adds to each subsystem each ring next to it.
func enlarged(subsystems [][]int, neighbours [][]int) [][]int {
	var larger [][]int
	seen := map[[largestSystem]int]bool{}
	for _, sub := range subsystems {
		for _, i := range sub {
			for _, j := range neighbours[i] {
				if slices.Contains(sub, j) || len(larger) >= mostSubsystems {
					continue
				}
				next := append(slices.Clone(sub), j)
				slices.Sort(next)
				var key [largestSystem]int
				for n, k := range next {
					key[n] = k + 1
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

// isAromatic counts the electrons of rings together. An atom in the middle, of
// three rings, does not count.
func (s *structure) isAromatic(rings []*ring, system []int, donations []donation) bool {
	times := map[int32]int{}
	for _, i := range system {
		for _, a := range rings[i].atoms {
			times[a]++
		}
	}
	least, most := 0, 0
	for a, n := range times {
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
func (s *structure) mark(rings []*ring, system []int) (marked int) {
	times := map[int32]int{}
	for _, i := range system {
		for _, k := range rings[i].bonds {
			times[k]++
		}
	}
	for k, n := range times {
		if n == 1 && !s.bonds[k].aromatic {
			s.bonds[k].aromatic = true
			marked++
		}
	}
	return marked
}

// donationOf says what an atom of a ring gives to it.
func (s *structure) donationOf(i int, inRing []bool) donation {
	a := &s.atoms[i]
	if a.element == 0 {
		return donation{0, 2, true}
	}
	electrons, gives := s.electronsFor(i, inRing)
	if !gives {
		return donation{}
	}
	return donation{electrons, electrons, s.mayBeAromatic(i)}
}

// electronsFor counts the electrons an atom gives to a ring; false if it keeps
// the ring from being aromatic.
func (s *structure) electronsFor(i int, inRing []bool) (electrons int, gives bool) {
	free := s.freeElectrons(i)
	outside, inside := -1, false // a multiple bond out of the ring, and in one
	for _, k := range s.at[i] {
		if s.bonds[k].halves() >= 4 {
			if inRing[k] {
				inside = true
			} else if outside < 0 {
				outside = s.bonds[k].other(i)
			}
		}
	}
	drawn := outside >= 0 && moreElectronegative(s.atoms[outside].element, s.atoms[i].element)
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
		return 0, s.atoms[i].charge == 1
	}
	if drawn {
		free--
	}
	return 2 - free%2, true
}

// freeElectrons counts the electrons that an atom does not need for single
// bonds; negative if it can be no part of a flat system.
func (s *structure) freeElectrons(i int) int {
	a := &s.atoms[i]
	valence := defaultValence(a.element)
	if valence <= 1 {
		return -1
	}
	degree := a.hydrogens + s.degree(i)
	if degree > 3 {
		return -1
	}
	lonely := max(elementsByNumber[a.element].outer-valence-a.charge, 0)
	free := valence - degree + lonely - a.radicals
	if free > 1 && s.bondOrders(i)-len(s.at[i]) > 1 {
		return 1
	}
	return free
}

// bondOrders adds up the orders of the bonds at an atom.
func (s *structure) bondOrders(i int) int { return s.explicitValence(i) - s.atoms[i].hydrogens }

// degree counts the bonds of an atom that have an order.
func (s *structure) degree(i int) int {
	degree := 0
	for _, k := range s.at[i] {
		if s.bonds[k].kind != otherBond {
			degree++
		}
	}
	return degree
}

// mayBeAromatic leaves out elements, valences and bonds that are in no aromatic
// ring.
func (s *structure) mayBeAromatic(i int) bool {
	a := &s.atoms[i]
	if a.element > 18 && a.element != 34 && a.element != 52 {
		return false
	}
	if defaultValence(a.element) > 0 && s.explicitValence(i) > defaultValence(a.element-a.charge) {
		return false
	}
	if a.radicals > 0 && a.element != 6 {
		return false
	}
	multiple := 0
	for _, k := range s.at[i] {
		if s.bonds[k].kind == doubleBond || s.bonds[k].kind == tripleBond {
			multiple++
		}
	}
	return multiple <= 1
}
