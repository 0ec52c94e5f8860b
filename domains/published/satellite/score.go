package satellite

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/domains/internal/assign"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Stats counts the parts of a document.
func Stats(l Listing) domains.Stats {
	counts := []any{"Satellites", len(l.sets), "Files", l.files}
	if len(l.sets) > 0 {
		counts = append(counts, "Inc Range", l.spread(Inclination, "%.1f-%.1f°"), "MM Range", l.spread(Motion, "%.2f-%.2f"))
	}
	return domains.StatsOf(len(l.sets), counts...)
}

// spread writes the least and the largest value of a field.
func (l *Listing) spread(field int, format string) string {
	values := lists.Found(l.sets, func(s *elementSet) (float64, bool) { return pytext.Float(s.Fields[field]) })
	if len(values) == 0 {
		return "N/A"
	}
	return fmt.Sprintf(format, slices.Min(values), slices.Max(values))
}

// Score is the mean similarity of the reference's entries to their partners, less up to 0.05 for entries that were
// added. The published formula has a factor for the sequence, which is always 1: it looks at the reference's order
// after the pairs were put into it.
func Score(reference, candidate Listing, noted *notes.Notes) domains.Reading {
	ref, got := reference.sets, candidate.sets
	var accuracy, coverage, value float64
	switch {
	case len(ref) == 0 && len(got) == 0:
		accuracy, coverage, value = 1, 1, 1
	case len(ref) > 0 && len(got) > 0:
		both := newComparison(ref, got, noted)
		pairs := both.pairs(noted)
		for _, p := range pairs {
			accuracy += both.similarity(p.Row, p.Col)
		}
		accuracy /= float64(len(ref))
		larger := float64(max(len(ref), len(got)))
		coverage = float64(len(pairs)) / larger
		extra := float64(len(got)-len(pairs)) / larger
		value = accuracy - float64(0.05*extra)
	}
	return domains.Reading{
		RS: value, Elements: domains.Elements{Reference: len(ref), Candidate: len(got)},
		Components: map[string]float64{"fields": accuracy, "coverage": coverage, "sequence": 1},
	}
}

// comparison is of two lists of entries, whose names in capitals are compared again and again.
type comparison struct {
	ref, got []namedSet
	*ratio.Table
}

// namedSet is an entry with the number of its name.
type namedSet struct {
	*elementSet
	name int
}

func newComparison(ref, got []elementSet, noted *notes.Notes) *comparison {
	c := &comparison{Table: ratio.NewTable(noted)}
	c.ref, c.got = c.named(ref), c.named(got)
	return c
}

func (c *comparison) named(sets []elementSet) []namedSet {
	return lists.Each(sets, func(s *elementSet) namedSet { return namedSet{s, c.Number(strings.ToUpper(s.name))} })
}

// pairs match the entries so that the summed likeness is largest.
func (c *comparison) pairs(noted *notes.Notes) []assign.Pair {
	type label struct {
		catalog string
		name    int
	}
	labelOf := func(s *namedSet) label { return label{s.Fields[Catalog], s.name} }
	return assign.MinByLabel(assign.Costs{
		Rows: len(c.ref), Cols: len(c.got),
		Cost:  func(i, j int) float64 { return 1 - c.likeness(&c.ref[i], &c.got[j], c.Ratio) },
		Bound: func(i, j int) float64 { return 1 - c.likeness(&c.ref[i], &c.got[j], c.AtMost) },
	}, func(i int) label { return labelOf(&c.ref[i]) }, func(j int) label { return labelOf(&c.got[j]) }, noted)
}

// likeness is what entries are matched by.
func (c *comparison) likeness(ref, got *namedSet, similarity func(ref, got int) float64) float64 {
	alike := 0.7 * sameText(&ref.Fields, &got.Fields, Catalog)
	if ref.name != ratio.Empty && got.name != ratio.Empty {
		alike += float64(0.3 * similarity(ref.name, got.name))
	}
	return alike
}

// similarity is the published similarity of a pair.
func (c *comparison) similarity(i, j int) float64 {
	ref, got := &c.ref[i], &c.got[j]
	name := c.Ratio(ref.name, got.name)
	a, b := &ref.Fields, &got.Fields
	return float64(0.10*name) + float64(0.10*identity(a, b)) + float64(0.15*epoch(a, b)) +
		float64(0.50*orbit(a, b)) + float64(0.15*drag(a, b))
}

func identity(ref, got *Fields) float64 {
	return (sameText(ref, got, Catalog) + sameText(ref, got, Class) + sameText(ref, got, Designator)) / 3
}

func epoch(ref, got *Fields) float64 {
	return float64(0.3*sameText(ref, got, Year)) + float64(0.7*closeNumber(ref, got, Day))
}

func orbit(ref, got *Fields) float64 {
	sum := 0.0
	elements := [...]int{Inclination, Node, Eccentricity, Perigee, Anomaly, Motion}
	for _, field := range elements {
		sum += closeNumber(ref, got, field)
	}
	return sum / float64(len(elements))
}

func drag(ref, got *Fields) float64 {
	return float64(0.4*closeDecimal(ref, got, Bstar)) + float64(0.2*closeNumber(ref, got, MotionDot)) +
		float64(0.1*closeDecimal(ref, got, MotionDotDot)) + float64(0.3*sameText(ref, got, Revolution))
}

func sameText(ref, got *Fields, field int) float64 { return sets.OneIf(ref[field] == got[field]) }

// closeNumber compares texts as numbers. What is no number is equal to nothing, itself included.
func closeNumber(ref, got *Fields, field int) float64 {
	a, okA := pytext.Float(ref[field])
	b, okB := pytext.Float(got[field])
	if !okA || !okB {
		return 0
	}
	return closeness(a, b)
}

// closeDecimal compares numbers with an assumed decimal point. What is no
// number is absent, and equal to another absent one.
func closeDecimal(ref, got *Fields, field int) float64 {
	a, okA := assumedDecimal(ref[field])
	b, okB := assumedDecimal(got[field])
	switch {
	case !okA && !okB:
		return 1
	case !okA || !okB:
		return 0
	}
	return closeness(a, b)
}

// closeness is 1 less the difference of two numbers as a share of the larger.
func closeness(a, b float64) float64 {
	const zero = 1e-8
	larger := max(math.Abs(a), math.Abs(b))
	if a == b || larger < zero {
		return 1
	}
	return sets.Positive(1 - math.Abs(a-b)/larger)
}

// assumedDecimal reads a field such as "-11371-3": sign, decimals, exponent.
func assumedDecimal(text string) (float64, bool) {
	if text == "" {
		return 0, true
	}
	sign, decimals, exponent, ok := CutDecimal(text)
	if !ok {
		return pytext.Float(text)
	}
	return pytext.Float(sign + "0." + decimals + "e" + exponent)
}

// CutDecimal divides a number with an assumed decimal point.
func CutDecimal(text string) (sign, decimals, exponent string, ok bool) {
	decimals = text
	if strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+") {
		sign, decimals = text[:1], text[1:]
	}
	at := strings.IndexAny(decimals, "+-")
	if at < 0 {
		return "", "", "", false
	}
	decimals, exponent = decimals[:at], decimals[at:]
	return sign, decimals, exponent, allDigits(decimals) && allDigits(exponent[1:])
}

func allDigits(text string) bool { return text != "" && strings.TrimFunc(text, unicode.IsDigit) == "" }
