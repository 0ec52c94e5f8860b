// Package texts divides texts into sentences, and pairs the texts of two documents one to one so
// that the sum of their ratios is largest.
package texts

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/assign"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/ratio"
)

// Pair pairs texts as assign.MinByLabel does, equal ones having equal labels: a
// pair for each text of the shorter side, in the order of the reference.
func Pair(reference, candidate []string, noted *notes.Notes) Pairing {
	p := Pairing{refs: newSide(reference), gots: newSide(candidate), costs: map[assign.Pair]float64{}}
	if p.sameWithoutRepeats() {
		for i := range reference {
			p.Pairs = append(p.Pairs, assign.Pair{Row: i, Col: i})
		}
		return p
	}
	p.prepared = make([]*ratio.Text, len(p.gots.distinct))
	p.Pairs = assign.MinByLabel(assign.Costs{
		Rows: len(reference), Cols: len(candidate), Cost: p.cost,
		Bound: func(i, j int) float64 {
			return 1 - p.refs.prepared(i).profile.AtMost(&p.gots.prepared(j).profile)
		},
	}, func(i int) string { return reference[i] }, func(j int) string { return candidate[j] }, noted)
	return p
}

// Pairing is the texts of two documents in pairs.
type Pairing struct {
	Pairs      []assign.Pair
	refs, gots side
	prepared   []*ratio.Text           // of the distinct texts of the candidate, once needed
	costs      map[assign.Pair]float64 // of distinct texts
}

// Similarity is the sum of the ratios of the pairs.
func (p *Pairing) Similarity() float64 {
	sum := 0.0
	for _, pair := range p.Pairs {
		sum += 1 - p.cost(pair.Row, pair.Col)
	}
	return sum
}

// Ratio is the ratio of the k-th pair.
func (p *Pairing) Ratio(k int) float64 { return 1 - p.cost(p.Pairs[k].Row, p.Pairs[k].Col) }

// sameWithoutRepeats reports whether both sides have the same texts in the same
// order, each once, so that there is one best pairing.
func (p *Pairing) sameWithoutRepeats() bool {
	return len(p.refs.distinct) == len(p.refs.texts) && slices.Equal(p.refs.texts, p.gots.texts)
}

func (p *Pairing) cost(i, j int) float64 {
	if p.refs.texts[i] == p.gots.texts[j] {
		return 0
	}
	pair := assign.Pair{Row: p.refs.number[i], Col: p.gots.number[j]}
	known, ok := p.costs[pair]
	if !ok {
		if p.prepared[pair.Col] == nil {
			p.prepared[pair.Col] = ratio.Prepare(p.gots.texts[j])
		}
		known = 1 - p.prepared[pair.Col].RatioRunes(p.refs.prepared(i).runes)
		p.costs[pair] = known
	}
	return known
}

// side is the texts of one document, each taken once: texts often repeat.
type side struct {
	texts    []string
	number   []int       // of each text, its place in distinct
	distinct []*prepared // nil until needed
}

type prepared struct {
	runes   []rune
	profile ratio.Profile
}

func newSide(texts []string) side {
	s := side{texts: texts, number: make([]int, len(texts))}
	numbers := make(map[string]int, len(texts))
	for i, text := range texts {
		n, known := numbers[text]
		if !known {
			n = len(numbers)
			numbers[text] = n
		}
		s.number[i] = n
	}
	s.distinct = make([]*prepared, len(numbers))
	return s
}

func (s *side) prepared(i int) *prepared {
	p := &s.distinct[s.number[i]]
	if *p == nil {
		runes := []rune(s.texts[i])
		*p = &prepared{runes, ratio.ProfileOf(runes)}
	}
	return *p
}

// Sentences divides a text with single blanks: after a full stop, a question or an exclamation
// mark, with the quotes and brackets that it closes, before a blank and what can begin a
// sentence. That is a capital, a digit, or one of the signs that opens has.
func Sentences(text, opens string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := 0
		for i := 0; i < len(text); i++ {
			if !isStop(text[i]) {
				continue
			}
			end := i + 1
			for end < len(text) && (isStop(text[end]) || strings.IndexByte(`"')]`, text[end]) >= 0) {
				end++
			}
			i = end - 1
			next, found := strings.CutPrefix(text[end:], " ")
			r, _ := utf8.DecodeRuneInString(next)
			if found && (unicode.IsUpper(r) || unicode.IsDigit(r) || strings.ContainsRune(opens, r)) {
				if !yield(text[start:end]) {
					return
				}
				start = end + 1
			}
		}
		if start < len(text) {
			yield(text[start:])
		}
	}
}

func isStop(c byte) bool { return c == '.' || c == '?' || c == '!' }

// Opening is the first words of a text, up to 40 bytes.
func Opening(text string) string {
	const longest = 40
	if len(text) <= longest {
		return text
	}
	words := text[:longest]
	if blank := strings.LastIndexByte(words, ' '); blank > 0 {
		words = words[:blank]
	}
	return strings.ToValidUTF8(words, "") + "…"
}
