package molecule

import (
	"math"
	"slices"
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// counted is the kind of element that molecules are.
const counted = "molecule"

var patterns = []string{"*.sdf"}

func stats(l *library) domains.Stats {
	records := l.plain
	if len(records) == 0 {
		records = l.repaired
	}
	atoms, bonds := 0, 0
	names := map[string]bool{}
	for _, r := range records {
		atoms += len(r.structure.atoms)
		bonds += len(r.structure.bonds)
		for _, name := range r.names {
			names[name] = true
		}
	}
	return domains.Stats{Elements: len(records), Counts: []domains.Count{
		{Name: "Molecules", Value: strconv.Itoa(len(records))},
		{Name: "Total Atoms", Value: strconv.Itoa(atoms)},
		{Name: "Total Bonds", Value: strconv.Itoa(bonds)},
		{Name: "Properties", Value: strconv.Itoa(len(names))},
	}}
}

// score is coverage · (0.50 structure + 0.35 property + 0.15 order), each part
// rounded to four decimals.
func score(ref, got *library, noted *notes.Notes) domains.Reading {
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
	refIDs, gotIDs := lists.Each(reference, (*record).identifier), lists.Each(candidate, (*record).identifier)
	pairs := pairsOf(refIDs, gotIDs)
	structure, property := 0.0, 0.0
	ratios := ratios{ratio.NewTable(noted)}
	for _, p := range slices.Backward(pairs) {
		a, b := &reference[p[0]], &candidate[p[1]]
		structure += structureOf(a.structure, b.structure, noted)
		property += ratios.properties(a, b)
	}
	if n := float64(len(pairs)); n > 0 {
		structure /= n
		property /= n
	}
	order := orderOf(refIDs, gotIDs)
	coverage := float64(len(pairs)) / float64(len(reference))
	reading.Value = pytext.Round(coverage*(float64(0.50*structure)+float64(0.35*property)+float64(0.15*order)), 4)
	for name, part := range map[string]float64{
		"molecule_coverage": coverage, "structure_score": structure, "property_score": property, "order_score": order,
	} {
		reading.Components[name] = pytext.Round(part, 4)
	}
	return reading
}

var (
	identifierNames = []string{"PUBCHEM_COMPOUND_CID", "CID", "ID", "Compound_ID"}
	smilesNames     = []string{"PUBCHEM_SMILES", "SMILES", "PUBCHEM_OPENEYE_CAN_SMILES"}
)

// identifier is what a record is known by, empty if by nothing.
func (r *record) identifier() string {
	for _, names := range [][]string{identifierNames, smilesNames} {
		for _, name := range names {
			if value, has := r.properties[name]; has {
				return pytext.Strip(value)
			}
		}
	}
	return pytext.Strip(r.title)
}

// pairsOf pairs records with one identifier, the last on each side, in the order
// of the reference.
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

// structureOf is 1 for the same molecule, otherwise the share of the largest common
// part.
func structureOf(a, b *structure, noted *notes.Notes) float64 {
	largest := max(len(a.atoms), len(b.atoms))
	if largest == 0 {
		return 1
	}
	if sameSkeleton(a, b) {
		if _, parts := a.searchOrder(); parts == 1 || sameMolecule(a, b) {
			return 1
		}
	}
	return float64(commonAtoms(a, b, mostSteps, noted)) / float64(largest)
}

// ratios are those of texts, which recur.
type ratios struct{ *ratio.Table }

// properties compares the properties of two records.
func (r ratios) properties(ref, got *record) float64 {
	if len(ref.names) == 0 {
		if len(got.names) > 0 {
			return 0.5
		}
		return 1
	}
	common, sum := 0, 0.0
	for _, name := range ref.names {
		if value, has := got.properties[name]; has {
			common++
			sum += r.value(pytext.Strip(ref.properties[name]), pytext.Strip(value))
		}
	}
	mean := 0.0
	if common > 0 {
		mean = sum / float64(common)
	}
	return float64(0.4*float64(common)/float64(len(ref.names))) + float64(0.6*mean)
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
		if got == 0 {
			return 1
		}
		return 0
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
