package crystal

import (
	"math"
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Others is the number of parts with a score that are no atom sites.
func (s *Structure) Others() int {
	n := len(s.operations) + len(s.aniso) + len(s.bonds) + len(s.angles) + len(s.hydrogen)
	for _, has := range []bool{s.hasCell, s.spaceGroup != "", s.hasPublication} {
		if has {
			n++
		}
	}
	return n
}

// Stats counts the parts of a document.
func Stats(s *Structure) domains.Stats {
	all := domains.Stats{Elements: len(s.sites)}
	add := func(name, value string) {
		if value != "" && value != "0" {
			all.Counts = append(all.Counts, domains.Count{Name: name, Value: value})
		}
	}
	add("Atom Sites", strconv.Itoa(len(s.sites)))
	add("Aniso Parameters", strconv.Itoa(len(s.aniso)))
	add("Bonds", strconv.Itoa(len(s.bonds)))
	add("Angles", strconv.Itoa(len(s.angles)))
	add("H-Bonds", strconv.Itoa(len(s.hydrogen)))
	add("Space Group", s.stated[0])
	add("Symm Ops", strconv.Itoa(len(s.operations)))
	add("Formula", s.stated[1])
	return all
}

// Score is the weighted sum of what is found of each part; what is found of the
// tables counts only as far as the sites are there.
func Score(reference, candidate *Structure, noted *notes.Notes) domains.Reading {
	atoms, recall := compareSites(reference.sites, candidate.sites)
	c := map[string]float64{
		"cell":        compareCells(reference, candidate),
		"symmetry":    compareSymmetry(reference, candidate),
		"atoms":       atoms,
		"recall":      recall,
		"aniso":       compareDistinct(reference.aniso, candidate.aniso),
		"bonds":       compareRows(reference.bonds, candidate.bonds, 0.5, bondScale),
		"angles":      compareRows(reference.angles, candidate.angles, 0.5, angleScale),
		"hbonds":      compareRows(reference.hydrogen, candidate.hydrogen, 1, contactScale, contactScale, contactScale, contactAngle),
		"publication": comparePublications(reference, candidate, noted),
	}
	// In percent, so that what is complete is 1 to the last bit.
	tables := float64(10*c["aniso"]) + float64(20*c["bonds"]) + float64(10*c["angles"]) + float64(10*c["hbonds"])
	percent := float64(5*c["cell"]) + float64(5*c["symmetry"]) + float64(30*atoms) + float64(recall*tables) +
		float64(10*c["publication"])
	return domains.Reading{
		RS: percent / 100, Components: c,
		Elements: domains.Elements{Reference: len(reference.sites), Candidate: len(candidate.sites)},
	}
}

// scale gives a difference the worth of the first limit that it is below.
type scale struct {
	limits []limit
	beyond float64
}

type limit struct{ below, worth float64 }

func (s scale) of(difference float64) float64 {
	for _, l := range s.limits {
		if difference < l.below {
			return l.worth
		}
	}
	return s.beyond
}

var (
	cellScale     = scale{limits: []limit{{0.001, 1}, {0.01, 0.9}, {0.05, 0.5}}} // relative
	positionScale = scale{limits: []limit{{0.001, 1}, {0.005, 0.9}, {0.01, 0.7}, {0.03, 0.3}, {0.05, 0.1}}}
	anisoScale    = scale{limits: []limit{{0.0005, 1}, {0.005, 0.8}}}
	bondScale     = scale{limits: []limit{{0.005, 1}, {0.02, 0.8}, {0.1, 0.5}}, beyond: 0.1}
	angleScale    = scale{limits: []limit{{0.1, 1}, {1, 0.8}, {5, 0.3}}}
	contactScale  = scale{limits: []limit{{0.01, 1}, {0.05, 0.5}}} // distances of hydrogen bonds
	contactAngle  = scale{limits: []limit{{1, 1}, {5, 0.5}}}
)

func distance(a, b Number) float64 { return math.Abs(a.Value - b.Value) }

func compareCells(ref, got *Structure) float64 {
	switch {
	case !ref.hasCell && !got.hasCell:
		return 1
	case !ref.hasCell || !got.hasCell:
		return 0
	}
	var values sets.Mean
	for i, was := range ref.Cell {
		is := got.Cell[i]
		switch {
		case !was.Known:
		case !is.Known:
			values.Add(0)
		case was.Value == 0:
			values.Add(sets.OneIf(is.Value == 0))
		default:
			values.Add(cellScale.of(distance(was, is) / math.Abs(was.Value)))
		}
	}
	return values.Or(1)
}

func compareSymmetry(ref, got *Structure) float64 {
	var parts sets.Mean
	if ref.spaceGroup != "" {
		parts.Add(sets.OneIf(ref.spaceGroup == got.spaceGroup))
	}
	if len(ref.operations) > 0 {
		parts.Add(sets.Jaccard(ref.operations, got.operations))
	}
	return parts.Or(1)
}

func compareSites(ref, got []site) (atoms, recall float64) {
	if len(ref) == 0 {
		if len(got) == 0 {
			return 1, 1
		}
		return 0.5, 1
	}
	pairs := sets.PairByName(ref, got, func(s *site) string { return s.label })
	atoms = meanOfAll(pairs, siteSimilarity)
	if extra := pairs.Gots - len(pairs.Both); extra > 0 {
		atoms *= max(0, 1-float64(extra)/float64(2*pairs.Refs))
	}
	return atoms, float64(len(pairs.Both)) / float64(pairs.Refs)
}

// meanOfAll is the mean similarity of what the reference has; 0 for what the candidate has not.
func meanOfAll[R any](pairs sets.Pairs[R], similarity func(was, is *R) float64) float64 {
	var all sets.Mean
	for _, p := range pairs.Both {
		all.Add(similarity(p[0], p[1]))
	}
	for range pairs.Refs - len(pairs.Both) {
		all.Add(0)
	}
	return all.Or(0)
}

func siteSimilarity(was, is *site) float64 {
	var coordinates, properties sets.Mean
	for i, x := range was.position {
		switch y := is.position[i]; {
		case !x.Known:
		case !y.Known:
			coordinates.Add(0)
		default:
			coordinates.Add(positionScale.of(distance(x, y)))
		}
	}
	if was.element != "" {
		properties.Add(sets.OneIf(was.element == is.element))
	}
	if was.occupancy.Known && is.occupancy.Known {
		properties.Add(sets.OneIf(distance(was.occupancy, is.occupancy) < 0.01))
	}
	return float64(0.7*coordinates.Or(1)) + float64(0.3*properties.Or(1))
}

// emptyTables scores tables of which one has no rows; ok is false if both have.
func emptyTables(ref, got int) (value float64, ok bool) {
	switch {
	case ref == 0 && got == 0:
		return 1, true
	case ref == 0:
		return 0.5, true
	case got == 0:
		return 0, true
	}
	return 0, false
}

// compareDistinct compares displacements, the last of each label.
func compareDistinct(ref, got []measured) float64 {
	if value, ok := emptyTables(len(ref), len(got)); ok {
		return value
	}
	pairs := sets.PairByName(ref, got, func(m *measured) string { return m.key })
	return meanOfAll(pairs, func(was, is *measured) float64 {
		return worthOf(was.values, is.values, 0, anisoScale)
	})
}

// compareRows compares each row of the reference with the last of its key.
func compareRows(ref, got []measured, missing float64, scales ...scale) float64 {
	if value, ok := emptyTables(len(ref), len(got)); ok {
		return value
	}
	last := make(map[string][]Number, len(got))
	for _, row := range got {
		last[row.key] = row.values
	}
	var all sets.Mean
	for _, row := range ref {
		if values, known := last[row.key]; known {
			all.Add(worthOf(row.values, values, missing, scales...))
		} else {
			all.Add(0)
		}
	}
	return all.Or(0)
}

// worthOf is the mean worth of the differences between numbers that both sides have; missing if
// there is none. The last scale is that of all further numbers, too.
func worthOf(was, is []Number, missing float64, scales ...scale) float64 {
	var all sets.Mean
	for i := range was {
		if was[i].Known && is[i].Known {
			all.Add(scales[min(i, len(scales)-1)].of(distance(was[i], is[i])))
		}
	}
	return all.Or(missing)
}

func comparePublications(ref, got *Structure, noted *notes.Notes) float64 {
	switch {
	case !ref.hasPublication && !got.hasPublication:
		return 1
	case !ref.hasPublication || !got.hasPublication:
		return 0
	}
	var parts sets.Mean
	if ref.formula != "" {
		parts.Add(ratio.Share(ref.formula, got.formula, noted))
	}
	if len(ref.authors) > 0 {
		parts.Add(sets.Jaccard(ref.authors, got.authors))
	}
	for i, text := range ref.publication {
		if text != "" {
			parts.Add(ratio.Share(text, got.publication[i], noted))
		}
	}
	return parts.Or(1)
}
