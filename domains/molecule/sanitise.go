package molecule

import "slices"

// removeHydrogens leaves out plain hydrogens with one neighbour, which is neither a hydrogen nor a dummy.
func (s *structure) removeHydrogens() *structure {
	leave := make([]bool, len(s.atoms))
	for i := range s.atoms {
		a := &s.atoms[i]
		if a.element != 1 || a.isotope != 0 || len(s.at[i]) != 1 {
			continue
		}
		to := s.bonds[s.at[i][0]].other(i)
		heavy := &s.atoms[to]
		if heavy.element <= 1 || s.definesGeometry(to) {
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

// sanitise checks valences, fills hydrogens up and perceives aromatic bonds. It
// is false for what the published program refuses.
func (s *structure) sanitise() bool {
	s.unfoldCharges()
	if !s.alternate() {
		return false
	}
	for i := range s.atoms {
		if !s.addHydrogens(i) {
			return false
		}
	}
	for i := range s.atoms {
		if s.atoms[i].noImplicit {
			s.countRadicals(i)
		}
	}
	s.perceiveAromatic()
	return true
}

// unfoldCharges writes nitro groups, azides, phosphorus ylides and the oxides of
// halogens with charges, where they have too many bonds.
func (s *structure) unfoldCharges() {
	for i := range s.atoms {
		a := &s.atoms[i]
		if a.charge != 0 {
			continue
		}
		switch valence := s.explicitValence(i); {
		case a.element == 7 && valence == 5:
			s.unfoldNitrogen(i)
		case (a.element == 17 || a.element == 35 || a.element == 53) && (valence == 3 || valence == 5 || valence == 7):
			s.unfoldHalogen(i)
		}
	}
}

// separate lowers a bond by one order and charges its ends.
func (s *structure) separate(i int, k int32) {
	b := &s.bonds[k]
	b.kind--
	s.atoms[i].charge++
	s.atoms[b.other(i)].charge = -1
}

func (s *structure) unfoldNitrogen(i int) {
	for _, k := range s.at[i] {
		to := &s.atoms[s.bonds[k].other(i)]
		oxide := to.element == 8 && s.bonds[k].kind == doubleBond
		azide := to.element == 7 && s.bonds[k].kind == tripleBond
		if to.charge == 0 && (oxide || azide) {
			s.separate(i, k)
			return
		}
	}
}

func (s *structure) unfoldHalogen(i int) {
	for _, k := range s.at[i] {
		if s.atoms[s.bonds[k].other(i)].element != 8 {
			return
		}
	}
	for _, k := range s.at[i] {
		if s.bonds[k].kind == doubleBond {
			s.separate(i, k)
		}
	}
}

// addHydrogens fills an atom up to its next allowed valence. It is false if the atom has too many bonds.
func (s *structure) addHydrogens(i int) bool {
	a := &s.atoms[i]
	e := &elementsByNumber[a.element]
	valence := s.explicitValence(i)
	if len(e.valences) == 0 {
		return true
	}
	effective := valence - a.charge
	if e.outer < 4 {
		effective = valence + a.charge
	}
	if most := e.valences[len(e.valences)-1]; most > 0 && effective > most {
		return false
	}
	return a.noImplicit || a.fillUp(e.valences, valence-a.boundByCharge())
}

// fillUp adds the hydrogens that are missing at an atom of some bonds to the next
// valence. It is false if the bonds are too many for all.
func (a *atom) fillUp(valences []int, bonds int) bool {
	for _, valence := range valences {
		if missing := valence - bonds - a.radicals; missing >= 0 {
			if !a.noImplicit {
				a.hydrogens += missing
			}
			return true
		}
	}
	return false
}

// boundByCharge is how many more atoms an atom binds for its charge.
func (a *atom) boundByCharge() int {
	if isEarly(a.element) || a.element == 6 && a.charge > 0 {
		return -a.charge
	}
	return a.charge
}

// countRadicals sets the unpaired electrons of an atom to which no hydrogens are added, by its bonds.
func (s *structure) countRadicals(i int) {
	a := &s.atoms[i]
	e := &elementsByNumber[a.element]
	if a.element == 0 || len(e.valences) == 0 {
		return
	}
	shell := 8
	if a.element <= 2 {
		shell = 2
	}
	valence := s.explicitValence(i)
	a.radicals = shell - e.outer - valence + a.charge
	if a.radicals < 0 {
		a.radicals = 0
		if next := slices.IndexFunc(e.valences, func(v int) bool { return v-valence+a.charge >= 0 }); next >= 0 && len(e.valences) > 1 {
			a.radicals = e.valences[next] - valence + a.charge
		}
	}
	if early := e.outer - valence - a.charge; early >= 0 {
		a.radicals = min(a.radicals, early)
	}
}

// alternate makes single and double bonds of those that are written as
// aromatic. It is false where they cannot take turns.
func (s *structure) alternate() bool {
	var written []int32
	for k := range s.bonds {
		if s.bonds[k].kind == aromaticBond {
			written = append(written, int32(k))
			s.bonds[k].kind = singleBond
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
		wanting[s.bonds[k].a], wanting[s.bonds[k].b] = true, true
	}
	for i := range wanting {
		wanting[i] = s.wantsDouble(i)
	}
	doubles, ok := s.firstMatching(written, wanting)
	if !ok {
		return false
	}
	for _, k := range doubles {
		s.bonds[k].kind = doubleBond
	}
	return true
}

// wantsDouble reports whether an atom of an aromatic ring has room for a double bond in it.
func (s *structure) wantsDouble(i int) bool {
	a := &s.atoms[i]
	valence := defaultValence(a.element)
	return valence >= 0 && valence+a.boundByCharge()-s.explicitValence(i)-a.radicals > 0
}

// firstMatching gives each wanting atom one of the bonds, so that no two share
// an atom: of all ways the one whose bonds come first by their atoms' numbers.
func (s *structure) firstMatching(bonds []int32, wanting map[int]bool) (chosen []int32, ok bool) {
	const most = 50_000 // steps
	partners := map[int][]int32{}
	for _, k := range bonds {
		if a, b := s.bonds[k].a, s.bonds[k].b; wanting[a] && wanting[b] {
			partners[a] = append(partners[a], k)
			partners[b] = append(partners[b], k)
		}
	}
	var atoms []int
	for i := range s.atoms {
		if wanting[i] {
			atoms = append(atoms, i)
			slices.SortFunc(partners[i], func(k, l int32) int { return s.bonds[k].other(i) - s.bonds[l].other(i) })
		}
	}
	taken := make([]bool, len(s.atoms))
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
			other := s.bonds[k].other(i)
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
