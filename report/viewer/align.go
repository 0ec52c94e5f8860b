package viewer

import (
	"slices"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// align compares two lists of lines or words. It first matches the longest common
// sequence of items that occur once in each list (patience diff). Between these it looks
// for the longest common subsequence, up to a limit. So the time is about linear.
func align(a, b []string) []lcs.Diff {
	x, y, different := numbered(a, b)
	var all []lcs.Diff
	i, j := 0, 0
	between := func(endA, endB int) {
		for _, d := range lcs.DiffRunes(x[i:endA], y[j:endB]) {
			all = append(all, lcs.Diff{Start: i + d.Start, End: i + d.End, ReplStart: j + d.ReplStart, ReplEnd: j + d.ReplEnd})
		}
	}
	for _, anchor := range anchors(x, y, different) {
		between(anchor.a, anchor.b)
		i, j = anchor.a+1, anchor.b+1
	}
	between(len(x), len(y))
	return all
}

// numbered gives equal items equal numbers, from 0 to below different.
func numbered(a, b []string) (x, y []rune, different int) {
	numbers := make(map[string]rune, len(a))
	of := func(items []string) []rune {
		out := make([]rune, len(items))
		for i, item := range items {
			n, known := numbers[item]
			if !known {
				n = rune(len(numbers))
				numbers[item] = n
			}
			out[i] = n
		}
		return out
	}
	x, y = of(a), of(b)
	return x, y, len(numbers)
}

// anchors returns the positions of items that occur once in each list: the largest set
// that is in the same order in both.
func anchors(x, y []rune, different int) []paired {
	type places struct{ inX, inY, at int }
	of := make([]places, different)
	for _, n := range x {
		of[n].inX++
	}
	for j, n := range y {
		of[n].inY++
		of[n].at = j
	}
	var unique []paired
	for i, n := range x {
		if of[n].inX == 1 && of[n].inY == 1 {
			unique = append(unique, paired{i, of[n].at})
		}
	}
	return longestRising(unique)
}

// longestRising returns a longest increasing subsequence by b of a list that is sorted by a.
func longestRising(all []paired) []paired {
	var ends []int // ends[n] is the item with the least b that ends a rise of n+1
	before := make([]int, len(all))
	for i, p := range all {
		n, _ := slices.BinarySearchFunc(ends, p.b, func(end, b int) int { return all[end].b - b })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	rise := make([]paired, len(ends))
	if len(ends) > 0 {
		for n, i := len(ends)-1, ends[len(ends)-1]; i >= 0; n, i = n-1, before[i] {
			rise[n] = all[i]
		}
	}
	return rise
}
