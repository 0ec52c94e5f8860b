package molecule

import (
	"math"
	"slices"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Stats counts the parts of a document.
func Stats(l *Library) domains.Stats {
	records := l.plain
	if len(records) == 0 {
		records = l.repaired
	}
	atoms, bonds := 0, 0
	names := map[string]bool{}
	for _, r := range records {
		atoms += len(r.structure.Atoms)
		bonds += len(r.structure.Bonds)
		for _, name := range r.Names {
			names[name] = true
		}
	}
	return domains.StatsOf(len(records), "Molecules", len(records), "Total Atoms", atoms, "Total Bonds", bonds,
		"Properties", len(names))
}

// Score is coverage · (0.50 structure + 0.35 property + 0.15 order), of the parts before they are rounded to four decimals, as Components has them.
func Score(ref, got *Library, noted *notes.Notes) domains.Reading {
	reference, candidate := ref.plain, got.repaired
	reading := domains.Reading{
		Components: map[string]float64{},
		Elements:   domains.Elements{Reference: len(reference), Candidate: len(candidate)},
	}
	switch {
	case len(reference) == 0:
		reading.Problem = "the reference cannot be read: " + errNoRecords.Error()
		return reading
	case len(candidate) == 0:
		reading.Problem = errNoRecords.Error()
		return reading
	}
	refIDs, gotIDs := lists.Each(reference, (*Record).identifier), lists.Each(candidate, (*Record).identifier)
	pairs := pairsOf(refIDs, gotIDs)
	var structureMean, propertyMean sets.Mean
	ratios := ratios{ratio.NewTable(noted)}
	for _, p := range slices.Backward(pairs) {
		a, b := &reference[p[0]], &candidate[p[1]]
		structureMean.Add(structureOf(a.structure, b.structure, noted))
		propertyMean.Add(ratios.properties(a, b))
	}
	structure, property := structureMean.Or(0), propertyMean.Or(0)
	order := orderOf(refIDs, gotIDs)
	coverage := float64(len(pairs)) / float64(len(reference))
	reading.RS = pytext.Round(coverage*(float64(0.50*structure)+float64(0.35*property)+float64(0.15*order)), 4)
	for name, part := range map[string]float64{
		"molecule_coverage": coverage, "structure_score": structure, "property_score": property, "order_score": order,
	} {
		reading.Components[name] = pytext.Round(part, 4)
	}
	return reading
}

// IdentifierNames are the data that may identify a record, the first that is there does.
var (
	IdentifierNames = []string{"PUBCHEM_COMPOUND_CID", "CID", "ID", "Compound_ID"}
	smilesNames     = []string{"PUBCHEM_SMILES", "SMILES", "PUBCHEM_OPENEYE_CAN_SMILES"}
)

// identifier is what a record is known by, empty if by nothing.
func (r *Record) identifier() string {
	for _, names := range [][]string{IdentifierNames, smilesNames} {
		for _, name := range names {
			if value, has := r.properties[name]; has {
				return pytext.Strip(value)
			}
		}
	}
	return pytext.Strip(r.Title)
}

// pairsOf pairs records with one identifier, the last on each side, in the order of the reference.
func pairsOf(reference, candidate []string) [][2]int {
	unnamed := func(pair [2]int) bool { return reference[pair[0]] == "" }
	return slices.DeleteFunc(sets.LastPairs(reference, candidate), unnamed)
}

func orderOf(reference, candidate []string) float64 {
	named := func(ids []string) []string {
		return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == "" })
	}
	ref := named(reference)
	if len(ref) == 0 {
		return 1
	}
	return ratio.Tokens(ref, named(candidate), true)
}

// mostSteps bounds the search for the largest common part, in each pair of molecules.
const mostSteps = 100_000

// structureOf is 1 for the same molecule, otherwise the share of the largest common part.
func structureOf(a, b *Structure, noted *notes.Notes) float64 {
	largest := max(len(a.Atoms), len(b.Atoms))
	if largest == 0 {
		return 1
	}
	if isomorphic(a, b, element) {
		if _, parts := a.searchOrder(); parts == 1 || isomorphic(a, b, identity) {
			return 1
		}
	}
	return float64(commonAtoms(a, b, mostSteps, noted)) / float64(largest)
}

// ratios are those of texts, which recur.
type ratios struct{ *ratio.Table }

// properties compares the properties of two records.
func (r ratios) properties(ref, got *Record) float64 {
	if len(ref.Names) == 0 {
		if len(got.Names) > 0 {
			return 0.5
		}
		return 1
	}
	common := 0
	var values sets.Mean
	for _, name := range ref.Names {
		if value, has := got.properties[name]; has {
			common++
			values.Add(r.value(pytext.Strip(ref.properties[name]), pytext.Strip(value)))
		}
	}
	return float64(0.4*float64(common)/float64(len(ref.Names))) + float64(0.6*values.Or(0))
}

// value compares numbers by how far they are apart, and other texts by ratio.
func (r ratios) value(ref, got string) float64 {
	if ref == got {
		return 1
	}
	x, isNumber := pytext.Float(ref)
	y, isNumberToo := pytext.Float(got)
	if isNumber && isNumberToo {
		return closeness(x, y)
	}
	return r.Of(ref, got)
}

func closeness(ref, got float64) float64 {
	if ref == 0 {
		return sets.OneIf(got == 0)
	}
	switch off := math.Abs(ref-got) / math.Abs(ref); {
	case off < 0.001:
		return 1
	case off < 0.01:
		return 0.9
	case off < 0.1:
		return 0.5
	}
	return 0
}

// element and identity are by what atoms match: the first for the largest common part, the other for the same molecule,
// of which the places of its atoms are not looked at.
func element(a *Atom) uint64 { return uint64(a.Element) }

func identity(a *Atom) uint64 {
	return uint64(a.Element) + uint64(a.Charge&0xff)<<8 + uint64(a.hydrogens&0xff)<<16 +
		uint64(a.Isotope&0xfff)<<24 + uint64(a.mapping&0xfff)<<36
}

// isomorphic looks for a one to one match of the atoms in which all bonds are kept. It gives up after a number of steps.
func isomorphic(a, b *Structure, of func(*Atom) uint64) bool {
	const most = 50_000 // steps
	n := len(a.Atoms)
	if n != len(b.Atoms) || len(a.Bonds) != len(b.Bonds) {
		return false
	}
	if slices.EqualFunc(a.Atoms, b.Atoms, func(x, y Atom) bool { return of(&x) == of(&y) }) &&
		slices.EqualFunc(a.Bonds, b.Bonds, func(x, y Bond) bool {
			return x.A == y.A && x.B == y.B && x.label() == y.label()
		}) {
		return true
	}
	coloursA, coloursB := a.colours(of), b.colours(of)
	lastA, lastB := coloursA[len(coloursA)-1], coloursB[len(coloursB)-1]
	sortedA, sortedB := slices.Sorted(slices.Values(lastA)), slices.Sorted(slices.Values(lastB))
	if !slices.Equal(sortedA, sortedB) {
		return false
	}
	alike := map[uint64][]int{} // the atoms of b by colour
	for j, colour := range lastB {
		alike[colour] = append(alike[colour], j)
	}
	match, taken := slices.Repeat([]int{-1}, n), make([]bool, n)
	order, _ := a.searchOrder()
	steps := 0
	var place func(at int) bool
	place = func(at int) bool {
		if at == n {
			return true
		}
		i := order[at]
		for _, j := range alike[lastA[i]] {
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
func (s *Structure) searchOrder() (order []int, parts int) {
	seen := make([]bool, len(s.Atoms))
	for start := range s.Atoms {
		if seen[start] {
			continue
		}
		seen[start] = true
		order = append(order, start)
		parts++
		for n := len(order) - 1; n < len(order); n++ {
			for _, k := range s.at[order[n]] {
				if next := s.Bonds[k].other(order[n]); !seen[next] {
					seen[next] = true
					order = append(order, next)
				}
			}
		}
	}
	return order, parts
}

// keepsBonds reports whether the bonds from i to matched atoms are also in b.
func keepsBonds(a, b *Structure, match []int, i, j int) bool {
	if len(a.at[i]) != len(b.at[j]) {
		return false
	}
	for _, k := range a.at[i] {
		to := match[a.Bonds[k].other(i)]
		if to < 0 {
			continue
		}
		if l := b.between(j, to); l < 0 || b.Bonds[l].label() != a.Bonds[k].label() {
			return false
		}
	}
	return true
}
