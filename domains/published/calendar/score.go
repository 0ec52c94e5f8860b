package calendar

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Stats counts the parts of a document.
func Stats(events []Event) domains.Stats {
	categories := map[string]bool{}
	located := 0
	for i := range events {
		for _, category := range events[i].categories {
			categories[category] = true
		}
		if events[i].location != "" {
			located++
		}
	}
	return domains.Stats{Elements: len(events), Counts: []domains.Count{
		{Name: "Events", Value: strconv.Itoa(len(events))},
		{Name: "Categories", Value: strconv.Itoa(len(categories))},
		{Name: "With Location", Value: strconv.Itoa(located)},
	}}
}

// Score is coverage² · accuracy · √((ordering + category) / 2).
func Score(reference, candidate []Event) domains.Reading {
	ref, got := newSide(reference, "reference"), newSide(candidate, "candidate")
	coverage := sets.Jaccard(ref.keys, got.keys)
	accuracy := meanAccuracy(ref, got)
	ordering := ratio.Tokens(ref.inOrder(), got.inOrder(), true)
	category := categoryScore(ref.categories(), got.categories())
	return domains.Reading{
		RS: coverage * coverage * accuracy * math.Sqrt((ordering+category)/2),
		Components: map[string]float64{
			"coverage": coverage, "accuracy": accuracy, "ordering": ordering, "category": category,
		},
		Elements: domains.Elements{Reference: len(reference), Candidate: len(candidate)},
	}
}

// side is a document with what of its events is compared, normalised once.
type side struct {
	events []features
	keys   []string
}

type features struct {
	key, start, end, location string
	categories                []string
}

func newSide(events []Event, name string) side {
	s := side{events: make([]features, len(events)), keys: make([]string, len(events))}
	for i := range events {
		e := &events[i]
		key, _, _ := strings.Cut(pytext.Strip(e.uid), "@")
		f := features{
			key: key, start: e.start, end: e.end,
			location: pytext.Strip(pytext.Lower(e.location)), categories: lists.Map(e.categories, pytext.Lower),
		}
		if e.unmatched {
			f.categories = []string{fmt.Sprintf("unmatched %d of the %s", i, name)}
		}
		s.events[i], s.keys[i] = f, key
	}
	return s
}

// inOrder returns the keys by start, then by themselves.
func (s *side) inOrder() []string {
	sorted := slices.Clone(s.events)
	slices.SortFunc(sorted, func(a, b features) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.key, b.key))
	})
	return lists.Each(sorted, func(f *features) string { return f.key })
}

func (s *side) categories() []string {
	return slices.Concat(lists.Each(s.events, func(f *features) []string { return f.categories })...)
}

// meanAccuracy is the mean over the keys of both sides.
func meanAccuracy(ref, got side) float64 {
	if len(ref.events) == 0 && len(got.events) == 0 {
		return 1
	}
	var shared sets.Mean
	for _, pair := range sets.LastPairs(ref.keys, got.keys) {
		shared.Add(accuracy(&ref.events[pair[0]], &got.events[pair[1]]))
	}
	return shared.Or(0)
}

// accuracy is the share of end, location and categories that agree, of those that there are to compare.
func accuracy(ref, got *features) float64 {
	var parts sets.Mean
	for _, texts := range [][2]string{{ref.end, got.end}, {ref.location, got.location}} {
		parts.AddTexts(texts[0], texts[1], func(ref, got string) float64 { return 0.5 * ratio.Of(ref, got) })
	}
	if len(ref.categories) > 0 {
		parts.Add(sets.Jaccard(ref.categories, got.categories))
	}
	return parts.Or(1)
}

// categoryScore forgives categories where the reference has none.
func categoryScore(ref, got []string) float64 {
	if len(ref) == 0 {
		return 1
	}
	return sets.Jaccard(ref, got)
}
