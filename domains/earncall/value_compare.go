package earncall

import (
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
)

// counted is the kind of element that is counted.
const counted = "turn"

// score is the published formula: 0.40 content + 0.35 metrics + 0.25 sequence.
// It can exceed 1, since repeated figures count on the reference's side alone.
func score(reference, candidate published, noted *notes.Notes) domains.Reading {
	names := numbering{}
	ref, got := names.of(reference.turns), names.of(candidate.turns)
	content := contents(reference.turns, candidate.turns, ref, got, noted)
	metrics := agreement(reference.figures, candidate.figures)
	sequence := order(ref, got, noted)
	return domains.Reading{
		// Conversions keep the compiler from fusing products into the sums.
		Value:      float64(0.40*content) + float64(0.35*metrics) + float64(0.25*sequence),
		Components: map[string]float64{"content": content, "metrics": metrics, "sequence": sequence},
		Elements:   domains.Elements{Reference: len(ref), Candidate: len(got)},
	}
}

// numbering numbers speakers whose names fold to the same, by their names as
// written and as folded.
type numbering map[string]int

func (n numbering) of(turns []publishedTurn) []int {
	numbers := make([]int, len(turns))
	for i := range turns {
		name := turns[i].speaker
		number, known := n[name]
		if !known {
			folded := pytext.Collapse(pytext.Lower(name))
			if number, known = n[folded]; !known {
				number = len(n)
				n[folded] = number
			}
			n[name] = number
		}
		numbers[i] = number
	}
	return numbers
}

// contents is the mean over the reference's turns of how similar the
// candidate's next turn of the same speaker is.
func contents(reference, candidate []publishedTurn, ref, got []int, noted *notes.Notes) float64 {
	if len(ref) == 0 || len(got) == 0 {
		return bothEmpty(len(ref), len(got))
	}
	queues := map[int][]int{}
	for j, speaker := range got {
		queues[speaker] = append(queues[speaker], j)
	}
	sum := 0.0
	for i, speaker := range ref {
		if queue := queues[speaker]; len(queue) > 0 {
			sum += similarity(reference[i].content, candidate[queue[0]].content, noted)
			queues[speaker] = queue[1:]
		}
	}
	return sum / float64(len(ref))
}

func bothEmpty(ref, got int) float64 {
	if ref == got {
		return 1
	}
	return 0
}

// mostWork is the product of the lengths of two sequences above which what they
// share, in any order, stands for their ratio.
const mostWork = 1 << 30

func similarity(ref, got string, noted *notes.Notes) float64 {
	if ref == got {
		return 1
	}
	if len(ref)*len(got) > mostWork {
		noted.Add(notes.AnyOrder)
		a, b := ratio.ProfileOf([]rune(ref)), ratio.ProfileOf([]rune(got))
		return a.AtMost(&b)
	}
	return ratio.Of(ref, got)
}

// agreement is the published F1 of figures. Repeats count among the hits, so
// that the precision can exceed 1.
func agreement(reference, candidate []string) float64 {
	if len(reference) == 0 || len(candidate) == 0 {
		return bothEmpty(len(reference), len(candidate))
	}
	said := make(map[string]bool, len(candidate))
	for _, figure := range candidate {
		said[foldFigure(figure)] = true
	}
	hits := 0.0
	for _, figure := range reference {
		if said[foldFigure(figure)] {
			hits++
		}
	}
	if hits == 0 {
		return 0
	}
	precision, recall := hits/float64(len(candidate)), hits/float64(len(reference))
	return 2 * precision * recall / (precision + recall)
}

func foldFigure(figure string) string { return strings.ReplaceAll(pytext.Lower(figure), " ", "") }

// order is the ratio of the two sequences of speakers.
func order(ref, got []int, noted *notes.Notes) float64 {
	return ratio.Bounded(ref, got, ratio.Limits{Work: mostWork}, noted)
}

func stats(p published) domains.Stats {
	speakers := map[string]bool{}
	for i := range p.turns {
		speakers[p.turns[i].speaker] = true
	}
	return domains.Stats{
		Elements: len(p.turns),
		Counts: []domains.Count{
			{Name: "Speaker Turns", Value: strconv.Itoa(len(p.turns))},
			{Name: "Speakers", Value: strconv.Itoa(len(speakers))},
			{Name: "Financial Metrics", Value: strconv.Itoa(len(p.figures))},
		},
	}
}
