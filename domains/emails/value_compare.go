package emails

import (
	"cmp"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/assign"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

const counted = "message"

func stats(messages []message) domains.Stats {
	senders := map[string]bool{}
	for i := range messages {
		if from := messages[i].from.addr; from != "" {
			senders[from] = true
		}
	}
	replies := lists.Count(messages, func(m *message) bool { return m.inReplyTo != "" })
	return domains.Stats{
		Elements: len(messages),
		Counts: []domains.Count{
			{Name: "Messages", Value: strconv.Itoa(len(messages))},
			{Name: "Senders", Value: strconv.Itoa(len(senders))},
			{Name: "Replies", Value: strconv.Itoa(replies)},
		},
	}
}

// score weighs coverage, headers, bodies and sequence as the published
// evaluator does. The conversions keep products and sums from being fused on
// some machines.
func score(ref, got []message, noted *notes.Notes) domains.Reading {
	coverage := sets.Jaccard(fingerprints(ref), fingerprints(got))
	headers, bodies, pairs := pairMessages(ref, got, noted)
	sequence := sequenceOf(ref, got, pairs)
	return domains.Reading{
		Value: float64(0.20*coverage) + float64(0.25*headers) + float64(0.40*bodies) + float64(0.15*sequence),
		Components: map[string]float64{
			"coverage": coverage, "headers": headers, "bodies": bodies, "sequence": sequence,
		},
		Elements: domains.Elements{Reference: len(ref), Candidate: len(got)},
	}
}

// fingerprints name messages by Message-ID or, without one, by subject, date
// and sender.
func fingerprints(messages []message) []string {
	return lists.Each(messages, func(m *message) string {
		if m.id != "" {
			return pytext.Lower(strings.Trim(m.id, "<>"))
		}
		return pytext.Lower(m.subject + "|" + m.dateText + "|" + m.from.addr)
	})
}

// pairMessages returns the pairs of largest summed similarity, in the order of
// the reference, and the mean similarity of headers and of bodies over the
// reference's messages.
func pairMessages(ref, got []message, noted *notes.Notes) (headers, bodies float64, pairs []assign.Pair) {
	if similarity, empty := sets.EitherEmpty(ref, got); empty {
		return similarity, similarity, nil
	}
	s := newSimilarities(ref, got, noted)
	pairs = s.pair()
	for _, p := range pairs {
		headers += s.header(p.Row, p.Col)
		bodies += s.body(p.Row, p.Col)
	}
	return headers / float64(len(ref)), bodies / float64(len(ref)), pairs
}

// sequenceOf compares the order of the dates of paired messages.
func sequenceOf(ref, got []message, pairs []assign.Pair) float64 {
	if similarity, empty := sets.EitherEmpty(ref, got); empty {
		return similarity
	}
	rows := lists.Map(pairs, func(p assign.Pair) int { return p.Row })
	cols := lists.Map(pairs, func(p assign.Pair) int { return p.Col })
	return ratio.Tokens(dateRanks(ref, rows), dateRanks(got, cols), true)
}

// dateRanks ranks the chosen messages by date as text: readable dates first,
// then others, then messages without; equals by their place in the document.
func dateRanks(messages []message, chosen []int) []int {
	key := func(n int) (int, string) {
		switch m := &messages[n]; {
		case m.date != "":
			return 0, m.date
		case m.dateText != "":
			return 1, m.dateText
		default:
			return 2, ""
		}
	}
	order := lists.Order(len(chosen), func(a, b int) int {
		groupA, textA := key(chosen[a])
		groupB, textB := key(chosen[b])
		return cmp.Or(cmp.Compare(groupA, groupB), strings.Compare(textA, textB), cmp.Compare(chosen[a], chosen[b]))
	})
	ranks := make([]int, len(chosen))
	for rank, k := range order {
		ranks[k] = rank
	}
	return ranks
}
