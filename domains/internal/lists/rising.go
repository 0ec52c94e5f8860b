package lists

import (
	"slices"
	"sort"
)

// Rising returns the places, in order, of a longest run of values none of which is smaller than the one before it.
func Rising(values []int) []int {
	var ends []int                     // ends[k] is the place of the smallest end of a run of k+1
	before := make([]int, len(values)) // the place before it in the longest run that ends at a place, -1 if it begins there
	for at, value := range values {
		k := sort.Search(len(ends), func(k int) bool { return values[ends[k]] > value })
		before[at] = -1
		if k > 0 {
			before[at] = ends[k-1]
		}
		if k == len(ends) {
			ends = append(ends, at)
		} else {
			ends[k] = at
		}
	}
	if len(ends) == 0 {
		return nil
	}
	run := make([]int, 0, len(ends))
	for at := ends[len(ends)-1]; at >= 0; at = before[at] {
		run = append(run, at)
	}
	slices.Reverse(run)
	return run
}
