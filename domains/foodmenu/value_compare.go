package foodmenu

import (
	"slices"
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/assign"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// counted is the kind of element that is counted.
const counted = "item"

func stats(m menu) domains.Stats {
	sections := map[string]bool{}
	for i := range m.items {
		sections[m.items[i].section] = true
	}
	delete(sections, "")
	meatless := lists.Count(m.items, func(item *menuItem) bool { return item.flags[vegetarian] })
	withCodes := lists.Count(m.items, func(item *menuItem) bool { return item.codes != "" })
	return domains.Stats{Elements: len(m.items), Counts: []domains.Count{
		{Name: "Menu Items", Value: strconv.Itoa(len(m.items))},
		{Name: "Sections", Value: strconv.Itoa(len(sections))},
		{Name: "Vegetarian", Value: strconv.Itoa(meatless)},
		{Name: "With Allergens", Value: strconv.Itoa(withCodes)},
	}}
}

// score is 0.85 items + 0.15 sections.
func score(reference, candidate menu, noted *notes.Notes) domains.Reading {
	items := similarity(reference.items, candidate.items, noted)
	sections := sets.Jaccard(reference.headers, candidate.headers)
	return domains.Reading{
		Value:      float64(0.85*items) + float64(0.15*sections),
		Components: map[string]float64{"items": items, "sections": sections},
		Elements:   domains.Elements{Reference: len(reference.items), Candidate: len(candidate.items)},
	}
}

// similarity is the mean similarity of the reference's items to their partners,
// less up to half where one side has more items than the other.
func similarity(ref, got []menuItem, noted *notes.Notes) float64 {
	switch {
	case len(ref) == 0 && len(got) == 0:
		return 1
	case len(ref) == 0 || len(got) == 0:
		return 0
	case slices.Equal(ref, got):
		return 1
	}
	c := newComparison(ref, got, noted)
	sum := 0.0
	for _, p := range c.pairs() {
		sum += c.likeness(p.Row, p.Col, c.Ratio)
	}
	shorter, longer := min(len(ref), len(got)), max(len(ref), len(got))
	share := float64(shorter) / float64(longer)
	return sum / float64(len(ref)) * (0.5 + float64(0.5*share))
}

// pairs match the items so that the summed likeness is largest.
func (c *comparison) pairs() []assign.Pair {
	return assign.MinByLabel(assign.Costs{
		Rows: len(c.ref), Cols: len(c.got),
		Cost:  func(i, j int) float64 { return 1 - c.likeness(i, j, c.Ratio) },
		Bound: func(i, j int) float64 { return 1 - c.likeness(i, j, c.AtMost) },
	}, func(i int) entered { return c.ref[i] }, func(j int) entered { return c.got[j] }, c.noted)
}

// likeness is the published similarity of two items, by the ratio of texts that
// is given.
func (c *comparison) likeness(i, j int, ratio func(ref, got int) float64) float64 {
	ref, got := &c.ref[i], &c.got[j]
	return ratio(ref.name, got.name) *
		lessened(0.8, closeness(ref.price, got.price)) *
		lessened(0.6, sets.OneIf(ref.section == got.section)) *
		lessened(0.7, c.jaccard(ref.codes, got.codes)) *
		lessened(0.6, sameFlags(ref.flags, got.flags)) *
		lessened(0.3, sameDescription(ref.description, got.description, ratio))
}

// lessened is what a similarity leaves of an item's likeness.
func lessened(severity, similarity float64) float64 { return 1 - float64(severity*(1-similarity)) }

func closeness(a, b float64) float64 {
	switch {
	case a == b:
		return 1
	case a == 0 || b == 0:
		return 0
	}
	return min(a, b) / max(a, b)
}

func sameFlags(ref, got [3]bool) float64 {
	same := 0
	for k := range ref {
		if ref[k] == got[k] {
			same++
		}
	}
	return float64(same) / float64(len(ref))
}

func sameDescription(ref, got int, similarity func(ref, got int) float64) float64 {
	switch {
	case ref == ratio.Empty && got == ratio.Empty:
		return 1
	case ref == ratio.Empty || got == ratio.Empty:
		return 0.5
	}
	return similarity(ref, got)
}
