package landmarks

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Stats counts the parts of a document.
func Stats(doc Document) domains.Stats {
	with := func(is func(*place) bool) int { return lists.Count(doc.places, is) }
	return domains.StatsOf(len(doc.places), "Places", len(doc.places),
		"With Coords", with(func(p *place) bool { return p.located }),
		"With Address", with(func(p *place) bool { return p.address != "" }),
		"With Hours", with(func(p *place) bool { return p.hours != "" }))
}

// Score is coverage² · accuracy · √((coordinates + ordering) / 2). Accuracy and coordinates are
// means over the places on both sides; of two documents without places they are perfect.
func Score(reference, candidate Document) domains.Reading {
	pairs := sets.PairByName(reference.places, candidate.places, (*place).fingerprint)
	none := sets.OneIf(len(reference.places)+len(candidate.places) == 0)
	coverage, accuracy, coordinates := pairs.Jaccard(), pairs.Mean(none, (*place).similarity), pairs.Mean(none, (*place).nearness)
	ordering := orderSimilarity(reference.places, candidate.places)
	return domains.Reading{
		RS: coverage * coverage * accuracy * math.Sqrt((coordinates+ordering)/2),
		Components: map[string]float64{
			"coverage": coverage, "accuracy": accuracy, "coordinates": coordinates, "ordering": ordering,
		},
		Elements: domains.Elements{Reference: len(reference.places), Candidate: len(candidate.places)},
		Problem:  candidate.problem,
	}
}

func (p *place) fingerprint() string { return pytext.Lower(p.name) }

// similarity is the mean over the fields that one of both has.
func (p *place) similarity(other *place) float64 {
	var m sets.Mean
	for _, f := range []struct {
		ref, got string
		share    float64 // of the ratio that a text keeps that differs
	}{
		{p.name, other.name, 0.7},
		{p.address, other.address, 0.7},
		{p.overview, other.overview, 0.8},
		{p.hours, other.hours, 0.7},
	} {
		m.AddTexts(pytext.Lower(Straight(f.ref)), pytext.Lower(Straight(f.got)), func(ref, got string) float64 {
			return float64(f.share * ratio.Of(ref, got))
		})
	}
	return m.Or(1)
}

// nearness looks at the larger difference in degrees.
func (p *place) nearness(other *place) float64 {
	if !p.located || !other.located {
		return sets.OneIf(p.located == other.located)
	}
	apart := func(degrees float64) bool {
		return math.Abs(p.lon-other.lon) < degrees && math.Abs(p.lat-other.lat) < degrees
	}
	switch {
	case apart(0.0001):
		return 1
	case apart(0.001):
		return 0.9
	case apart(0.01):
		return 0.5
	}
	return 0
}

// orderSimilarity is the ratio of the two sequences of fingerprints, each in the order of the first numbers in the ids.
func orderSimilarity(reference, candidate []place) float64 {
	if s, empty := sets.EitherEmpty(reference, candidate); empty {
		return s
	}
	ref, got := sequence(reference), sequence(candidate)
	if slices.Equal(ref, got) {
		return 1
	}
	return ratio.Tokens(ref, got, true)
}

func sequence(places []place) []string {
	type numbered struct {
		number string // without leading zeros
		has    bool
		name   string
	}
	all := lists.Each(places, func(p *place) numbered {
		number, has := FirstNumber(p.id)
		return numbered{number, has, p.fingerprint()}
	})
	slices.SortStableFunc(all, func(a, b numbered) int {
		return cmp.Or(cmp.Compare(sets.OneIf(b.has), sets.OneIf(a.has)), cmp.Compare(len(a.number), len(b.number)), cmp.Compare(a.number, b.number))
	})
	return lists.Map(all, func(n numbered) string { return n.name })
}

// FirstNumber returns the first run of digits, of any script, in ASCII and without leading zeros.
func FirstNumber(id string) (digits string, found bool) {
	start := strings.IndexFunc(id, unicode.IsDigit)
	if start < 0 {
		return "", false
	}
	var b strings.Builder
	for _, r := range id[start:] {
		if !unicode.IsDigit(r) {
			break
		}
		b.WriteByte(byte('0' + pytext.DigitValue(r)))
	}
	return strings.TrimLeft(b.String(), "0"), true
}

var typography = strings.NewReplacer("‘", "'", "’", "'", "“", `"`, "”", `"`, "–", "-", "—", "-")

// Straight writes a text with straight quotes, hyphens for dashes and single blanks.
func Straight(text string) string {
	if strings.Contains(text, "‘"[:2]) { // with which all of them begin
		text = typography.Replace(text)
	}
	return pytext.Collapse(text)
}
