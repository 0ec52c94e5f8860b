package ratio

import (
	"math"
	"slices"

	"agentd/domains/internal/notes"
)

// lopsided is how many times as long as the other the longer of two sequences is for Limits.Lopsided.
const lopsided = 8

// Limits say up to what size two sequences are compared in order. A limit of 0 is none.
type Limits struct {
	// Length is that of the longer sequence, and Work the product of both lengths.
	Length, Work int
	// Lopsided is the Work allowed where the length of one sequence, divided by eight and rounded down, is above that
	// of the other: their ratio is small in any case.
	Lopsided int
	// Pairs is the number of pairs of equal elements that may begin a matching block. It bounds the time best, but
	// finding it counts all elements of sequences the product of whose lengths is above it.
	Pairs int
}

// Bounded returns the ratio of two sequences with the popularity heuristic, 1 if they are equal. Beyond the limits,
// whose lengths are in elements, it is the ratio that they would have if what they share stood in one order: the most
// that it could be, in linear time, and noted says so.
func Bounded[T comparable](a, b []T, limits Limits, noted *notes.Notes) float64 {
	if slices.Equal(a, b) {
		return 1
	}
	if limits.exceeded(len(a), len(b)) {
		noted.Add(notes.AnyOrder)
		return shared(a, b)
	}
	x, numbers := indexFor(a, b, true)
	return limits.ratio(x, numbers, func() float64 { return shared(a, b) }, noted)
}

// BoundedText is Bounded for the code points of texts. Lengths are in bytes, which
// need not be counted; pairs are of code points.
func BoundedText(a, b string, limits Limits, noted *notes.Notes) float64 {
	if a == b {
		return 1
	}
	return limits.runes([]rune(a), []rune(b), limits.exceeded(len(a), len(b)), noted)
}

// BoundedRunes is Bounded for code points, which it finds sooner.
func BoundedRunes(a, b []rune, limits Limits, noted *notes.Notes) float64 {
	if slices.Equal(a, b) {
		return 1
	}
	return limits.runes(a, b, limits.exceeded(len(a), len(b)), noted)
}

// runes compares code points, in order unless they are too long.
func (l *Limits) runes(a, b []rune, tooLong bool, noted *notes.Notes) float64 {
	if tooLong {
		noted.Add(notes.AnyOrder)
		return shared(a, b)
	}
	text := prepared(b)
	if text.bits != nil && l.Pairs == 0 {
		return text.RatioRunes(a)
	}
	return l.ratio(text.indexed(), text.numbered(a), func() float64 { return shared(a, b) }, noted)
}

// exceeded reports whether sequences of two lengths are beyond what lengths may be.
func (l *Limits) exceeded(n, m int) bool {
	shorter, longer := min(n, m), max(n, m)
	return exceeds(longer, l.Length) || exceeds(n*m, l.Work) || longer/lopsided > shorter && exceeds(n*m, l.Lopsided)
}

func exceeds(value, limit int) bool { return limit > 0 && value > limit }

// ratio compares a first sequence with a prepared one, unless they have more pairs than allowed; then it is what they
// share in any order.
func (l *Limits) ratio(x *index, a []int32, shared func() float64, noted *notes.Notes) float64 {
	if exceeds(len(a)*len(x.b), l.Pairs) && exceeds(x.startingPairs(a), l.Pairs) {
		noted.Add(notes.AnyOrder)
		return shared()
	}
	matched, _ := x.matched(a, math.MaxInt)
	return ratio(matched, len(a), len(x.b))
}

// shared is the ratio that two sequences would have if what they share stood in one order.
func shared[T comparable](a, b []T) float64 {
	as, bs := tallies(a, b)
	return as.Shared(bs)
}

// Tally is how often each element occurs in a sequence.
type Tally[T comparable] struct {
	numbers map[T]int // the places of elements in counts
	counts  []int
	length  int
}

// TallyOf counts the elements of a sequence.
func TallyOf[T comparable](sequence []T) *Tally[T] {
	t := &Tally[T]{numbers: map[T]int{}, length: len(sequence)}
	for _, element := range sequence {
		number, known := t.numbers[element]
		if !known {
			number = len(t.counts)
			t.numbers[element] = number
			t.counts = append(t.counts, 0)
		}
		t.counts[number]++
	}
	return t
}

// tallies counts the elements of the shorter of two sequences, and in the other those that the shorter has, too.
func tallies[T comparable](a, b []T) (as, bs *Tally[T]) {
	if len(a) > len(b) {
		bs, as = tallies(b, a)
		return as, bs
	}
	as = TallyOf(a)
	bs = &Tally[T]{numbers: as.numbers, counts: make([]int, len(as.counts)), length: len(b)}
	for _, element := range b {
		if number, known := bs.numbers[element]; known {
			bs.counts[number]++
		}
	}
	return as, bs
}

// Shared is the ratio that two sequences would have if what they share stood in one order.
func (t *Tally[T]) Shared(u *Tally[T]) float64 { return ratio(t.common(u), t.length, u.length) }

// common is the number of elements that two sequences share, in any order.
func (t *Tally[T]) common(u *Tally[T]) int {
	n := 0
	t.each(u, func(in, inOther int) { n += min(in, inOther) })
	return n
}

// each calls use with how often each element that both know occurs in either.
func (t *Tally[T]) each(u *Tally[T], use func(in, inOther int)) {
	for element, number := range t.numbers {
		if other, known := u.numbers[element]; known {
			use(t.counts[number], u.counts[other])
		}
	}
}
