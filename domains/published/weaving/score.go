package weaving

import (
	"cmp"
	"errors"
	"math"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/sets"
)

// Stats counts the parts of a document.
func Stats(d Draft) domains.Stats {
	if d.files == 0 {
		return domains.StatsOf(d.threads())
	}
	return domains.StatsOf(d.threads(), "Shafts", cmp.Or(d.settings["WEAVING Shafts"], "0"),
		"Treadles", cmp.Or(d.settings["WEAVING Treadles"], "0"), "Warp Threads", len(d.threading),
		"Weft Rows", len(d.treadling), "Colors", len(d.colors))
}

func (d *Draft) threads() int { return len(d.threading) + len(d.treadling) }

// Score is 0.3 threading + 0.3 treadling + 0.2 tie-up + 0.1 colours + 0.1 settings.
func Score(reference, candidate Draft) domains.Reading {
	threading := shareOfEqual(reference.threading, candidate.threading)
	treadling := shareOfEqual(reference.treadling, candidate.treadling)
	tieup := shareOfEqual(reference.tieup, candidate.tieup)
	colors := mean(reference.colors, candidate.colors, colorSimilarity)
	parameters := settingSimilarity(&reference, &candidate)
	reading := domains.Reading{
		// The conversions keep products and sums from being fused on some machines.
		RS: float64(0.3*threading) + float64(0.3*treadling) + float64(0.2*tieup) +
			float64(0.1*colors) + float64(0.1*parameters),
		Components: map[string]float64{
			"threading": threading, "treadling": treadling, "tieup": tieup, "colors": colors, "parameters": parameters,
		},
		Elements: domains.Elements{Reference: reference.threads(), Candidate: candidate.threads()},
	}
	if reading.Elements.Candidate == 0 && len(candidate.faults) > 0 {
		reading.Problem = errors.Join(candidate.faults...).Error()
	}
	return reading
}

// shareOfEqual is the share of equal entries in the union of two lists.
func shareOfEqual(ref, got []option) float64 {
	return mean(ref, got, func(was, is string) float64 { return sets.OneIf(was == is) })
}

// mean is that of the similarity over the union of two lists. An entry that stands in one only has none.
func mean(ref, got []option, similarity func(was, is string) float64) float64 {
	if len(ref) == 0 && len(got) == 0 {
		return 1
	}
	sum, union := 0.0, 0
	for i, j := 0, 0; i < len(ref) || j < len(got); union++ {
		switch {
		case j == len(got):
			i++
		case i == len(ref):
			j++
		default:
			order := compareNumbers(ref[i].name, got[j].name)
			if order == 0 {
				sum += similarity(ref[i].value, got[j].value)
			}
			if order <= 0 {
				i++
			}
			if order >= 0 {
				j++
			}
		}
	}
	return sum / float64(union)
}

// colorSimilarity is how near two colours are, by their distance in a cube of
// side 999, for any range that the palette declares.
func colorSimilarity(was, is string) float64 {
	if was == is {
		return 1
	}
	a, b := strings.Split(was, ","), strings.Split(is, ",")
	squares := 0.0
	for i := range a {
		x, _ := strconv.ParseFloat(a[i], 64) // infinite where it is too large
		y, _ := strconv.ParseFloat(b[i], 64)
		if a[i] != b[i] {
			squares += float64((x - y) * (x - y))
		}
	}
	return sets.Positive(1 - math.Sqrt(squares)/(999*math.Sqrt(3)))
}

// settingSimilarity is the share of equal settings, less where threads are missing.
func settingSimilarity(ref, got *Draft) float64 {
	equal, all := 0, len(got.settings)
	for key, was := range ref.settings {
		is, both := got.settings[key]
		switch {
		case !both:
			all++
		case was == is:
			equal++
		}
	}
	if all == 0 {
		return 1
	}
	var kept sets.Mean // of threads and of picks
	for _, n := range [][2]int{{len(ref.threading), len(got.threading)}, {len(ref.treadling), len(got.treadling)}} {
		if n[0] > 0 {
			kept.Add(min(float64(n[1])/float64(n[0]), 1))
		}
	}
	return float64(equal) / float64(all) * (kept.Or(1) * kept.Or(1))
}
