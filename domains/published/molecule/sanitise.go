package molecule

import "slices"

// removeHydrogens leaves out plain hydrogens with one neighbour, which is neither a hydrogen nor a dummy.
func (s *Structure) removeHydrogens() *Structure {
	leave := make([]bool, len(s.Atoms))
	for i := range s.Atoms {
		a := &s.Atoms[i]
		if a.Element != 1 || a.Isotope != 0 || len(s.at[i]) != 1 {
			continue
		}
		to := s.Bonds[s.at[i][0]].other(i)
		heavy := &s.Atoms[to]
		if heavy.Element <= 1 {
			continue
		}
		leave[i] = true
		if heavy.noImplicit {
			heavy.hydrogens++
		}
	}
	if !slices.Contains(leave, true) {
		return s
	}
	return s.without(leave)
}

// Sanitise checks valences, fills hydrogens up and perceives aromatic bonds. It
// is false for what the published program refuses.
func (s *Structure) Sanitise() bool {
	s.unfoldCharges()
	if !s.alternate() {
		return false
	}
	for i := range s.Atoms {
		if !s.addHydrogens(i) {
			return false
		}
	}
	for i := range s.Atoms {
		if s.Atoms[i].noImplicit {
			s.countRadicals(i)
		}
	}
	s.perceiveAromatic()
	return true
}

// unfoldCharges writes nitro groups and azides with charges, where nitrogen has five bonds.
func (s *Structure) unfoldCharges() {
	for i := range s.Atoms {
		if a := &s.Atoms[i]; a.Charge != 0 || a.Element != 7 || s.explicitValence(i) != 5 {
			continue
		}
		for _, k := range s.at[i] {
			b := &s.Bonds[k]
			to := &s.Atoms[b.other(i)]
			oxide := to.Element == 8 && b.Kind == DoubleBond
			azide := to.Element == 7 && b.Kind == tripleBond
			if to.Charge == 0 && (oxide || azide) {
				b.Kind--
				s.Atoms[i].Charge, to.Charge = 1, -1
				break
			}
		}
	}
}

// addHydrogens fills an atom up to its next allowed valence. It is false if the atom has too many bonds.
func (s *Structure) addHydrogens(i int) bool {
	a := &s.Atoms[i]
	e := &ElementsByNumber[a.Element]
	valence := s.explicitValence(i)
	if len(e.valences) == 0 {
		return true
	}
	effective := valence - a.Charge
	if e.outer < 4 {
		effective = valence + a.Charge
	}
	if most := e.valences[len(e.valences)-1]; most > 0 && effective > most {
		return false
	}
	return a.noImplicit || a.fillUp(e.valences, valence-a.boundByCharge())
}

// fillUp adds the hydrogens that are missing at an atom of some bonds to the next
// valence. It is false if the bonds are too many for all.
func (a *Atom) fillUp(valences []int, bonds int) bool {
	for _, valence := range valences {
		if missing := valence - bonds - a.Radicals; missing >= 0 {
			if !a.noImplicit {
				a.hydrogens += missing
			}
			return true
		}
	}
	return false
}

// boundByCharge is how many more atoms an atom binds for its charge.
func (a *Atom) boundByCharge() int {
	if isEarly(a.Element) || a.Element == 6 && a.Charge > 0 {
		return -a.Charge
	}
	return a.Charge
}

// countRadicals sets the unpaired electrons of an atom to which no hydrogens are added, by its bonds.
func (s *Structure) countRadicals(i int) {
	a := &s.Atoms[i]
	e := &ElementsByNumber[a.Element]
	if len(e.valences) == 0 {
		return
	}
	valence := s.explicitValence(i)
	a.Radicals = max(8-e.outer-valence+a.Charge, 0)
	if early := e.outer - valence - a.Charge; early >= 0 {
		a.Radicals = min(a.Radicals, early)
	}
}

// alternate makes single and double bonds of those that are written as
// aromatic. It is false where they cannot take turns.
func (s *Structure) alternate() bool {
	var written []int32
	for k := range s.Bonds {
		if s.Bonds[k].Kind == AromaticBond {
			written = append(written, int32(k))
			s.Bonds[k].Kind = singleBond
		}
	}
	if len(written) == 0 {
		return true
	}
	ring := s.ringBonds()
	wanting := map[int]bool{}
	for _, k := range written {
		if !ring[k] {
			return false
		}
		wanting[s.Bonds[k].A], wanting[s.Bonds[k].B] = true, true
	}
	for i := range wanting {
		wanting[i] = s.wantsDouble(i)
	}
	doubles, ok := s.FirstMatching(written, wanting)
	if !ok {
		return false
	}
	for _, k := range doubles {
		s.Bonds[k].Kind = DoubleBond
	}
	return true
}

// wantsDouble reports whether an atom of an aromatic ring has room for a double bond in it.
func (s *Structure) wantsDouble(i int) bool {
	a := &s.Atoms[i]
	valence := defaultValence(a.Element)
	return valence >= 0 && valence+a.boundByCharge()-s.explicitValence(i)-a.Radicals > 0
}

// FirstMatching gives each wanting atom one of the bonds, so that no two share
// an atom: of all ways the one whose bonds come first by their atoms' numbers.
func (s *Structure) FirstMatching(bonds []int32, wanting map[int]bool) (chosen []int32, ok bool) {
	const most = 50_000 // steps
	partners := map[int][]int32{}
	for _, k := range bonds {
		if a, b := s.Bonds[k].A, s.Bonds[k].B; wanting[a] && wanting[b] {
			partners[a] = append(partners[a], k)
			partners[b] = append(partners[b], k)
		}
	}
	var atoms []int
	for i := range s.Atoms {
		if wanting[i] {
			atoms = append(atoms, i)
			slices.SortFunc(partners[i], func(k, l int32) int { return s.Bonds[k].other(i) - s.Bonds[l].other(i) })
		}
	}
	taken := make([]bool, len(s.Atoms))
	steps := 0
	var place func(n int) bool
	place = func(n int) bool {
		for n < len(atoms) && taken[atoms[n]] {
			n++
		}
		if n == len(atoms) {
			return true
		}
		i := atoms[n]
		for _, k := range partners[i] {
			other := s.Bonds[k].other(i)
			if steps++; steps > most {
				return false
			}
			if taken[other] {
				continue
			}
			taken[i], taken[other] = true, true
			chosen = append(chosen, k)
			if place(n + 1) {
				return true
			}
			taken[i], taken[other] = false, false
			chosen = chosen[:len(chosen)-1]
		}
		return false
	}
	ok = place(0)
	return chosen, ok
}
