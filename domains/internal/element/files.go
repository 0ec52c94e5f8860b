package element

import (
	"cmp"
	"math"
	"slices"

	"agentd/domains/internal/lists"
)

// fileBits is how many bits of a position say the place in a file.
const fileBits = 24

// InFile is the position of an element in one of several files, both counted from 0 and 1: the order in a file
// has meaning, and that of files is taken out by AlignFiles. Of the first file it is the place itself.
func InFile(file, place int) int { return file<<fileBits + min(place, 1<<fileBits-1) }

// AlignFiles numbers the elements of a kind whose positions are by InFile. The files of the reference follow
// one another in order, and so do those of the candidate, unless more of its elements are in the reference's
// order where files are sorted by what the reference has of them first.
func AlignFiles(reference, candidate []Element, kind string) (ref, got []Element) {
	if !divided(reference, kind) && !divided(candidate, kind) {
		return reference, candidate
	}
	asNamed := func(a, b int) int { return a - b }
	ref, got = numbered(reference, kind, asNamed), numbered(candidate, kind, asNamed)
	var d digester
	places := map[uint64]int{}
	for i := range ref {
		if ref[i].Kind == kind {
			if label := d.digest(&ref[i]); places[label] == 0 {
				places[label] = ref[i].Position
			}
		}
	}
	first, was := map[int]int{}, make([]int, len(candidate)) // places in the reference, 0 if it has no such element
	for i := range candidate {
		if e := &candidate[i]; e.Kind == kind {
			file := e.Position >> fileBits
			if _, met := first[file]; !met {
				first[file] = math.MaxInt
			}
			if was[i] = places[d.digest(e)]; was[i] > 0 {
				first[file] = min(first[file], was[i])
			}
		}
	}
	sorted := numbered(candidate, kind, func(a, b int) int { return cmp.Or(cmp.Compare(first[a], first[b]), a-b) })
	if placesKept(sorted, was) > placesKept(got, was) {
		return ref, sorted
	}
	return ref, got
}

// placesKept is the number of elements that are in order, by their places in a reference.
func placesKept(all []Element, was []int) int {
	var known []int
	for i := range all {
		if was[i] > 0 {
			known = append(known, i)
		}
	}
	slices.SortStableFunc(known, func(a, b int) int { return all[a].Position - all[b].Position })
	return len(lists.Rising(lists.Map(known, func(i int) int { return was[i] })))
}

// divided reports whether elements of a kind are in several files.
func divided(all []Element, kind string) bool {
	return slices.ContainsFunc(all, func(e Element) bool { return e.Kind == kind && e.Position>>fileBits > 0 })
}

// numbered returns the elements with their places in all files, which are in some order.
func numbered(all []Element, kind string, order func(a, b int) int) []Element {
	var files []int
	counts := map[int]int{}
	for i := range all {
		if all[i].Kind == kind && all[i].Position > 0 {
			file := all[i].Position >> fileBits
			if counts[file]++; counts[file] == 1 {
				files = append(files, file)
			}
		}
	}
	slices.SortStableFunc(files, order)
	before, sum := map[int]int{}, 0
	for _, file := range files {
		before[file] = sum
		sum += counts[file]
	}
	result := slices.Clone(all)
	for i := range result {
		if e := &result[i]; e.Kind == kind && e.Position > 0 {
			file := e.Position >> fileBits
			e.Position = before[file] + e.Position - file<<fileBits
		}
	}
	return result
}
