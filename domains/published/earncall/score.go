package earncall

import (
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Score is the published formula: 0.40 content + 0.35 metrics + 0.25 sequence.
// It can exceed 1, since repeated figures count on the reference's side alone.
func Score(reference, candidate Published, noted *notes.Notes) domains.Reading {
	content := contents(reference.turns, candidate.turns, noted)
	metrics := agreement(reference.figures, candidate.figures)
	refSpeakers, gotSpeakers := speakersOf(reference.turns), speakersOf(candidate.turns)
	sequence := ratio.Bounded(refSpeakers, gotSpeakers, ratio.Limits{Work: mostWork}, noted)
	return domains.Reading{
		// Conversions keep the compiler from fusing products into the sums.
		RS:         float64(0.40*content) + float64(0.35*metrics) + float64(0.25*sequence),
		Components: map[string]float64{"content": content, "metrics": metrics, "sequence": sequence},
		Elements:   domains.Elements{Reference: len(reference.turns), Candidate: len(candidate.turns)},
	}
}

// mostWork is the product of the numbers of turns above which the speakers that two calls share, in
// any order, stand for their ratio.
const mostWork = 1 << 30

// speakersOf are those of turns by their folded names.
func speakersOf(turns []publishedTurn) []string {
	return lists.Each(turns, func(t *publishedTurn) string { return t.folded })
}

// contents is the mean over the reference's turns of how similar the candidate's next turn of the same speaker is.
func contents(reference, candidate []publishedTurn, noted *notes.Notes) float64 {
	if similarity, empty := sets.EitherEmpty(reference, candidate); empty {
		return similarity
	}
	queues := map[string][]string{}
	for j := range candidate {
		t := &candidate[j]
		queues[t.folded] = append(queues[t.folded], t.content)
	}
	sum := 0.0
	for i := range reference {
		t := &reference[i]
		if queue := queues[t.folded]; len(queue) > 0 {
			sum += ratio.Share(t.content, queue[0], noted)
			queues[t.folded] = queue[1:]
		}
	}
	return sum / float64(len(reference))
}

// agreement is the published F1 of figures. Repeats count among the hits, so that the precision can exceed 1.
func agreement(reference, candidate []string) float64 {
	if similarity, empty := sets.EitherEmpty(reference, candidate); empty {
		return similarity
	}
	said := make(map[string]bool, len(candidate))
	for _, figure := range candidate {
		said[foldFigure(figure)] = true
	}
	hits := lists.Count(reference, func(figure *string) bool { return said[foldFigure(*figure)] })
	return sets.F1(hits, len(reference), len(candidate))
}

func foldFigure(figure string) string { return strings.ReplaceAll(pytext.Lower(figure), " ", "") }

// Stats counts the parts of a document.
func Stats(p Published) domains.Stats {
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
