// Package sets compares sets of values.
package sets

import (
	"slices"
	"strings"

	"agentd/domains/internal/pytext"
)

// Common is how many values the two sets that lists stand for have in common, and how many each of them has.
func Common[T comparable](a, b []T) (common, ofA, ofB int) {
	const few = 8 // which are compared sooner than hashed
	if len(a) <= few && len(b) <= few {
		for i, v := range a {
			if slices.Contains(a[:i], v) {
				continue
			}
			if ofA++; slices.Contains(b, v) {
				common++
			}
		}
		for i, v := range b {
			if !slices.Contains(b[:i], v) {
				ofB++
			}
		}
		return common, ofA, ofB
	}
	const inA, inB = 1, 2
	in := make(map[T]uint8, len(a))
	for _, v := range a {
		in[v] = inA
	}
	ofA = len(in)
	for _, v := range b {
		known := in[v]
		if known&inB != 0 {
			continue
		}
		if known&inA != 0 {
			common++
		}
		ofB++
		in[v] |= inB
	}
	return common, ofA, ofB
}

// Jaccard is the share of common values in the union of the two sets that the lists stand for, 1 if both are empty.
func Jaccard[T comparable](a, b []T) float64 {
	common, ofA, ofB := Common(a, b)
	if ofA+ofB == 0 {
		return 1
	}
	return float64(common) / float64(ofA+ofB-common)
}

// OneIf is 1 where something holds, otherwise 0.
func OneIf(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

// Positive is a number above 0, otherwise 0, also for what is no number.
func Positive(x float64) float64 {
	if x > 0 {
		return x
	}
	return 0
}

// Quotient is how near two numbers of one sign are: 1 for equal ones, otherwise the smaller over the larger.
func Quotient[T int | uint32 | float64](a, b T) float64 {
	if a == b {
		return 1
	}
	return float64(min(a, b)) / float64(max(a, b))
}

// LastByName keeps of the items of one name the last, in the place of the first.
func LastByName[T any](items []T, name func(*T) string) []T {
	var kept []T
	at := make(map[string]int, len(items))
	for i := range items {
		key := name(&items[i])
		if n, ok := at[key]; ok {
			kept[n] = items[i]
			continue
		}
		at[key] = len(kept)
		kept = append(kept, items[i])
	}
	return kept
}

// Mean is the mean of the values that were added so far.
type Mean struct {
	sum float64
	n   int
}

// Add adds a value.
func (m *Mean) Add(value float64) {
	m.sum += value
	m.n++
}

// AddTexts adds how alike two texts are: 1 for equal ones, 0 where one is empty, and nothing where both are.
func (m *Mean) AddTexts(ref, got string, similarity func(ref, got string) float64) {
	switch {
	case ref == "" && got == "":
	case ref == got:
		m.Add(1)
	case ref == "" || got == "":
		m.Add(0)
	default:
		m.Add(similarity(ref, got))
	}
}

// Empty reports whether no value was added.
func (m *Mean) Empty() bool { return m.n == 0 }

// Or returns the mean, or another value where none was added.
func (m *Mean) Or(none float64) float64 {
	if m.n == 0 {
		return none
	}
	return m.sum / float64(m.n)
}

// InPlace is the mean similarity of the items at the same places of two lists, 0 for what only the
// longer one has; 1 if both are empty.
func InPlace[T any](ref, got []T, similarity func(ref, got *T) float64) float64 {
	longer := max(len(ref), len(got))
	if longer == 0 {
		return 1
	}
	sum := 0.0
	for i := range min(len(ref), len(got)) {
		sum += similarity(&ref[i], &got[i])
	}
	return sum / float64(longer)
}

// Names is the Jaccard similarity of two headers in lower case, without blank names; reordered if
// they have the same names in another order.
func Names(ref, got []string, reordered float64) float64 {
	ref, got = foldedNames(ref), foldedNames(got)
	similarity := Jaccard(ref, got)
	if similarity == 1 && !slices.Equal(ref, got) {
		return reordered
	}
	return similarity
}

func foldedNames(header []string) []string {
	var names []string
	for _, name := range header {
		if name = pytext.Lower(pytext.Strip(name)); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// Named is how much of the items with a name is kept: two fifths for the F1 score of the names, of
// equal ones the last item, and three fifths for the mean of what similarity says of the items
// that both sides have. It is 0 where one side has none, and 1 where both have none.
func Named[T any](ref, got []T, name func(*T) string, similarity func(ref, got *T) float64) float64 {
	switch {
	case len(ref) == 0 && len(got) == 0:
		return 1
	case len(ref) == 0 || len(got) == 0:
		return 0
	}
	p := PairByName(ref, got, name)
	return float64(0.4*F1(len(p.Both), p.Refs, p.Gots)) + float64(0.6*p.Mean(0, similarity))
}

// F1 is the harmonic mean of precision and recall, of items of which some are shared.
func F1(shared, ref, got int) float64 {
	if shared == 0 {
		return 0
	}
	precision, recall := float64(shared)/float64(got), float64(shared)/float64(ref)
	return 2 * precision * recall / (precision + recall)
}

// LastPairs pairs, of each key that both lists have, the last places at which it stands, in the
// order of those of the reference.
func LastPairs[K comparable](ref, got []K) (pairs [][2]int) {
	last := func(keys []K) map[K]int {
		at := make(map[K]int, len(keys))
		for i, key := range keys {
			at[key] = i
		}
		return at
	}
	inRef, inGot := last(ref), last(got)
	for i, key := range ref {
		if at, shared := inGot[key]; shared && inRef[key] == i {
			pairs = append(pairs, [2]int{i, at})
		}
	}
	return pairs
}

// Words is the set of the words of a text, for tables of names.
func Words(text string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}

// Pairs are the items of two sides that have a name in common.
type Pairs[T any] struct {
	Refs, Gots int // different names
	Both       [][2]*T
}

// PairByName pairs items, of several with one name the last. The pairs are in the order in which
// the names come first in the reference.
func PairByName[T any](reference, candidate []T, name func(*T) string) Pairs[T] {
	names, refs := lastByName(reference, name)
	_, gots := lastByName(candidate, name)
	p := Pairs[T]{Refs: len(refs), Gots: len(gots)}
	for _, name := range names {
		if got := gots[name]; got != nil {
			p.Both = append(p.Both, [2]*T{refs[name], got})
		}
	}
	return p
}

// lastByName returns the different names, in order, and of each the last item.
func lastByName[T any](items []T, name func(*T) string) (names []string, last map[string]*T) {
	last = make(map[string]*T, len(items))
	for i := range items {
		key := name(&items[i])
		if last[key] == nil {
			names = append(names, key)
		}
		last[key] = &items[i]
	}
	return names, last
}

// Jaccard is the share of common names among all, 1 if there are none.
func (p *Pairs[T]) Jaccard() float64 {
	union := p.Refs + p.Gots - len(p.Both)
	if union == 0 {
		return 1
	}
	return float64(len(p.Both)) / float64(union)
}

// Mean is the mean similarity of the pairs, none if there are none.
func (p *Pairs[T]) Mean(none float64, similarity func(ref, got *T) float64) float64 {
	var m Mean
	for _, pair := range p.Both {
		m.Add(similarity(pair[0], pair[1]))
	}
	return m.Or(none)
}

// EitherEmpty is the similarity of two lists of which one has nothing: 1 if both have not. Otherwise it is false.
func EitherEmpty[R, G any](ref []R, got []G) (similarity float64, empty bool) {
	if len(ref) == 0 && len(got) == 0 {
		return 1, true
	}
	return 0, len(ref) == 0 || len(got) == 0
}
