package latex

import (
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

func stats(p paper) domains.Stats {
	return domains.Stats{Elements: len(p.entries), Counts: []domains.Count{
		{Name: "Sections", Value: strconv.Itoa(p.sections)},
		{Name: "Citations", Value: strconv.Itoa(p.cites)},
		{Name: "Bib Entries", Value: strconv.Itoa(len(p.entries))},
		{Name: "Words", Value: strconv.Itoa(len(strings.Fields(p.text)))},
	}}
}

// score is seven twentieths the text, a quarter the sequence of works cited, a
// fifth the set of works, and a fifth the fields of works on both sides.
func score(reference, candidate paper, noted *notes.Notes) domains.Reading {
	text := textSimilarity(reference.text, candidate.text, noted)
	cited := citedSimilarity(reference.citations, candidate.citations, noted)
	works := worksSimilarity(reference.entries, candidate.entries)
	fields := fieldAccuracy(reference.entries, candidate.entries, noted)
	return domains.Reading{
		Value: float64(0.35*text) + float64(0.25*cited) + float64(0.20*works) + float64(0.20*fields),
		Components: map[string]float64{
			"text_score": text, "citation_sequence_score": cited, "bib_completeness_score": works, "field_accuracy_score": fields,
		},
		Elements: domains.Elements{Reference: len(reference.entries), Candidate: len(candidate.entries)},
	}
}

func citedSimilarity(ref, got []fingerprint, noted *notes.Notes) float64 {
	if len(ref) == 0 || len(got) == 0 {
		return bothEmpty(len(ref), len(got))
	}
	return ratio.Bounded(ref, got, limits, noted)
}

func worksSimilarity(ref, got []entry) float64 {
	if len(ref) == 0 || len(got) == 0 {
		return bothEmpty(len(ref), len(got))
	}
	return sets.Jaccard(prints(ref), prints(got))
}

// bothEmpty is 1 if there is nothing on either side, and else 0.
func bothEmpty(ref, got int) float64 {
	if ref+got == 0 {
		return 1
	}
	return 0
}

func prints(entries []entry) []fingerprint {
	all := make([]fingerprint, len(entries))
	for i := range entries {
		all[i] = entries[i].print
	}
	return all
}

// fieldAccuracy is the mean over the works on both sides, 0 if there are none.
// Of several entries of one work the last stands.
func fieldAccuracy(reference, candidate []entry, noted *notes.Notes) float64 {
	got := make(map[fingerprint]*entry, len(candidate))
	for i := range candidate {
		got[candidate[i].print] = &candidate[i]
	}
	ref := make(map[fingerprint]*entry, len(reference))
	var works []fingerprint
	for i := range reference {
		print := reference[i].print
		if ref[print] == nil && got[print] != nil {
			works = append(works, print)
		}
		ref[print] = &reference[i]
	}
	if len(works) == 0 {
		return 0
	}
	sum := 0.0
	for _, print := range works {
		sum += entrySimilarity(ref[print].fields, got[print].fields, noted)
	}
	return sum / float64(len(works))
}

// comparedFields are the fields that the published score looks at.
var comparedFields = []string{"author", "title", "year", "journal", "booktitle", "volume", "number", "pages", "publisher"}

func entrySimilarity(ref, got map[string]string, noted *notes.Notes) float64 {
	sum, n := 0.0, 0
	for _, name := range comparedFields {
		was, inRef := ref[name]
		is, inGot := got[name]
		if !inRef && !inGot {
			continue
		}
		n++
		was, is = normal(was), normal(is)
		switch {
		case was == is:
			sum++
		case was != "" && is != "":
			sum += fieldSimilarity(was, is, noted)
		}
	}
	if n == 0 {
		return 1
	}
	return sum / float64(n)
}
