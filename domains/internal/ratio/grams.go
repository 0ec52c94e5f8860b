package ratio

import (
	"slices"

	"agentd/domains/internal/notes"
)

// gramLengths are the lengths of the runs of elements by which blocks are found, longest first. A block of at least
// that many elements is a run of equal grams, and of long grams there are few equal pairs.
var gramLengths = [...]int{32, 12, 6, 3, 1}

// mostSteps is the number of pairs of equal grams, and of places that were looked
// at, beyond which what is left is compared by the elements that it shares.
const mostSteps = 1 << 25

// smallWindow is the product of the lengths of two passages up to which their grams are not worth listing.
const smallWindow = 1 << 16

// grams finds the matching blocks of two long texts without the popularity heuristic.
type grams struct {
	a, b       []rune
	levels     [len(gramLengths)]*gramLevel // nil until needed
	runs, next []int32                      // as in index
	steps      int
}

// gramLevel is where grams of one length stand.
type gramLevel struct {
	length int
	rows   []int32 // the places in a of grams that b has, too
	ids    []int32 // of the grams at rows
	// The gram id stands in b at places[first[id]:first[id+1]].
	first, places []int32
}

// gramWindow is a window in which no grams longer than those of a level are shared.
type gramWindow struct {
	window
	level int
}

// fewSteps is how many pairs of equal elements are looked at before long texts are compared by their grams: texts
// that are much alike need no more.
const fewSteps = 1 << 19

// matchedLong returns the summed length of the matching blocks of a and b. After
// mostSteps it counts, in the windows that are left, what they share in any order.
func matchedLong(a, b []rune, noted *notes.Notes) int {
	var known runeNumbers
	second := numbered(b, known.take)
	x := newIndex(second, known.count, false)
	if matched, done := x.matched(numbered(a, known.find), fewSteps); done {
		return matched
	}
	return matchedByGrams(a, b, noted)
}

func matchedByGrams(a, b []rune, noted *notes.Notes) int {
	g := grams{a: a, b: b}
	matched := 0
	todo := []gramWindow{{window{0, len(a), 0, len(b)}, 0}}
	for len(todo) > 0 {
		w := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch {
		case w.alo == w.ahi || w.blo == w.bhi:
			continue
		case g.steps > mostSteps:
			as, bs := tallies(a[w.alo:w.ahi], b[w.blo:w.bhi])
			matched += as.common(bs)
			continue
		case w.bhi-w.blo <= bitWidth && w.ahi-w.alo <= bitWidth:
			g.steps += w.ahi - w.alo
			matched += newBitRows(b[w.blo:w.bhi]).matched(a[w.alo:w.ahi])
			continue
		case (w.ahi-w.alo)*(w.bhi-w.blo) <= smallWindow:
			g.steps += w.ahi - w.alo + w.bhi - w.blo
			matched += blocks(a[w.alo:w.ahi], b[w.blo:w.bhi], false)
			continue
		}
		i, j, size := g.longest(&w)
		if size == 0 {
			continue
		}
		matched += size
		todo = append(todo,
			gramWindow{window{w.alo, i, w.blo, j}, w.level},
			gramWindow{window{i + size, w.ahi, j + size, w.bhi}, w.level})
	}
	noted.AddIf(g.steps > mostSteps, notes.AnyOrder)
	return matched
}

// longest returns the longest block in a window, of equals the earliest in a, then
// the earliest in b, and notes the level on which it was found.
func (g *grams) longest(w *gramWindow) (i, j, size int) {
	for ; w.level < len(gramLengths); w.level++ {
		if g.levels[w.level] == nil {
			g.levels[w.level] = newGramLevel(g.a, g.b, gramLengths[w.level])
			g.steps += len(g.a) + len(g.b)
		}
		if i, j, size = g.longestOf(g.levels[w.level], w.window); size > 0 {
			break
		}
	}
	return i, j, size
}

func (g *grams) longestOf(level *gramLevel, w window) (i, j, size int) {
	w.ahi -= level.length - 1
	w.bhi -= level.length - 1
	if w.alo >= w.ahi || w.blo >= w.bhi {
		return 0, 0, 0
	}
	if g.runs == nil {
		g.runs, g.next = make([]int32, len(g.b)+1), make([]int32, len(g.b)+1)
	}
	runs, next := g.runs, g.next
	var before []int32
	from, _ := slices.BinarySearch(level.rows, int32(w.alo))
	for k := from; k < len(level.rows) && int(level.rows[k]) < w.ahi; k++ {
		row, id := int(level.rows[k]), level.ids[k]
		if k > from && int(level.rows[k-1]) != row-1 {
			for _, col := range before {
				runs[col+1] = 0
			}
			before = nil
		}
		here := within(level.places[level.first[id]:level.first[id+1]], w.blo, w.bhi)
		if g.steps += 1 + len(here); g.steps > mostSteps {
			break // with the longest so far
		}
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
	if size > 0 {
		size += level.length - 1
	}
	return i, j, size
}

// within is clip by halving.
func within(places []int32, lo, hi int) []int32 {
	if len(places) > 0 && int(places[0]) < lo {
		at, _ := slices.BinarySearch(places, int32(lo))
		places = places[at:]
	}
	if len(places) > 0 && int(places[len(places)-1]) >= hi {
		at, _ := slices.BinarySearch(places, int32(hi))
		places = places[:at]
	}
	return places
}

// newGramLevel lists the grams that both texts have. Those of the shorter text are
// numbered, so that the other may be very long.
func newGramLevel(a, b []rune, length int) *gramLevel {
	shorter := a
	if len(b) < len(a) {
		shorter = b
	}
	numbered := newGramTable(shorter, length)
	level := &gramLevel{length: length, first: make([]int32, numbered.count+1)}
	var ids []int32
	ids, level.places = numbered.find(b)
	for _, id := range ids {
		level.first[id]++
	}
	end := int32(0)
	for id, count := range level.first {
		level.first[id] = end
		end += count
	}
	level.ids, level.rows = numbered.find(a)
	kept := 0
	for k, id := range level.ids {
		if level.first[id] < level.first[id+1] {
			level.ids[kept], level.rows[kept] = id, level.rows[k]
			kept++
		}
	}
	level.ids, level.rows = level.ids[:kept], level.rows[:kept]
	level.places = byID(ids, level.places, level.first)
	return level
}

// byID sorts places, which ascend, by their ids; those of an id begin at first.
func byID(ids, places, first []int32) []int32 {
	at := slices.Clone(first)
	sorted := make([]int32, len(places))
	for k, id := range ids {
		sorted[at[id]] = places[k]
		at[id]++
	}
	return sorted
}

// gramTable numbers the different grams of a text.
type gramTable struct {
	text   []rune
	length int
	slots  []gramSlot
	count  int32
}

// gramSlot holds the place of a gram in the text and its number, both counted from 1; it is empty if they are 0.
type gramSlot struct{ place, number int32 }

const gramBase = 0x9e3779b97f4a7c15 // odd, and without a pattern in its bits

func newGramTable(text []rune, length int) *gramTable {
	size := 16
	for size < 2*len(text) {
		size *= 2
	}
	t := &gramTable{text: text, length: length, slots: make([]gramSlot, size)}
	eachGram(text, length, func(place int, hash uint64) {
		if slot := t.slot(text[place:place+length], hash); slot.place == 0 {
			t.count++
			*slot = gramSlot{int32(place + 1), t.count}
		}
	})
	return t
}

// slot is where a gram is, or would be.
func (t *gramTable) slot(gram []rune, hash uint64) *gramSlot {
	mask := uint64(len(t.slots) - 1)
	for at := (hash ^ hash>>29) & mask; ; at = (at + 1) & mask {
		slot := &t.slots[at]
		if slot.place == 0 || slices.Equal(t.text[slot.place-1:int(slot.place)-1+t.length], gram) {
			return slot
		}
	}
}

// find returns the numbers, from 0, and the places of the grams of a text that the table has.
func (t *gramTable) find(text []rune) (numbers, places []int32) {
	room := min(len(text), 2*len(t.text))
	numbers, places = make([]int32, 0, room), make([]int32, 0, room)
	eachGram(text, t.length, func(place int, hash uint64) {
		if slot := t.slot(text[place:place+t.length], hash); slot.place > 0 {
			numbers = append(numbers, slot.number-1)
			places = append(places, int32(place))
		}
	})
	return numbers, places
}

// eachGram calls do with the place and a rolling hash of every gram.
func eachGram(text []rune, length int, do func(place int, hash uint64)) {
	hash, leaving := uint64(0), uint64(1) // gramBase to the power of length
	for range length {
		leaving *= gramBase
	}
	for at, r := range text {
		hash = hash*gramBase + uint64(r)
		if at >= length {
			hash -= leaving * uint64(text[at-length])
		}
		if at >= length-1 {
			do(at-length+1, hash*gramBase)
		}
	}
}
