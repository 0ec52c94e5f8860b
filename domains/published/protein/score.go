package protein

import (
	"math"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// The parts of the published score.
const (
	CoveragePart   = "atom_coverage_score"
	CoordinatePart = "coordinate_accuracy_score"
	BFactorPart    = "bfactor_accuracy_score"
	SequencePart   = "seqres_score"
	SecondaryPart  = "secondary_structure_score"
	DisulfidePart  = "ssbond_score"
	MetadataPart   = "metadata_score"
)

// Stats counts atom lines as elements; of an atom with alternate locations, or
// in several models, the published reading keeps one.
func Stats(s *Structure) domains.Stats {
	residues := 0
	for _, chain := range s.chains {
		residues += len(s.sequence[chain])
	}
	resolution := "N/A"
	if s.resolution != 0 {
		resolution = pytext.FloatText(s.resolution) + " Å"
	}
	return domains.StatsOf(s.lines, "Atoms", len(s.atoms), "Residues", residues, "Chains", len(s.chains),
		"Helices", len(s.helices), "Sheets", len(s.strands), "Disulfides", len(s.bonds), "Resolution", resolution)
}

// Score is coverage · (0.34 coordinates + 0.13 B factors + 0.20 sequence +
// 0.13 secondary structure + 0.07 disulfides + 0.13 metadata).
func Score(ref, got *Structure) domains.Reading {
	parts := map[string]float64{
		SequencePart:  ref.compareSequences(got),
		SecondaryPart: ref.compareSecondary(got),
		DisulfidePart: sets.Jaccard(ref.bonds, got.bonds),
		MetadataPart:  (compareCells(ref.cell, got.cell) + compareResolutions(ref.resolution, got.resolution) + ref.compareHeaders(got)) / 3,
	}
	parts[CoveragePart], parts[CoordinatePart], parts[BFactorPart] = compareAtoms(ref.atoms, got.atoms)
	reading := domains.Reading{
		Components: parts,
		Elements:   domains.Elements{Reference: ref.lines, Candidate: got.lines},
		RS: parts[CoveragePart] * (float64(0.34*parts[CoordinatePart]) + float64(0.13*parts[BFactorPart]) +
			float64(0.20*parts[SequencePart]) + float64(0.13*parts[SecondaryPart]) +
			float64(0.07*parts[DisulfidePart]) + float64(0.13*parts[MetadataPart])),
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
		coordinates += sets.Positive(1 - distance(a, b)/2)
		bFactors += sets.Positive(1 - math.Abs(a.bFactor-b.bFactor)/20)
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

func distance(a, b *atom) float64 {
	sum := 0.0
	for axis := range a.place {
		d := float64(a.place[axis]) - float64(b.place[axis])
		sum += float64(d * d)
	}
	return math.Sqrt(sum)
}

// compareSequences is the mean ratio over the chains of either side.
func (ref *Structure) compareSequences(got *Structure) float64 {
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
func (ref *Structure) compareSecondary(got *Structure) float64 {
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
func (ref *Structure) compareHeaders(got *Structure) float64 {
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
