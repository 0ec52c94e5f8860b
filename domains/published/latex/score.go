package latex

import (
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Stats counts the parts of a document.
func Stats(p Paper) domains.Stats {
	return domains.StatsOf(len(p.entries), "Sections", p.sections, "Citations", p.cites, "Bib Entries", len(p.entries),
		"Words", len(strings.Fields(p.text)))
}

// Score is seven twentieths the text, a quarter the sequence of works cited, a
// fifth the set of works, and a fifth the fields of works on both sides.
func Score(reference, candidate Paper, noted *notes.Notes) domains.Reading {
	text := ratio.Bounded([]rune(reference.text), []rune(candidate.text), limits, noted)
	cited := ratio.Bounded(reference.citations, candidate.citations, limits, noted)
	fingerprintOf := func(e *entry) fingerprint { return e.print }
	ref, got := lists.Each(reference.entries, fingerprintOf), lists.Each(candidate.entries, fingerprintOf)
	works := sets.Jaccard(ref, got)
	var accuracy sets.Mean // of several entries of one work the last stands
	for _, pair := range sets.LastPairs(ref, got) {
		accuracy.Add(entrySimilarity(reference.entries[pair[0]].fields, candidate.entries[pair[1]].fields, noted))
	}
	fields := accuracy.Or(0)
	return domains.Reading{
		RS: float64(0.35*text) + float64(0.25*cited) + float64(0.20*works) + float64(0.20*fields),
		Components: map[string]float64{
			"text_score": text, "citation_sequence_score": cited, "bib_completeness_score": works, "field_accuracy_score": fields,
		},
		Elements: domains.Elements{Reference: len(reference.entries), Candidate: len(candidate.entries)},
	}
}

// comparedFields are the fields that the published score looks at.
var comparedFields = strings.Fields("author title year journal booktitle volume number pages publisher")

func entrySimilarity(ref, got map[string]string, noted *notes.Notes) float64 {
	var fields sets.Mean
	for _, name := range comparedFields {
		was, inRef := ref[name]
		is, inGot := got[name]
		if !inRef && !inGot {
			continue
		}
		was, is = normal(was), normal(is)
		switch {
		case was == is:
			fields.Add(1)
		case was != "" && is != "":
			fields.Add(ratio.Bounded([]rune(was), []rune(is), fieldLimits, noted))
		default:
			fields.Add(0)
		}
	}
	return fields.Or(1)
}

var (
	// limits are those of a document's text and citations. Documents of 50,000 tokens are within them.
	limits = ratio.Limits{Work: 1 << 34, Pairs: 1 << 25, Lopsided: 1 << 25}
	// fieldLimits are those of a field of an entry, of which there are many.
	fieldLimits = ratio.Limits{Work: 1 << 24, Pairs: 1 << 20, Lopsided: 1 << 20}
)

// Others counts the parts by which a document without a counted element is scored.
func Others(p Paper) int { return len(p.text) }
