package audiosyn

import (
	"fmt"
	"math"
	"slices"
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
func Stats(p Piece) domains.Stats {
	if len(p.instruments) == 0 && len(p.events) == 0 {
		return domains.Stats{}
	}
	return domains.Stats{Elements: len(p.events), Counts: []domains.Count{
		{Name: "Instruments", Value: strconv.Itoa(len(p.instruments))},
		{Name: "UDOs", Value: strconv.Itoa(p.opcodes)},
		{Name: "Function Tables", Value: strconv.Itoa(len(p.tables))},
		{Name: "Score Events", Value: strconv.Itoa(len(p.events))},
		{Name: "Macros", Value: strconv.Itoa(p.macros)},
		{Name: "Settings", Value: fmt.Sprint(p.settings)},
	}}
}

// Score is the geometric mean of what is kept of the instruments and of the
// events, times the root of what is kept of the rest.
func Score(ref, got Piece, noted *notes.Notes) domains.Reading {
	instruments, bodies := instrumentShares(ref.instruments, got.instruments, noted)
	events, fields, sequence := eventShares(ref.events, got.events, noted)
	tables, contents := tableShares(ref.tables, got.tables, noted)
	settings := settingsShare(ref.settings, got.settings)
	comments := commentShare(ref.comments, got.comments, noted)
	text := wholeRatio(pytext.Collapse(ref.text), pytext.Collapse(got.text), noted)

	instrumentGate := float64(math.Pow(instruments, 2.5) * bodies)
	eventGate := float64(math.Pow(events, 2.5) * fields)
	core := float64(math.Sqrt(max(instrumentGate, 1e-4)) * math.Sqrt(max(eventGate, 1e-4)))
	rest := float64(0.25*float64(tables*contents)) + float64(0.15*settings) + float64(0.25*comments) +
		float64(0.25*sequence) + float64(0.10*text)
	return domains.Reading{
		RS: pytext.Round(core*math.Sqrt(max(rest, 0.001)), 6),
		Components: map[string]float64{
			"instrument_coverage": instruments, "instrument_accuracy": bodies, "instrument_gate": instrumentGate,
			"event_coverage": events, "event_accuracy": fields, "event_sequence": sequence, "event_gate": eventGate,
			"core": core, "aux_mean": rest, "ftable_coverage": tables, "ftable_accuracy": contents,
			"settings_score": settings, "comment_score": comments, "raw_text_score": text,
		},
		Elements: domains.Elements{Reference: len(ref.events), Candidate: len(got.events)},
	}
}

// instrumentShares are the share of the names that both sides have, and the mean similarity of their bodies.
func instrumentShares(ref, got []instrument, noted *notes.Notes) (names, bodies float64) {
	if both, empty := sets.EitherEmpty(ref, got); empty {
		return both, both
	}
	p := sets.PairByName(ref, got, func(i *instrument) string { return i.id })
	return p.Jaccard(), p.Mean(0, func(ref, got *instrument) float64 {
		return ratio.Long(pytext.Collapse(ref.body), pytext.Collapse(got.body), noted)
	})
}

func tableShares(ref, got []table, noted *notes.Notes) (numbers, contents float64) {
	if both, empty := sets.EitherEmpty(ref, got); empty {
		return both, both
	}
	p := sets.PairByName(ref, got, func(t *table) string { return t.number })
	return p.Jaccard(), p.Mean(0, func(ref, got *table) float64 {
		return float64(0.3*sets.OneIf(float(ref.generator) == float(got.generator))) +
			float64(0.2*sets.Quotient(float(ref.size), float(got.size))) + float64(0.5*ratio.Long(ref.arguments, got.arguments, noted))
	})
}

// float is the value of a number that is written in digits.
func float(digits string) float64 {
	value, _ := strconv.ParseFloat(digits, 64)
	return value
}

func settingsShare(ref, got map[string]string) float64 {
	if len(ref) == 0 || len(got) == 0 {
		return sets.OneIf(len(ref) == len(got))
	}
	union, equal := len(ref), 0
	for name, value := range got {
		if was, known := ref[name]; !known {
			union++
		} else if was == value {
			equal++
		}
	}
	return float64(equal) / float64(union)
}

func commentShare(ref, got []string, noted *notes.Notes) float64 {
	if both, empty := sets.EitherEmpty(ref, got); empty {
		return both
	}
	ref, got = foldedComments(ref), foldedComments(got)
	if both, empty := sets.EitherEmpty(ref, got); empty {
		return both
	}
	return listRatio(ref, got, noted)
}

// foldedComments are comments in lower case without their marks, as far as they say something.
func foldedComments(lines []string) []string {
	said := make([]string, 0, len(lines))
	for _, line := range lines {
		line = strings.TrimLeftFunc(line, func(r rune) bool { return r == ';' || pytext.IsSpace(r) })
		if line != "" {
			said = append(said, pytext.Collapse(pytext.Lower(line)))
		}
	}
	return said
}

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
	refs, gots := prints(ref), prints(got)
	shared, ofRef, ofGot := sets.Common(refs, gots)
	same = float64(shared) / float64(ofRef+ofGot-shared)
	order = listRatio(refs, gots, noted)
	lost, added := missing(ref, gots), missing(got, refs)
	switch {
	case len(lost) > 0 && len(added) > 0:
		kept := float64(shared) / float64(ofRef)
		close = kept + float64((1-kept)*closeness(lost, added, noted))
	case shared > 0:
		close = 1
	}
	return same, close, order
}

func prints(events []event) []string {
	return lists.Each(events, func(e *event) string { return e.print })
}

// missing are the events that are not among the prints of the other side.
func missing(events []event, other []string) []event {
	has := make(map[string]bool, len(other))
	for _, print := range other {
		has[print] = true
	}
	return slices.DeleteFunc(slices.Clone(events), func(e event) bool { return has[e.print] })
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
	of   map[string]int
}

func textsOf(events []event, most int) texts {
	t := texts{of: make(map[string]int, len(events))}
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
	// mostPairs is the number of pairs of events that closeness compares. It compares each with each of 700.
	mostPairs = 1 << 19
	// longestText and shortText are the lengths up to which it reads events, the
	// first longer than any is in practice, the other where there are many.
	longestText, shortText = 256, 128
)

// closeness is the mean, over the lost events, of the largest similarity with one that was added. Of very many an event
// is compared with those about the same place.
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

// Others counts the parts by which a document without a counted element is scored.
func Others(p Piece) int { return len(p.instruments) + len(p.tables) }
