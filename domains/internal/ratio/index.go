package ratio

import "math"

// window is a pair of half-open ranges still to be searched.
type window struct{ alo, ahi, blo, bhi int }

// blocks returns the summed length of the matching blocks.
func blocks[T comparable](a, b []T, popularity bool) int {
	x, numbers := indexFor(a, b, popularity)
	matched, _ := x.matched(numbers, math.MaxInt)
	return matched
}

// indexFor prepares b for a comparison with a, whose elements it numbers, too. Only the
// elements of the shorter sequence are remembered, so that the other may be very long.
func indexFor[T comparable](a, b []T, popularity bool) (x *index, numbers []int32) {
	known := make(map[T]int32, min(len(a), len(b), 1<<10))
	take := func(element T) int32 {
		number, ok := known[element]
		if !ok {
			number = int32(len(known))
			known[element] = number
		}
		return number
	}
	find := func(element T) int32 {
		if number, ok := known[element]; ok {
			return number
		}
		return absent
	}
	var numbersOfB []int32
	if len(a) < len(b) {
		numbers = numbered(a, take)
		numbersOfB = numbered(b, find)
	} else {
		numbersOfB = numbered(b, take)
		numbers = numbered(a, find)
	}
	x = newIndex(numbersOfB, len(known), popularity)
	x.markPopular(numbers)
	return x, numbers
}

// numbered lists the numbers of a sequence's elements.
func numbered[T comparable](elements []T, number func(T) int32) []int32 {
	numbers := make([]int32, len(elements))
	for k, element := range elements {
		numbers[k] = number(element)
	}
	return numbers
}

// absent is the number of elements that only one sequence has.
const absent = -1

// runeNumbers numbers code points.
type runeNumbers struct {
	ascii [128]int32 // 1 + the number; 0 if there is none
	other map[rune]int32
	count int
}

// take is the number of a code point, a new one if it has none.
func (n *runeNumbers) take(r rune) int32 {
	if number := n.find(r); number != absent {
		return number
	}
	n.count++
	if r >= 0 && int(r) < len(n.ascii) {
		n.ascii[r] = int32(n.count)
	} else {
		if n.other == nil {
			n.other = map[rune]int32{}
		}
		n.other[r] = int32(n.count)
	}
	return int32(n.count - 1)
}

// find is the number of a code point, absent if it has none.
func (n *runeNumbers) find(r rune) int32 {
	if r >= 0 && int(r) < len(n.ascii) {
		return n.ascii[r] - 1
	}
	return n.other[r] - 1
}

// index is a second sequence prepared for matching. Elements are given by their numbers.
type index struct {
	b []int32 // popular ones as popular has them
	// The number n stands in b at places[first[n]:first[n+1]]; popular ones are not listed.
	first, places []int32
}

// popular is how the number of an element that cannot start a block is written. It is its own inverse.
func popular(number int32) int32 { return -2 - number }

// newIndex prepares a sequence, which it keeps, of numbers below count.
func newIndex(b []int32, count int, popularity bool) *index {
	first := make([]int32, count+1)
	for _, number := range b {
		if number != absent {
			first[number]++
		}
	}
	if most := mostOf(len(b)); popularity && most < len(b) {
		for j, number := range b {
			if number != absent && first[number] > int32(most) {
				b[j] = popular(number)
			}
		}
		for number, n := range first {
			if n > int32(most) {
				first[number] = 0
			}
		}
	}
	end := int32(0)
	for number, n := range first {
		end += n
		first[number] = end
	}
	places := make([]int32, end)
	for j := len(b) - 1; j >= 0; j-- {
		if number := b[j]; number >= 0 {
			first[number]--
			places[first[number]] = int32(j)
		}
	}
	return &index{b, first, places}
}

// places are where an element that may start a block stands in b.
func (x *index) placesOf(number int32) []int32 { return x.places[x.first[number]:x.first[number+1]] }

// markPopular rewrites the numbers of a first sequence as those of b are written.
func (x *index) markPopular(a []int32) {
	for i, number := range a {
		if number != absent && x.first[number] == x.first[number+1] {
			a[i] = popular(number)
		}
	}
}

// startingPairs is the number of pairs of equal elements that may begin a matching block.
func (x *index) startingPairs(a []int32) int {
	n := 0
	for _, number := range a {
		if number >= 0 {
			n += len(x.placesOf(number))
		}
	}
	return n
}

// matched returns the summed length of the matching blocks of a and b. It gives up after so many steps, which are
// the pairs of equal elements that it looks at.
func (x *index) matched(a []int32, steps int) (matched int, done bool) {
	if done = x.eachBlock(a, steps, func(_, _, size int) { matched += size }); !done {
		return 0, false
	}
	return matched, true
}

// eachBlock calls do with where each matching block begins in a and b, and its length.
func (x *index) eachBlock(a []int32, steps int, do func(i, j, size int)) (done bool) {
	b := x.b
	todo := []window{{0, len(a), 0, len(b)}}
	for len(todo) > 0 {
		w := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		i, j, size := x.longest(a, w, &steps)
		if steps < 0 {
			return false
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
		do(i, j, size)
		if w.alo < i && w.blo < j {
			todo = append(todo, window{w.alo, i, w.blo, j})
		}
		if i+size < w.ahi && j+size < w.bhi {
			todo = append(todo, window{i + size, w.ahi, j + size, w.bhi})
		}
	}
	return true
}

// longest returns the longest run of equal elements in a window none of which is popular: of equals the earliest in a,
// then the earliest in b. A run that is longer than the longest so far stands on one of every size+1 rows, so
// the rows between are passed over.
func (x *index) longest(a []int32, w window, steps *int) (i, j, size int) {
	b := x.b
	i, j = w.alo, w.blo
	for row := w.alo; row < w.ahi && *steps >= 0; row += size + 1 {
		number := a[row]
		if number < 0 {
			continue
		}
		for _, place := range within(x.placesOf(number), w.blo, w.bhi) {
			col := int(place)
			before := 0
			for row-before > w.alo && col-before > w.blo && a[row-before-1] == b[col-before-1] && a[row-before-1] >= 0 {
				before++
			}
			after := 1
			for row+after < w.ahi && col+after < w.bhi && a[row+after] == b[col+after] && a[row+after] >= 0 {
				after++
			}
			*steps -= before + after
			run, start, at := before+after, row-before, col-before
			if run > size || run == size && (start < i || start == i && at < j) {
				i, j, size = start, at, run
			}
		}
	}
	return i, j, size
}
