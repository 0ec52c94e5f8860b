package audiosyn

import (
	"strings"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// longestList is the number of comments or events up to which lists are compared.
// A document of 50,000 tokens has a sixth of it.
const longestList = 1 << 15

// listRatio compares two lists item by item.
func listRatio[T comparable](ref, got []T, noted *notes.Notes) float64 {
	noted.AddIf(max(len(ref), len(got)) > longestList, notes.Beginnings)
	return ratio.Tokens(ref[:min(len(ref), longestList)], got[:min(len(got), longestList)], true)
}

// wholeRatio compares whole documents as ratio.Long does. Of very unequal length, and
// not short, they are compared by the characters that they share.
func wholeRatio(ref, got string, noted *notes.Notes) float64 {
	ref, got = ratio.Beginning(ref, noted), ratio.Beginning(got, noted)
	return ratio.BoundedText(ref, got, ratio.Limits{Lopsided: 1 << 25}, noted)
}

// eventShares are the share of events that both sides have, how close the others
// are, and how much of their order is kept.
func eventShares(ref, got []event, noted *notes.Notes) (same, close, order float64) {
	if both, empty := sets.EitherEmpty(ref, got); empty {
		return both, both, both
	}
	refs, gots := distinct(ref), distinct(got)
	shared := 0
	for print := range refs {
		if _, ok := gots[print]; ok {
			shared++
		}
	}
	same = float64(shared) / float64(len(refs)+len(gots)-shared)
	order = listRatio(prints(ref), prints(got), noted)
	lost, added := missing(ref, gots), missing(got, refs)
	switch {
	case len(lost) > 0 && len(added) > 0:
		kept := float64(shared) / float64(len(refs))
		close = kept + float64((1-kept)*closeness(lost, added, noted))
	case shared > 0:
		close = 1
	}
	return same, close, order
}

func distinct(events []event) map[uint64]struct{} {
	set := make(map[uint64]struct{}, len(events))
	for i := range events {
		set[events[i].print] = struct{}{}
	}
	return set
}

func prints(events []event) []uint64 {
	return lists.Each(events, func(e *event) uint64 { return e.print })
}

// missing are the events that the other side lacks.
func missing(events []event, other map[uint64]struct{}) []event {
	var all []event
	for i := range events {
		if _, ok := other[events[i].print]; !ok {
			all = append(all, events[i])
		}
	}
	return all
}

// text is how an event is compared by its characters, up to so many bytes.
func (e *event) text(most int) string {
	var b strings.Builder
	for n, field := range e.fields {
		switch {
		case b.Len() > most:
			return b.String()[:most]
		case n > 3:
			b.WriteByte(',')
		case n > 0:
			b.WriteByte('|')
		}
		b.WriteString(field[:min(len(field), most)])
	}
	if len(e.fields) == 3 {
		b.WriteByte('|')
	}
	text := b.String()
	return text[:min(len(text), most)]
}

// texts are events that differ from each other, by their characters.
type texts struct {
	list []string
	of   map[uint64]int
}

func textsOf(events []event, most int) texts {
	t := texts{of: make(map[uint64]int, len(events))}
	for i := range events {
		if _, known := t.of[events[i].print]; known {
			continue
		}
		t.of[events[i].print] = len(t.list)
		t.list = append(t.list, events[i].text(most))
	}
	return t
}

const (
	// mostPairs is the number of pairs of events that closeness compares. It
	// compares each with each of 700.
	mostPairs = 1 << 19
	// longestText and shortText are the lengths up to which it reads events, the
	// first longer than any is in practice, the other where there are many.
	longestText, shortText = 256, 128
)

// closeness is the mean, over the lost events, of the largest similarity with one
// that was added. Of very many an event is compared with those about the same
// place.
func closeness(lost, added []event, noted *notes.Notes) float64 {
	most := longestText
	if len(lost)*len(added) > mostPairs {
		noted.Add(notes.Paired)
		most = shortText
	}
	ref, got := textsOf(lost, most), textsOf(added, most)
	wide := max(1, min(len(got.list), mostPairs/len(ref.list)))
	// first is the first of the added that the n-th of the lost is compared with.
	first := func(n int) int {
		middle := n * len(got.list) / len(ref.list)
		return min(max(middle-wide/2, 0), len(got.list)-wide)
	}
	best := make([]float64, len(ref.list))
	runes := make([][]rune, len(ref.list))
	profiles := make([]ratio.Profile, len(ref.list))
	for n, text := range ref.list {
		runes[n] = []rune(text)
		profiles[n] = ratio.ProfileOf(runes[n])
	}
	from, to := 0, 0
	for k, text := range got.list {
		for to < len(best) && first(to) <= k {
			to++
		}
		for from < to && first(from)+wide <= k {
			from++
		}
		if from == to {
			continue
		}
		prepared, profile := ratio.Prepare(text), ratio.ProfileOf([]rune(text))
		for n := from; n < to; n++ {
			if best[n] < 1 && profiles[n].AtMost(&profile) > best[n] {
				best[n] = max(best[n], prepared.RatioRunes(runes[n]))
			}
		}
	}
	sum := 0.0
	for i := range lost {
		sum += best[ref.of[lost[i].print]]
	}
	return sum / float64(len(lost))
}
