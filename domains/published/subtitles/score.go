package subtitles

import (
	"cmp"
	"fmt"
	"strconv"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/assign"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/domains/internal/texts"
)

// Score is the published formula: 0.20 coverage + 0.40 text + 0.25 timing +
// 0.15 sequence. Captions are paired one to one so that their texts agree
// best.
func Score(reference, candidate []Caption, noted *notes.Notes) domains.Reading {
	reading := domains.Reading{
		Elements: domains.Elements{Reference: len(reference), Candidate: len(candidate)},
	}
	if value, empty := sets.EitherEmpty(reference, candidate); empty {
		reading.RS = value
		return reading
	}
	ref, got := foldAll(reference), foldAll(candidate)
	pairing := texts.Pair(ref, got, noted)
	pairs := pairing.Pairs
	count := float64(len(reference))
	paired := float64(len(pairs)) / count
	coverage := sets.Jaccard(ref, got)
	text := pairing.Similarity() / count
	timing := agreement(reference, candidate, pairs) * paired
	sequence := order(reference, candidate, pairs) * paired
	// Conversions keep the compiler from fusing products into the sums.
	reading.RS = float64(0.20*coverage) + float64(0.40*text) + float64(0.25*timing) + float64(0.15*sequence)
	reading.Components = map[string]float64{
		"coverage": coverage, "text": text, "timing": timing, "sequence": sequence,
	}
	return reading
}

// foldAll are the texts that the published evaluator compares.
func foldAll(captions []Caption) []string {
	return lists.Each(captions, func(c *Caption) string { return pytext.Collapse(pytext.Lower(c.text)) })
}

// agreement is the mean over the pairs of how well start and end times agree.
func agreement(reference, candidate []Caption, pairs []assign.Pair) float64 {
	sum := 0.0
	for _, p := range pairs {
		ref, got := reference[p.Row], candidate[p.Col]
		sum += (closeness(ref.start, got.start) + closeness(ref.end, got.end)) / 2
	}
	return sum / float64(len(pairs))
}

// closeness is the ratio of the smaller time to the larger.
func closeness(a, b float64) float64 {
	if a == b {
		return 1
	}
	return min(a, b) / max(a, b)
}

// order is how well the order of the pairs by start time agrees.
func order(reference, candidate []Caption, pairs []assign.Pair) float64 {
	refRank, gotRank := ranks(reference), ranks(candidate)
	refOrder, gotOrder := make([]int, len(pairs)), make([]int, len(pairs))
	for k, p := range pairs {
		refOrder[k], gotOrder[k] = refRank[p.Row], gotRank[p.Col]
	}
	return ratio.Tokens(refOrder, gotOrder, true)
}

// ranks are the places of captions when sorted by start time.
func ranks(captions []Caption) []int {
	byStart := func(a, b int) int { return cmp.Compare(captions[a].start, captions[b].start) }
	rank := make([]int, len(captions))
	for place, i := range lists.Order(len(captions), byStart) {
		rank[i] = place
	}
	return rank
}

// Stats counts the parts of a document.
func Stats(captions []Caption) domains.Stats {
	duration, characters := "0", 0
	if len(captions) > 0 {
		first, last := captions[0].start, captions[0].end
		for _, c := range captions {
			first, last = min(first, c.start), max(last, c.end)
			characters += utf8.RuneCountInString(c.text)
		}
		duration = strconv.FormatFloat((last-first)/60_000, 'f', 1, 64)
	}
	return domains.StatsOf(len(captions), "Entries", len(captions), "Duration", duration+" min",
		"Text Chars", characters)
}

func (c Clock) String() string {
	return fmt.Sprintf("%02d:%02d:%02d,%03d", c/hour, c/minute%60, c/Second%60, c%Second)
}
