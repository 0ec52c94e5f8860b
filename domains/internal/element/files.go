package element

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strings"
	"unicode"
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
	places := map[string]int{}
	for i := range ref {
		if ref[i].Kind == kind {
			if label := identity(&ref[i]); places[label] == 0 {
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
			if was[i] = places[identity(e)]; was[i] > 0 {
				first[file] = min(first[file], was[i])
			}
		}
	}
	sorted := numbered(candidate, kind, func(a, b int) int { return cmp.Or(cmp.Compare(first[a], first[b]), a-b) })
	if longestRun(sorted, was) > longestRun(got, was) {
		return ref, sorted
	}
	return ref, got
}

// longestRun is the number of elements that are in order, by their places in a reference.
func longestRun(all []Element, was []int) int {
	type place struct{ is, was int }
	var places []place
	for i := range all {
		if was[i] > 0 {
			places = append(places, place{all[i].Position, was[i]})
		}
	}
	slices.SortStableFunc(places, func(a, b place) int { return a.is - b.is })
	var ends []int // of runs, by their lengths
	for _, p := range places {
		at, _ := slices.BinarySearch(ends, p.was+1)
		if at == len(ends) {
			ends = append(ends, p.was)
		} else {
			ends[at] = p.was
		}
	}
	return len(ends)
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

// identity is the same for elements that have the same fields.
func identity(e *Element) string {
	fields := slices.Clone(e.Fields)
	slices.SortFunc(fields, func(a, b Field) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Value, b.Value)) })
	return fmt.Sprintf("%q", fields)
}

// spread tells apart what stands at different places of a digest.
const spread = 0x9e3779b97f4a7c15

// InOrder is a digest that is equal for elements of one kind with the same fields in the same order.
func InOrder(e *Element) uint64 { return maphash.String(seed, e.Kind)*spread + inOrder(e.Fields) }

func inOrder(fields []Field) (digest uint64) {
	for _, f := range fields {
		digest = (digest + maphash.String(seed, f.Value)) * spread
	}
	return digest
}

// inAnyOrder is a digest that is equal for the same values in any order.
func inAnyOrder(fields []Field) (digest uint64) {
	for _, f := range fields {
		digest += maphash.String(seed, f.Value) * spread
	}
	return digest
}

// MarkReordered adds a field to the elements of a candidate that have the sentences of one of the
// reference in another order. said returns the fields of an element whose order means something;
// none if it has no such. Neither list is changed.
func MarkReordered(reference, candidate []Element, said func(*Element) []Field) []Element {
	sums, orders := map[uint64]bool{}, map[uint64]bool{}
	for i := range reference {
		if fields := said(&reference[i]); len(fields) > 1 {
			sums[inAnyOrder(fields)], orders[inOrder(fields)] = true, true
		}
	}
	marked := false
	for i := range candidate {
		fields := said(&candidate[i])
		if len(fields) < 2 || !sums[inAnyOrder(fields)] || orders[inOrder(fields)] {
			continue
		}
		if !marked {
			candidate, marked = slices.Clone(candidate), true
		}
		e := &candidate[i]
		e.Fields = append(slices.Clone(e.Fields), Field{Name: "order of sentences", Value: "another"})
	}
	return candidate
}

// loses reports whether a pair of fields that differ takes something away and puts nothing in its
// place: the field is gone, its value is empty, or a number was cut out of the value.
func (p *fieldPair) loses() bool {
	switch {
	case !p.inRef || missing(p.name, p.is):
		return missing(p.name, p.is)
	case missing(p.name, p.was) || misplaced(p.name, p.was):
		return false
	case !p.inGot:
		return true
	case empty(p.is):
		return !empty(p.was)
	}
	return cutsNumber(p.was, p.is)
}

// empty reports whether a value holds nothing, in the spelling of any format: a word for nothing, or blanks, quotes,
// brackets and dashes alone.
func empty(value string) bool {
	switch value {
	case "null", "nil", "None", "nothing":
		return true
	}
	for _, c := range value {
		if !unicode.IsSpace(c) && !strings.ContainsRune("\"'`()[]{}<>-–—_~?.,;:|", c) {
			return false
		}
	}
	return true
}

// missing reports whether a field says that a part is not there which the format demands. Where such a
// field comes that part is lost, and where it goes the part is there again.
func missing(name, value string) bool {
	if strings.Trim(value, `"`) != "missing" {
		return false
	}
	switch name {
	case "end", "end of record", "end of the text", "type", "ENDMDL", "M  END", "version of the table":
		return true
	}
	return false
}

// misplaced reports whether a field says that values stand in wrong columns. Where it goes they were put right.
func misplaced(name, value string) bool {
	return value == "out of place" && (name == "columns" || strings.HasSuffix(name, " columns")) ||
		value == "lost" && strings.HasPrefix(name, "columns of ")
}

// cutsNumber reports whether words were taken out of a value, a number, a date or a code among
// them, and none was put in: "Assets:Cash 12 EUR" that becomes "Assets:Cash" has lost its amount.
func cutsNumber(was, is string) bool {
	left := strings.Fields(is)
	cut := false
	for word := range strings.FieldsSeq(was) {
		switch {
		case len(left) > 0 && word == left[0]:
			left = left[1:]
		case strings.ContainsFunc(word, unicode.IsDigit):
			cut = true
		}
	}
	return cut && len(left) == 0
}
