package genealogy

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Stats counts the parts of a document.
func Stats(t Tree) domains.Stats {
	dated, children := lists.Count(t.individuals, func(i *individual) bool { return i.birthDate != "" }), 0
	for i := range t.families {
		children += len(t.families[i].children)
	}
	return domains.Stats{Elements: len(t.individuals), Counts: []domains.Count{
		{Name: "Individuals", Value: strconv.Itoa(len(t.individuals))},
		{Name: "Families", Value: strconv.Itoa(len(t.families))},
		{Name: "With Birth Date", Value: strconv.Itoa(dated)},
		{Name: "Children", Value: strconv.Itoa(children)},
	}}
}

// Score is 0.45 · coverage² · accuracy + 0.35 · relationships + 0.20 · events.
// The weights are hundredths here, so that a document against itself has 1.
func Score(reference, candidate Tree) domains.Reading {
	coverage, accuracy := individualScores(reference.individuals, candidate.individuals)
	relationships, events := familyScores(reference.couples(), candidate.couples())
	individuals := coverage * coverage * accuracy
	return domains.Reading{
		RS: (float64(45*individuals) + float64(35*relationships) + float64(20*events)) / 100,
		Components: map[string]float64{
			"individual_coverage": coverage, "individual_accuracy": accuracy,
			"relationships": relationships, "events": events,
		},
		Elements: domains.Elements{Reference: len(reference.individuals), Candidate: len(candidate.individuals)},
	}
}

// fingerprint is how the published score finds an individual again. Of several with one
// fingerprint the last one counts.
func (i *individual) fingerprint() string {
	return normal(i.name) + "|" + fourDigits(i.birthDate)
}

// couple is a family with the fingerprints of its members.
type couple struct {
	*family
	print    string // of husband and wife
	children []string
}

// couples are the families of a tree. A pointer to a child that leads nowhere stands for itself.
func (t *Tree) couples() []couple {
	print := map[string]string{} // by the pointers of individuals
	for i := range t.individuals {
		print[t.individuals[i].pointer] = t.individuals[i].fingerprint()
	}
	print[""] = ""
	ofChild := func(pointer string) string { return cmp.Or(print[pointer], pointer) }
	return lists.Each(t.families, func(f *family) couple {
		return couple{f, print[f.husband] + "+" + print[f.wife], lists.Map(f.children, ofChild)}
	})
}

func normal(s string) string { return pytext.Strip(pytext.Lower(s)) }

// fourDigits is the first word of a date that consists of four digits.
func fourDigits(date string) string {
	for _, word := range pytext.Fields(date) {
		if utf8.RuneCountInString(word) == 4 && strings.TrimFunc(word, unicode.IsDigit) == "" {
			return word
		}
	}
	return ""
}

func individualScores(ref, got []individual) (coverage, accuracy float64) {
	if s, empty := sets.EitherEmpty(ref, got); empty {
		return s, s
	}
	pairs := sets.PairByName(ref, got, (*individual).fingerprint)
	return pairs.Jaccard(), pairs.Mean(0, func(was, is *individual) float64 {
		return fields(
			was.sex, is.sex, was.birthDate, is.birthDate, was.birthPlace, is.birthPlace,
			was.deathDate, is.deathDate, was.deathPlace, is.deathPlace)
	})
}

func familyScores(ref, got []couple) (relationships, events float64) {
	if s, empty := sets.EitherEmpty(ref, got); empty {
		return s, s
	}
	pairs := sets.PairByName(ref, got, func(c *couple) string { return c.print })
	children := pairs.Mean(0, func(was, is *couple) float64 { return sets.Jaccard(was.children, is.children) })
	return (float64(3*pairs.Jaccard()) + float64(2*children)) / 5, pairs.Mean(0, func(was, is *couple) float64 {
		return fields(was.marriageDate, is.marriageDate, was.marriagePlace, is.marriagePlace)
	})
}

// fields is the mean similarity of pairs of values, of which those that are
// empty on both sides do not count; 1 if none counts.
func fields(pairs ...string) float64 {
	var same sets.Mean
	for n := 0; n < len(pairs); n += 2 {
		same.AddTexts(normal(pairs[n]), normal(pairs[n+1]), halfOfRatio)
	}
	return same.Or(1)
}

func halfOfRatio(was, is string) float64 { return 0.5 * ratio.Of(was, is) }

// IsText reports whether the line is no fact: it continues the text of the line
// above it and no more, or is none of GEDCOM.
func (l *Line) IsText() bool {
	return l.Tag == "" || (l.Tag == "CONC" || l.Tag == "CONT") &&
		!slices.ContainsFunc(l.Lines, func(below *Line) bool { return below.Tag != "" })
}
