package chess

import (
	"math"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Stats counts the parts of a document.
func Stats(r *Record) domains.Stats {
	annotated := len(r.evaluations())
	return domains.Stats{Elements: r.Counts, Counts: []domains.Count{
		{Name: "Moves", Value: strconv.Itoa(len(r.Plies))},
		{Name: "Annotations", Value: strconv.Itoa(annotated)},
		{Name: "Headers", Value: strconv.Itoa(len(r.Tags))},
		{Name: "Result", Value: r.Tags["Result"]},
	}}
}

// Score is 0.70 moves + 0.10 annotation + 0.10 header + 0.10 result, in whole tenths so that a perfect score is 1.
func Score(reference, candidate *Record, noted *notes.Notes) domains.Reading {
	moves := sequence(movesOf(reference), movesOf(candidate), noted)
	annotation := annotationScore(reference, candidate, noted)
	header := headerScore(reference.Tags, candidate.Tags)
	result := sets.OneIf(plainResult(reference.Tags["Result"]) == plainResult(candidate.Tags["Result"]))
	return domains.Reading{
		RS: (7*moves + annotation + header + result) / 10,
		Components: map[string]float64{
			"moves": moves, "annotation": annotation, "header": header, "result": result,
		},
		Elements: domains.Elements{Reference: reference.Counts, Candidate: candidate.Counts},
	}
}

// mostWork is the product of the lengths of two lists beyond which what they share at most stands for their ratio.
const mostWork = 1 << 28

// sequence is the similarity of two lists in order.
func sequence[T comparable](reference, candidate []T, noted *notes.Notes) float64 {
	return ratio.Bounded(reference, candidate, ratio.Limits{Work: mostWork}, noted)
}

func movesOf(r *Record) []Move {
	return lists.Each(r.Plies, func(p *RecordedPly) Move { return p.Move })
}

// annotationScore weighs the evaluations, in order without regard to the moves
// they belong to, with the marks of all moves.
func annotationScore(reference, candidate *Record, noted *notes.Notes) float64 {
	if s, empty := sets.EitherEmpty(reference.Plies, candidate.Plies); empty {
		return s
	}
	evaluations := sets.InPlace(reference.evaluations(), candidate.evaluations(), func(ref, got *float64) float64 {
		return sets.OneIf(math.Abs(*ref-*got) < 0.01)
	})
	return (6*evaluations + 4*sequence(marksOf(reference), marksOf(candidate), noted)) / 10
}

func (r *Record) evaluations() []float64 {
	return lists.Found(r.Plies, func(p *RecordedPly) (float64, bool) { return Evaluation(p.Comment) })
}

var evaluation = pytext.Pattern(`\[%eval\s*([+-]?[0-9]+(?:\.[0-9]*)?)\]`)

// Evaluation returns the first evaluation in a comment that is a plain number:
// digits, with a sign before and a fraction after them if need be.
func Evaluation(comment string) (float64, bool) {
	if !strings.Contains(comment, "[%eval") {
		return 0, false
	}
	found := evaluation.FindStringSubmatch(comment)
	if found == nil {
		return 0, false
	}
	value, err := strconv.ParseFloat(found[1], 64)
	return value, err == nil
}

func marksOf(r *Record) []string {
	return lists.Each(r.Plies, func(p *RecordedPly) string {
		if len(p.Marks) == 0 {
			return ""
		}
		return strings.Join(p.Marks, ",") + ","
	})
}

// headerScore is the share of equal tags among those that one side has.
func headerScore(reference, candidate map[string]string) float64 {
	var equal sets.Mean
	for _, name := range [...]string{"Event", "Site", "White", "Black", "WhiteElo", "BlackElo", "ECO", "Opening", "UTCDate"} {
		was, is := reference[name], candidate[name]
		if was != "" || is != "" {
			equal.Add(sets.OneIf(pytext.Strip(pytext.Lower(was)) == pytext.Strip(pytext.Lower(is))))
		}
	}
	return equal.Or(1)
}

func plainResult(result string) string { return pytext.Lower(strings.ReplaceAll(result, " ", "")) }
