// Package ratio is the Ratcliff/Obershelp similarity that the published
// evaluators use: 2M / (|a| + |b|), M the summed length of the matching blocks
// found by taking the longest common block (of equals the earliest in a, then
// the earliest in b) and going on to both sides of it.
//
// The reference is always the first sequence: the ratio is not symmetric. With
// the popularity heuristic on, and a second sequence of 200 elements or more,
// elements that make up more than 1 % of it plus one cannot start a block,
// though a block that was found still grows over them. Text is compared by
// code points.
package ratio

import "agentd/domains/internal/notes"

// popularFrom is the length of the second sequence from which the popularity
// heuristic acts.
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
func Of(a, b string) float64 { return Prepare(b).Ratio(a) }

// Share is Of, 1 for equal texts. Of texts the product of whose lengths is above
// 2^30 bytes it is what they share, as Bounded has it.
func Share(a, b string, noted *notes.Notes) float64 {
	return BoundedText(a, b, Limits{Work: 1 << 30}, noted)
}

// Plain returns the ratio of two texts without the popularity heuristic. Texts of
// a whole document are compared in little time; where long ones have too many
// equal passages, what is left after 33,554,432 steps is compared by the code
// points that it shares, and noted says so.
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

// ratio follows the order of operations of the original, so that equal ratios
// are equal numbers.
func ratio(matched, a, b int) float64 {
	if a+b == 0 {
		return 1
	}
	return 2 * float64(matched) / float64(a+b)
}

// Text is a second sequence prepared for many comparisons. It is not safe for
// concurrent use.
type Text struct {
	runes []rune
	bits  *bitRows // for texts of at most bitWidth code points
	index *index[rune]
}

// Prepare makes b ready to be compared, as the second sequence.
func Prepare(b string) *Text {
	t := &Text{runes: []rune(b)}
	if len(t.runes) <= bitWidth {
		t.bits = newBitRows(t.runes)
	}
	return t
}

// Ratio returns the ratio of a and the prepared text, with the popularity
// heuristic.
func (t *Text) Ratio(a string) float64 { return t.RatioRunes([]rune(a)) }

// RatioRunes is Ratio for a text already split into code points.
func (t *Text) RatioRunes(a []rune) float64 {
	if t.bits != nil {
		return ratio(t.bits.matched(a), len(a), len(t.runes))
	}
	if t.index == nil {
		t.index = newIndex(t.runes, true)
	}
	return ratio(t.index.matched(a), len(a), len(t.runes))
}

// window is a pair of half-open ranges still to be searched.
type window struct{ alo, ahi, blo, bhi int }

// blocks returns the summed length of the matching blocks.
func blocks[T comparable](a, b []T, popularity bool) int {
	if len(a) < len(b) {
		return newIndexOf(a, b, popularity).matched(a)
	}
	return newIndex(b, popularity).matched(a)
}

// index is a second sequence prepared for matching.
type index[T comparable] struct {
	b []T
	// Elements of b are numbered; places[id] lists where each stands in b.
	ids    map[T]int32
	places [][]int32
	// runs[j+1] is the length of the run of equal elements that ends at the
	// row in hand and at b[j]. Both are all zero between matchings.
	runs, next []int32
}

func newIndex[T comparable](b []T, popularity bool) *index[T] {
	x := &index[T]{b: b, ids: make(map[T]int32, min(len(b), 1<<10))}
	for j, element := range b {
		id := x.id(element)
		x.places[id] = append(x.places[id], int32(j))
	}
	x.finish(popularity)
	return x
}

// newIndexOf prepares b for the matching of a alone, for which the elements
// that only b has need no places.
func newIndexOf[T comparable](a, b []T, popularity bool) *index[T] {
	x := &index[T]{b: b, ids: make(map[T]int32, min(len(a), 1<<10))}
	for _, element := range a {
		x.id(element)
	}
	for j, element := range b {
		if id, wanted := x.ids[element]; wanted {
			x.places[id] = append(x.places[id], int32(j))
		}
	}
	x.finish(popularity)
	return x
}

// id is the number of an element, a new one if it has none.
func (x *index[T]) id(element T) int32 {
	id, known := x.ids[element]
	if !known {
		id = int32(len(x.places))
		x.ids[element] = id
		x.places = append(x.places, nil)
	}
	return id
}

func (x *index[T]) finish(popularity bool) {
	if most := mostOf(len(x.b)); popularity && most < len(x.b) {
		for id := range x.places {
			if len(x.places[id]) > most {
				x.places[id] = nil
			}
		}
	}
	x.runs, x.next = make([]int32, len(x.b)+1), make([]int32, len(x.b)+1)
}

// matched returns the summed length of the matching blocks of a and b.
func (x *index[T]) matched(a []T) int {
	inB := make([][]int32, len(a))
	for i, element := range a {
		if id, ok := x.ids[element]; ok {
			inB[i] = x.places[id]
		}
	}
	b, runs, next := x.b, x.runs, x.next
	matched := 0
	todo := []window{{0, len(a), 0, len(b)}}
	for len(todo) > 0 {
		w := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		i, j, size := w.alo, w.blo, 0
		var before []int32
		for row := w.alo; row < w.ahi; row++ {
			here := clip(inB[row], w.blo, w.bhi)
			for _, col := range here {
				run := runs[col] + 1
				next[col+1] = run
				if int(run) > size {
					i, j, size = row-int(run)+1, int(col)-int(run)+1, int(run)
				}
			}
			for _, col := range before {
				runs[col+1] = 0
			}
			runs, next = next, runs
			before = here
		}
		for _, col := range before {
			runs[col+1] = 0
		}
		for i > w.alo && j > w.blo && a[i-1] == b[j-1] {
			i, j, size = i-1, j-1, size+1
		}
		for i+size < w.ahi && j+size < w.bhi && a[i+size] == b[j+size] {
			size++
		}
		if size == 0 {
			continue
		}
		matched += size
		if w.alo < i && w.blo < j {
			todo = append(todo, window{w.alo, i, w.blo, j})
		}
		if i+size < w.ahi && j+size < w.bhi {
			todo = append(todo, window{i + size, w.ahi, j + size, w.bhi})
		}
	}
	return matched
}

// clip returns the part of ascending places that lies in [lo, hi).
func clip(places []int32, lo, hi int) []int32 {
	for len(places) > 0 && int(places[0]) < lo {
		places = places[1:]
	}
	for len(places) > 0 && int(places[len(places)-1]) >= hi {
		places = places[:len(places)-1]
	}
	return places
}
