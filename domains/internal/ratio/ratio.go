// Package ratio is the Ratcliff/Obershelp similarity that the published evaluators use: 2M / (|a| + |b|), M the summed
// length of the matching blocks found by taking the longest common block (of equals the earliest in a, then the
// earliest in b) and going on to both sides of it.
//
// The reference is always the first sequence: the ratio is not symmetric. With the popularity heuristic on, and a
// second sequence of 200 elements or more, elements that make up more than 1 % of it plus one cannot start a block,
// though a block that was found still grows over them. Text is compared by code points.
package ratio

import (
	"math"

	"agentd/domains/internal/notes"
)

// popularFrom is the length of the second sequence from which the popularity heuristic acts.
const popularFrom = 200

// mostOf is how often an element may occur in a second sequence of that length and
// still start a block, by the popularity heuristic.
func mostOf(length int) int {
	if length < popularFrom {
		return length
	}
	return length/100 + 1
}

// Of returns the ratio of two texts with the popularity heuristic.
func Of(a, b string) float64 {
	if a == b {
		return 1
	}
	return Prepare(b).Ratio(a)
}

// Share is Of, 1 for equal texts. Of texts the product of whose lengths is above
// 2^30 bytes it is what they share, as Bounded has it.
func Share(a, b string, noted *notes.Notes) float64 {
	return BoundedText(a, b, Limits{Work: 1 << 30}, noted)
}

// Plain returns the ratio of two texts without the popularity heuristic. Texts of a whole document are compared in
// little time; where long ones have too many equal passages, what is left after 33,554,432 steps is compared by the
// code points that it shares, and noted says so.
func Plain(a, b string, noted *notes.Notes) float64 {
	if a == b {
		return 1
	}
	x, y := []rune(a), []rune(b)
	return ratio(matchedLong(x, y, noted), len(x), len(y))
}

// Tokens returns the ratio of two sequences, each element being one token.
func Tokens[T comparable](a, b []T, popularity bool) float64 {
	return ratio(blocks(a, b, popularity), len(a), len(b))
}

// Blocks calls do with the blocks that Tokens counts: where each begins in a and b, and its length.
func Blocks[T comparable](a, b []T, popularity bool, do func(i, j, size int)) {
	x, numbers := indexFor(a, b, popularity)
	x.eachBlock(numbers, math.MaxInt, do)
}

// ratio follows the order of operations of the original, so that equal ratios are equal numbers.
func ratio(matched, a, b int) float64 {
	if a+b == 0 {
		return 1
	}
	return 2 * float64(matched) / float64(a+b)
}

// Text is a second sequence prepared for many comparisons. It is not safe for concurrent use.
type Text struct {
	runes   []rune
	bits    *bitRows // for texts of at most bitWidth code points
	index   *index   // for longer ones, once needed
	numbers *runeNumbers
}

// Prepare makes b ready to be compared, as the second sequence.
func Prepare(b string) *Text { return prepared([]rune(b)) }

func prepared(b []rune) *Text {
	t := &Text{runes: b}
	if len(t.runes) <= bitWidth {
		t.bits = newBitRows(t.runes)
	}
	return t
}

// Ratio returns the ratio of a and the prepared text, with the popularity heuristic.
func (t *Text) Ratio(a string) float64 { return t.RatioRunes([]rune(a)) }

// RatioRunes is Ratio for a text already split into code points.
func (t *Text) RatioRunes(a []rune) float64 {
	if t.bits != nil {
		return ratio(t.bits.matched(a), len(a), len(t.runes))
	}
	matched, _ := t.indexed().matched(t.numbered(a), math.MaxInt)
	return ratio(matched, len(a), len(t.runes))
}

// indexed is the index of the text.
func (t *Text) indexed() *index {
	if t.index == nil {
		t.numbers = &runeNumbers{}
		numbers := numbered(t.runes, t.numbers.take)
		t.index = newIndex(numbers, t.numbers.count, true)
	}
	return t.index
}

// numbered are the numbers of the code points of a first sequence.
func (t *Text) numbered(a []rune) []int32 {
	x := t.indexed()
	numbers := numbered(a, t.numbers.find)
	x.markPopular(numbers)
	return numbers
}

// longest is the number of code points up to which Long compares texts as a
// whole. A document of 50,000 tokens is not much longer.
const longest = 1 << 17

// Long is Of for texts that may be very long: equal ones take linear time (of them it is 1: the first block grows over
// all, even if nothing is rare), and of others only the first 131,072 code points are compared, and noted says so.
func Long(a, b string, noted *notes.Notes) float64 {
	if a == b {
		return 1
	}
	a, b = Beginning(a, noted), Beginning(b, noted)
	if a == b {
		return 1
	}
	return Of(a, b)
}

// Beginning is a text up to the length that Long compares; noted says that it was cut.
func Beginning(text string, noted *notes.Notes) string {
	if len(text) <= longest {
		return text
	}
	count := 0
	for at := range text {
		if count == longest {
			noted.Add(notes.Beginnings)
			return text[:at]
		}
		count++
	}
	return text
}
