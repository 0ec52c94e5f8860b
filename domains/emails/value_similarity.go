package emails

import (
	"slices"
	"strings"

	"agentd/domains/internal/assign"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
)

// similarities compares the messages of two documents. Texts that recur, such
// as senders and subjects, are compared once.
type similarities struct {
	ref, got   []features
	refT, gotT texts
	known      map[[2]int32]float64 // ratios of texts
	noted      *notes.Notes
}

// features are what the published score compares of a message; texts are
// numbered, each side on its own.
type features struct {
	from, to, subject, date, body int32
	id, inReplyTo                 string
}

func newSimilarities(ref, got []message, noted *notes.Notes) *similarities {
	s := &similarities{known: map[[2]int32]float64{}, noted: noted}
	s.ref = s.refT.features(ref)
	s.got = s.gotT.features(got)
	return s
}

// texts numbers texts.
type texts struct {
	numbers map[string]int32
	all     []text
}

type text struct {
	string
	runes    []rune
	profile  ratio.Profile
	prepared *ratio.Text
}

func (t *texts) number(s string) int32 {
	if n, ok := t.numbers[s]; ok {
		return n
	}
	runes := []rune(s)
	n := int32(len(t.all))
	t.all = append(t.all, text{string: s, runes: runes, profile: ratio.ProfileOf(runes)})
	t.numbers[s] = n
	return n
}

func (t *texts) features(messages []message) []features {
	t.numbers = make(map[string]int32, 4*len(messages))
	all := make([]features, len(messages))
	for i := range messages {
		m := &messages[i]
		recipients := make([]string, len(m.to))
		for k, a := range m.to {
			recipients[k] = a.text()
		}
		all[i] = features{
			from:      t.number(pytext.Lower(pytext.Strip(m.from.text()))),
			to:        t.number(pytext.Lower(strings.Join(recipients, " "))),
			subject:   t.number(foldedLower(m.subject)),
			date:      t.number(pytext.Lower(m.dateText)),
			body:      t.number(foldedLower(m.body)),
			id:        pytext.Lower(m.id),
			inReplyTo: pytext.Lower(m.inReplyTo),
		}
	}
	return all
}

// text is the name and the address with a blank between, which stands there even if both
// are empty.
func (a address) text() string { return a.name + " " + a.addr }

// foldedLower is the text in lower case with white space folded to blanks.
func foldedLower(s string) string { return pytext.Collapse(pytext.Lower(s)) }

// ratio of two texts, given by their numbers.
func (s *similarities) ratio(a, b int32) float64 {
	ref, got := &s.refT.all[a], &s.gotT.all[b]
	if ref.string == got.string {
		return 1
	}
	pair := [2]int32{a, b}
	known, ok := s.known[pair]
	if !ok {
		if len(ref.runes)*len(got.runes) > mostWork {
			s.noted.Add(notes.AnyOrder)
			known = ref.profile.AtMost(&got.profile)
		} else {
			if got.prepared == nil {
				got.prepared = ratio.Prepare(got.string)
			}
			known = got.prepared.RatioRunes(ref.runes)
		}
		s.known[pair] = known
	}
	return known
}

// mostWork is the product of the lengths of two texts, in characters, above
// which what they share at most stands for their ratio: a body of a megabyte
// against one of a page.
const mostWork = 1 << 30

// atMost is a number that the ratio does not exceed.
func (s *similarities) atMost(a, b int32) float64 {
	ref, got := &s.refT.all[a], &s.gotT.all[b]
	switch {
	case ref.string == got.string:
		return 1
	case ref.string == "" || got.string == "":
		return 0
	}
	return ref.profile.AtMost(&got.profile)
}

func (s *similarities) header(row, col int) float64 {
	return s.headerBy(s.ratio, row, col)
}

func (s *similarities) body(row, col int) float64 {
	return s.ratio(s.ref[row].body, s.got[col].body)
}

func (s *similarities) headerBy(ratio func(a, b int32) float64, row, col int) float64 {
	a, b := &s.ref[row], &s.got[col]
	sum := float64(0.25*ratio(a.from, b.from)) + float64(0.15*ratio(a.to, b.to)) +
		float64(0.20*ratio(a.subject, b.subject)) + float64(0.15*ratio(a.date, b.date))
	if a.id == b.id {
		sum += 0.15
	}
	if a.inReplyTo == b.inReplyTo {
		sum += 0.10
	}
	return sum
}

// mostPairs is the number of pairs up to which the best assignment is sought
// among all, as the published evaluator does. A thread would need two thousand
// messages to exceed it.
const mostPairs = 4 << 20

// pair returns the pairs in the order of the reference.
func (s *similarities) pair() []assign.Pair {
	rows, cols := upTo(len(s.ref)), upTo(len(s.got))
	var pairs []assign.Pair
	if len(rows)*len(cols) > mostPairs {
		s.noted.Add(notes.Paired)
		pairs, rows, cols = s.pairEqual()
	}
	if len(rows)*len(cols) > mostPairs {
		for k := range min(len(rows), len(cols)) {
			pairs = append(pairs, assign.Pair{Row: rows[k], Col: cols[k]})
		}
	} else {
		pairs = append(pairs, s.best(rows, cols)...)
	}
	slices.SortFunc(pairs, func(a, b assign.Pair) int { return a.Row - b.Row })
	return pairs
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// pairEqual pairs equal messages in order, and returns what is left.
func (s *similarities) pairEqual() (pairs []assign.Pair, rows, cols []int) {
	type contents struct{ from, to, subject, date, body, id, inReplyTo string }
	of := func(t *texts, f *features) contents {
		return contents{t.all[f.from].string, t.all[f.to].string, t.all[f.subject].string,
			t.all[f.date].string, t.all[f.body].string, f.id, f.inReplyTo}
	}
	waiting := map[contents][]int{}
	for col := range s.got {
		c := of(&s.gotT, &s.got[col])
		waiting[c] = append(waiting[c], col)
	}
	taken := make([]bool, len(s.got))
	for row := range s.ref {
		c := of(&s.refT, &s.ref[row])
		if queue := waiting[c]; len(queue) > 0 {
			pairs = append(pairs, assign.Pair{Row: row, Col: queue[0]})
			taken[queue[0]] = true
			waiting[c] = queue[1:]
		} else {
			rows = append(rows, row)
		}
	}
	for col, is := range taken {
		if !is {
			cols = append(cols, col)
		}
	}
	return pairs, rows, cols
}

// best is the assignment of largest summed similarity.
func (s *similarities) best(rows, cols []int) []assign.Pair {
	pairs := assign.Min(assign.Costs{
		Rows: len(rows), Cols: len(cols),
		Cost: func(i, j int) float64 {
			return cost(s.header(rows[i], cols[j]), s.body(rows[i], cols[j]))
		},
		Bound: func(i, j int) float64 {
			row, col := rows[i], cols[j]
			return cost(s.headerBy(s.atMost, row, col), s.atMost(s.ref[row].body, s.got[col].body))
		},
	})
	for k, p := range pairs {
		pairs[k] = assign.Pair{Row: rows[p.Row], Col: cols[p.Col]}
	}
	return pairs
}

func cost(header, body float64) float64 { return 1 - (float64(0.3*header) + float64(0.7*body)) }
