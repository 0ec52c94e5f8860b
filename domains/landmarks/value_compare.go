package landmarks

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

const counted = "placemark"

func stats(doc document) domains.Stats {
	located, addresses, hours := 0, 0, 0
	for i := range doc.places {
		p := &doc.places[i]
		located += count(p.located)
		addresses += count(p.address != "")
		hours += count(p.hours != "")
	}
	return domains.Stats{Elements: len(doc.places), Counts: []domains.Count{
		{Name: "Places", Value: strconv.Itoa(len(doc.places))},
		{Name: "With Coords", Value: strconv.Itoa(located)},
		{Name: "With Address", Value: strconv.Itoa(addresses)},
		{Name: "With Hours", Value: strconv.Itoa(hours)},
	}}
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// score is coverage² · accuracy · √((coordinates + ordering) / 2).
func score(reference, candidate document) domains.Reading {
	refNames, refs := byFingerprint(reference.places)
	gotNames, gots := byFingerprint(candidate.places)
	accuracy, coordinates := commonSimilarity(refNames, refs, gots)
	coverage := sets.Jaccard(refNames, gotNames)
	ordering := orderSimilarity(reference.places, candidate.places)
	return domains.Reading{
		Value: coverage * coverage * accuracy * math.Sqrt((coordinates+ordering)/2),
		Components: map[string]float64{
			"coverage": coverage, "accuracy": accuracy, "coordinates": coordinates, "ordering": ordering,
		},
		Elements: domains.Elements{Reference: len(reference.places), Candidate: len(candidate.places)},
		Problem:  candidate.problem,
	}
}

func (p *place) fingerprint() string { return pytext.Lower(p.name) }

// byFingerprint returns the different fingerprints, in order, and of each the
// last place that has it.
func byFingerprint(places []place) (names []string, last map[string]*place) {
	last = make(map[string]*place, len(places))
	for i := range places {
		name := places[i].fingerprint()
		if last[name] == nil {
			names = append(names, name)
		}
		last[name] = &places[i]
	}
	return names, last
}

// commonSimilarity averages over the places on both sides; of two documents
// without places it is perfect.
func commonSimilarity(refNames []string, refs, gots map[string]*place) (accuracy, coordinates float64) {
	if len(refs) == 0 && len(gots) == 0 {
		return 1, 1
	}
	shared := 0
	for _, name := range refNames {
		if got := gots[name]; got != nil {
			shared++
			accuracy += refs[name].similarity(got)
			coordinates += refs[name].nearness(got)
		}
	}
	if shared == 0 {
		return 0, 0
	}
	return accuracy / float64(shared), coordinates / float64(shared)
}

// similarity is the mean over the fields that one of both has.
func (p *place) similarity(other *place) float64 {
	sum, fields := 0.0, 0
	for _, f := range []struct {
		ref, got string
		share    float64 // of the ratio that a text keeps that differs
	}{
		{p.name, other.name, 0.7},
		{p.address, other.address, 0.7},
		{p.overview, other.overview, 0.8},
		{p.hours, other.hours, 0.7},
	} {
		ref, got := normal(f.ref), normal(f.got)
		if ref == "" && got == "" {
			continue
		}
		fields++
		switch {
		case ref == got:
			sum++
		case ref != "" && got != "":
			sum += float64(f.share * ratio.Of(ref, got))
		}
	}
	if fields == 0 {
		return 1
	}
	return sum / float64(fields)
}

func normal(text string) string { return pytext.Lower(straight(text)) }

// nearness looks at the larger difference in degrees.
func (p *place) nearness(other *place) float64 {
	if !p.located || !other.located {
		return float64(count(p.located == other.located))
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

// orderSimilarity is the ratio of the two sequences of fingerprints, each in the
// order of the first numbers in the ids.
func orderSimilarity(reference, candidate []place) float64 {
	if len(reference) == 0 || len(candidate) == 0 {
		return float64(count(len(reference) == len(candidate)))
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
	all := make([]numbered, len(places))
	for i := range places {
		number, has := firstNumber(places[i].id)
		all[i] = numbered{number, has, places[i].fingerprint()}
	}
	slices.SortStableFunc(all, func(a, b numbered) int {
		if a.has != b.has {
			return count(b.has) - count(a.has)
		}
		return cmp.Or(cmp.Compare(len(a.number), len(b.number)), cmp.Compare(a.number, b.number))
	})
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].name
	}
	return names
}

// firstNumber returns the first run of digits, of any script, in ASCII and
// without leading zeros.
func firstNumber(id string) (digits string, found bool) {
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
