package screenplay

import (
	"strings"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// fold lowers a text and drops all but letters, numbers, "_" and single blanks.
func fold(text string) string {
	text = pytext.Lower(text)
	folded := make([]byte, 0, len(text))
	blank := false
	for _, r := range text {
		switch {
		case pytext.IsSpace(r):
			blank = len(folded) > 0
		case pytext.IsWord(r):
			if blank {
				folded = append(folded, ' ')
			}
			folded, blank = utf8.AppendRune(folded, r), false
		}
	}
	return string(folded)
}

// Score is the published formula: 0.45 dialogue + 0.20 characters + 0.20 directions + 0.15 text.
func Score(reference, candidate Published, noted *notes.Notes) domains.Reading {
	dialogue := sequence(reference.speeches, candidate.speeches, noted)
	characters := sets.Jaccard(reference.characters, candidate.characters)
	directions := together(reference.directions, candidate.directions, noted)
	text := ratio.Plain(fold(reference.whole), fold(candidate.whole), noted)
	return domains.Reading{
		// Conversions keep the compiler from fusing products into the sums.
		RS: float64(0.45*dialogue) + float64(0.20*characters) + float64(0.20*directions) + float64(0.15*text),
		Components: map[string]float64{
			"dialogue": dialogue, "characters": characters, "directions": directions, "text": text,
		},
		Elements: domains.Elements{Reference: len(reference.speeches), Candidate: len(candidate.speeches)},
	}
}

// mostWork is the product of the lengths of two lists of speeches above which
// what they share, in any order, stands for their ratio.
const mostWork = 1 << 30

// sequence is the ratio of two lists of speeches, with the popularity heuristic. They are compared
// by their speakers and the beginnings of their texts.
func sequence(reference, candidate []utterance, noted *notes.Notes) float64 {
	if similarity, empty := sets.EitherEmpty(reference, candidate); empty {
		return similarity
	}
	return ratio.Bounded(beginnings(reference), beginnings(candidate), ratio.Limits{Work: mostWork}, noted)
}

func beginnings(speeches []utterance) []utterance {
	const compared = 80 // characters
	return lists.Map(speeches, func(u utterance) utterance {
		return utterance{u.speaker, pytext.First(fold(u.text), compared)}
	})
}

// together is the ratio of all directions as one text.
func together(reference, candidate []string, noted *notes.Notes) float64 {
	if similarity, empty := sets.EitherEmpty(reference, candidate); empty {
		return similarity
	}
	return ratio.Plain(foldAll(reference), foldAll(candidate), noted)
}

func foldAll(directions []string) string {
	return strings.Join(lists.Map(directions, fold), " ")
}

// Stats counts the parts of a document.
func Stats(p Published) domains.Stats {
	return domains.StatsOf(len(p.speeches), "Characters", len(p.characters), "Dialogues", len(p.speeches),
		"Stage Dirs", len(p.directions))
}
