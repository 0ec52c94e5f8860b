package mathlean

import (
	"cmp"
	"slices"

	"agentd/domains"
)

// inOneOrder puts the files of a document that was divided in the order in which
// the other side has what is in them: files have no order of their own. Elements
// of several files have positions fileStride apart.
func inOneOrder(reference, candidate []domains.Element) (ref, got []domains.Element) {
	ref, got = reference, candidate
	refFiles, gotFiles := divided(ref), divided(got)
	if len(refFiles) > 1 {
		if len(gotFiles) == 1 {
			ref = ordered(refFiles, placesIn(got))
		} else {
			ref = ordered(refFiles, nil)
		}
	}
	if len(gotFiles) > 1 {
		got = ordered(gotFiles, placesIn(ref))
	}
	return ref, got
}

// divided are the elements by files.
func divided(elements []domains.Element) [][]domains.Element {
	var files [][]domains.Element
	start, file := 0, 0
	for i := range elements {
		if e := &elements[i]; e.Position > 0 && e.Position/fileStride != file {
			if i > start {
				files = append(files, elements[start:i])
			}
			start, file = i, e.Position/fileStride
		}
	}
	return append(files, elements[start:])
}

type known struct{ kind, key string }

// placesIn says where each element first stands.
func placesIn(elements []domains.Element) map[known]int {
	places := map[known]int{}
	for i := range elements {
		e := known{elements[i].Kind, elements[i].Key}
		if _, seen := places[e]; !seen && elements[i].Kind != importElement {
			places[e] = i
		}
	}
	return places
}

// ordered joins files by the first place at which the other side has something
// of them, and renumbers the elements. Files that share nothing come last.
func ordered(files [][]domains.Element, places map[known]int) []domains.Element {
	type ranked struct {
		elements []domains.Element
		first    int
	}
	all := make([]ranked, len(files))
	total := 0
	for n, elements := range files {
		all[n] = ranked{elements, firstPlace(elements, places)}
		total += len(elements)
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(a.first, b.first) })
	joined := make([]domains.Element, 0, total)
	numbers := map[string]int{} // by kind
	for _, file := range all {
		for _, e := range file.elements {
			if e.Position > 0 {
				numbers[e.Kind]++
				e.Position = numbers[e.Kind]
			}
			joined = append(joined, e)
		}
	}
	return joined
}

// firstPlace is the first place of a file's declarations or, if it has none that
// are known, of anything in it.
func firstPlace(elements []domains.Element, places map[known]int) int {
	declaration, first := len(places), len(places)
	for i := range elements {
		e := &elements[i]
		if at, ok := places[known{e.Kind, e.Key}]; ok {
			first = min(first, at)
			if isDeclaration(e) {
				declaration = min(declaration, at)
			}
		}
	}
	if declaration < len(places) {
		return declaration
	}
	return first
}
