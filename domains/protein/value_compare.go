package protein

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// counted is the kind of element that atoms are.
const counted = "atom"

var patterns = []string{"*.pdb"}

// The parts of the published score.
const (
	coveragePart   = "atom_coverage_score"
	coordinatePart = "coordinate_accuracy_score"
	bFactorPart    = "bfactor_accuracy_score"
	sequencePart   = "seqres_score"
	secondaryPart  = "secondary_structure_score"
	disulfidePart  = "ssbond_score"
	metadataPart   = "metadata_score"
)

// stats counts atom lines as elements; of an atom with alternate locations, or
// in several models, the published reading keeps one.
func stats(s *structure) domains.Stats {
	residues := 0
	for _, chain := range s.chains {
		residues += len(s.sequence[chain])
	}
	resolution := "N/A"
	if s.resolution != 0 {
		resolution = pytext.FloatText(s.resolution) + " Å"
	}
	return domains.Stats{Elements: s.lines, Counts: []domains.Count{
		{Name: "Atoms", Value: strconv.Itoa(len(s.atoms))},
		{Name: "Residues", Value: strconv.Itoa(residues)},
		{Name: "Chains", Value: strconv.Itoa(len(s.chains))},
		{Name: "Helices", Value: strconv.Itoa(len(s.helices))},
		{Name: "Sheets", Value: strconv.Itoa(len(s.strands))},
		{Name: "Disulfides", Value: strconv.Itoa(len(s.bonds))},
		{Name: "Resolution", Value: resolution},
	}}
}

// score is coverage · (0.34 coordinates + 0.13 B factors + 0.20 sequence +
// 0.13 secondary structure + 0.07 disulfides + 0.13 metadata).
func score(ref, got *structure) domains.Reading {
	parts := map[string]float64{
		sequencePart:  ref.compareSequences(got),
		secondaryPart: ref.compareSecondary(got),
		disulfidePart: sets.Jaccard(ref.bonds, got.bonds),
		metadataPart:  (compareCells(ref.cell, got.cell) + compareResolutions(ref.resolution, got.resolution) + ref.compareHeaders(got)) / 3,
	}
	parts[coveragePart], parts[coordinatePart], parts[bFactorPart] = compareAtoms(ref.atoms, got.atoms)
	reading := domains.Reading{
		Components: parts,
		Elements:   domains.Elements{Reference: ref.lines, Candidate: got.lines},
		RS: parts[coveragePart] * (float64(0.34*parts[coordinatePart]) + float64(0.13*parts[bFactorPart]) +
			float64(0.20*parts[sequencePart]) + float64(0.13*parts[secondaryPart]) +
			float64(0.07*parts[disulfidePart]) + float64(0.13*parts[metadataPart])),
	}
	switch {
	case got.problem != "" && len(ref.atoms) > 0:
		reading.Problem = got.problem
	case ref.problem != "" && len(got.atoms) > 0:
		reading.Problem = "the reference cannot be read: " + ref.problem
	}
	return reading
}

// compareAtoms pairs atoms by key, of which the last counts.
func compareAtoms(reference, candidate []atom) (coverage, coordinates, bFactors float64) {
	refKeys, ref := lastAtoms(reference)
	gotKeys, got := lastAtoms(candidate)
	coverage = sets.Jaccard(refKeys, gotKeys)
	common := 0
	for _, key := range refKeys {
		j, has := got[key]
		if !has {
			continue
		}
		a, b := &reference[ref[key]], &candidate[j]
		common++
		coordinates += atLeastZero(1 - distance(a, b)/2)
		bFactors += atLeastZero(1 - math.Abs(a.bFactor-b.bFactor)/20)
	}
	switch {
	case common > 0:
		return coverage, coordinates / float64(common), bFactors / float64(common)
	case len(ref)+len(got) == 0:
		return coverage, 1, 1
	}
	return coverage, 0, 0
}

// lastAtoms lists keys in order with the place of their last atom.
func lastAtoms(atoms []atom) (keys []atomKey, last map[atomKey]int) {
	last = make(map[atomKey]int, len(atoms))
	for n := range atoms {
		key := atoms[n].key
		if _, known := last[key]; !known {
			keys = append(keys, key)
		}
		last[key] = n
	}
	return keys, last
}

// atLeastZero is max(0, x), 0 for what is no number.
func atLeastZero(x float64) float64 {
	if x > 0 {
		return x
	}
	return 0
}

func distance(a, b *atom) float64 {
	sum := 0.0
	for axis := range a.place {
		d := float64(a.place[axis]) - float64(b.place[axis])
		sum += float64(d * d)
	}
	return math.Sqrt(sum)
}

// compareSequences is the mean ratio over the chains of either side.
func (ref *structure) compareSequences(got *structure) float64 {
	var ratios sets.Mean
	for _, chain := range ref.chains {
		if candidate, has := got.sequence[chain]; has {
			ratios.Add(ratio.Tokens(ref.sequence[chain], candidate, true))
		} else {
			ratios.Add(0)
		}
	}
	for _, chain := range got.chains {
		if _, known := ref.sequence[chain]; !known {
			ratios.Add(0)
		}
	}
	return ratios.Or(1)
}

// compareSecondary weighs helices and strands by how many there are.
func (ref *structure) compareSecondary(got *structure) float64 {
	helices := max(distinct(ref.helices), distinct(got.helices))
	strands := max(distinct(ref.strands), distinct(got.strands))
	if helices+strands == 0 {
		return 1
	}
	both := sets.Jaccard(ref.helices, got.helices)*float64(helices) + sets.Jaccard(ref.strands, got.strands)*float64(strands)
	return both / float64(helices+strands)
}

func distinct[T comparable](list []T) int {
	seen := make(map[T]bool, len(list))
	for _, item := range list {
		seen[item] = true
	}
	return len(seen)
}

func compareCells(ref, got *cell) float64 {
	if ref == nil || got == nil {
		return sets.OneIf(ref == got)
	}
	near := 0.0
	for n := range ref.parameters {
		near += sets.OneIf(math.Abs(ref.parameters[n]-got.parameters[n]) < 0.1)
	}
	return float64(0.7*near/float64(len(ref.parameters))) + float64(0.3*sets.OneIf(ref.group == got.group))
}

func compareResolutions(ref, got float64) float64 {
	if ref == 0 || got == 0 {
		return sets.OneIf(ref == got)
	}
	switch off := math.Abs(ref - got); {
	case off < 0.05:
		return 1
	case off < 0.2:
		return 0.5
	}
	return 0
}

// compareHeaders counts the fields that either side has.
func (ref *structure) compareHeaders(got *structure) float64 {
	var equal sets.Mean
	for _, pair := range [][2]string{
		{ref.classification, got.classification}, {ref.idCode, got.idCode}, {ref.title, got.title},
	} {
		if pair[0] != "" || pair[1] != "" {
			equal.Add(sets.OneIf(pytext.Lower(pair[0]) == pytext.Lower(pair[1])))
		}
	}
	return equal.Or(1)
}

var (
	errMonth    = errors.New("a date in the header has a month that is none")
	errMolecule = errors.New("a line of the header belongs to no molecule")
)

var (
	datePattern   = pytext.Pattern(`\d{2}-\w{3}-\d{2}`)
	enzymePattern = pytext.Pattern(`\d+\.\d+\.\d+\.\d+`)
	endCode       = pytext.Pattern(`\s{4,}\w{4}.\s+\d+\z`)
	months        = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}
)

// checkHeader finds what Biopython raises for in the lines above the atoms: an unknown month, and a line of COMPND or
// SOURCE for a molecule that was not opened.
func checkHeader(lines []string) error {
	molecules := moleculeLists{current: "1", compound: newMolecules(), source: newMolecules()}
	for _, line := range lines {
		var err error
		switch text := pytext.Strip(part(line, 10, toEnd)); pytext.Strip(part(line, 0, 6)) {
		case "HEADER", "REVDAT":
			err = checkDate(text)
		case "COMPND":
			err = molecules.add(molecules.compound, text)
		case "SOURCE":
			err = molecules.add(molecules.source, text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func checkDate(text string) error {
	if !strings.Contains(text, "-") {
		return nil
	}
	if date := datePattern.FindString(text); date != "" && !slices.Contains(months, pytext.Lower(strings.Split(date, "-")[1])) {
		return errMonth
	}
	return nil
}

// moleculeLists are the molecules of COMPND and SOURCE. Biopython has one number in force for both.
type moleculeLists struct {
	current          string
	compound, source *molecules
}

// molecules are the keys of each molecule that a record has opened.
type molecules struct {
	keys map[string]map[string]bool
	last string // key, which the next line without one continues
}

const miscellaneous = "misc"

func newMolecules() *molecules {
	m := &molecules{keys: map[string]map[string]bool{}}
	m.open("1")
	return m
}

func (m *molecules) open(number string) {
	m.keys[number] = map[string]bool{miscellaneous: true}
	m.last = miscellaneous
}

func (l *moleculeLists) add(m *molecules, text string) error {
	text = pytext.Lower(strings.TrimSuffix(pytext.StripRight(withoutEndCode(text)), ";"))
	if m == l.compound && m.keys[l.current] == nil && enzymePattern.MatchString(text) {
		return errMolecule
	}
	key, value, found := strings.Cut(text, ":")
	value, _, _ = strings.Cut(value, ":")
	switch {
	case found && key == "mol_id":
		l.current = pytext.StripLeft(value)
		m.open(l.current)
	case m.keys[l.current] == nil:
		return errMolecule
	case found:
		m.keys[l.current][key] = true
		m.last = key
	case !m.keys[l.current][m.last]:
		return errMolecule
	}
	return nil
}

// withoutEndCode takes off what old files have in columns 73-80, such as
// "    1CSA  14".
func withoutEndCode(text string) string {
	if place := endCode.FindStringIndex(text); place != nil {
		return text[:place[0]]
	}
	return text
}
