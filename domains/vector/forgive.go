package vector

import (
	"cmp"
	"slices"

	"agentd/domains"
)

// forgives makes up for what is only known from both sides: which groups are
// still there, and in which order several files make up one drawing.
func forgives(reference, candidate []domains.Element) ([]domains.Element, []domains.Element) {
	refNests, gotNests := nestsOf(reference), nestsOf(candidate)
	common := map[string]bool{"": true}
	for key := range refNests {
		if _, ok := gotNests[key]; ok {
			common[key] = true
		}
	}
	refs := refNests.within(reference, common)
	gots := gotNests.within(candidate, common)
	if fileOf(gots) > 0 {
		gots = inOrder(gots, refs)
	} else if fileOf(refs) > 0 {
		refs = inOrder(refs, gots)
	}
	return onePlace(refs), onePlace(gots)
}

// nests are the keys of elements, with the key of what each stands in.
type nests map[string]string

func nestsOf(elements []domains.Element) nests {
	n := nests{}
	wanted := map[string]bool{}
	for i := range elements {
		if in, ok := nestOf(&elements[i]); ok {
			wanted[in] = true
		}
	}
	for i := range elements {
		e := &elements[i]
		if in, ok := nestOf(e); ok && isNest(e) || wanted[e.Key] {
			if _, known := n[e.Key]; !known {
				n[e.Key] = in
			}
		}
	}
	return n
}

// isNest reports whether other elements may stand in an element.
func isNest(e *domains.Element) bool {
	switch e.Value("element") {
	case "g", "a", "svg", "symbol", "switch", "text", "tspan":
		return true
	}
	return false
}

// nestOf is the key of what an element stands in.
func nestOf(e *domains.Element) (string, bool) {
	if len(e.Fields) == 0 || e.Fields[0].Name != "in" {
		return "", false
	}
	return e.Fields[0].Value, true
}

// within says of each element in which of the common nests it stands: that a
// group was lost or added is one change, not one of each element in it.
func (n nests) within(elements []domains.Element, common map[string]bool) []domains.Element {
	var copied []domains.Element
	for i := range elements {
		in, ok := nestOf(&elements[i])
		if !ok || common[in] {
			continue
		}
		if copied == nil {
			copied = slices.Clone(elements)
		}
		fields := slices.Clone(elements[i].Fields)
		fields[0].Value = n.nearest(in, common)
		copied[i].Fields = fields
	}
	if copied == nil {
		return elements
	}
	return copied
}

// nearest is the first of the nests around one that is common.
func (n nests) nearest(in string, common map[string]bool) string {
	const deepest = 256
	for range deepest {
		if common[in] {
			return in
		}
		in = n[in]
	}
	return ""
}

// fileOf is the number of the last file of a document.
func fileOf(elements []domains.Element) int {
	last := 0
	for i := range elements {
		last = max(last, elements[i].Position>>fileShift)
	}
	return last
}

// inOrder puts the files of a document into the order in which most of what they
// have stands on the other side: names say nothing about what lies on top.
func inOrder(elements, other []domains.Element) []domains.Element {
	places := map[string]int{}
	for i := range other {
		if e := &other[i]; e.Kind == counted {
			if _, known := places[e.Key]; !known {
				places[e.Key] = e.Position
			}
		}
	}
	known := make([][]int, fileOf(elements)+1) // the places of what a file has
	for i := range elements {
		if place, ok := places[elements[i].Key]; ok && elements[i].Kind == counted {
			file := elements[i].Position >> fileShift
			known[file] = append(known[file], place)
		}
	}
	files := make([]int, len(known))
	for n := range files {
		files[n] = n
	}
	slices.SortStableFunc(files, func(a, b int) int { return cmp.Compare(median(known[a]), median(known[b])) })
	rank := make([]int, len(files))
	for place, file := range files {
		rank[file] = place
	}
	ordered := slices.Clone(elements)
	for i := range ordered {
		at := ordered[i].Position
		ordered[i].Position = rank[at>>fileShift]<<fileShift | at&(1<<fileShift-1)
	}
	return ordered
}

func median(places []int) int {
	if len(places) == 0 {
		return 0
	}
	slices.Sort(places)
	return places[len(places)/2]
}

// onePlace numbers the elements of all files through.
func onePlace(elements []domains.Element) []domains.Element {
	if fileOf(elements) == 0 {
		return elements
	}
	numbered := slices.Clone(elements)
	order := make([]int, len(numbered))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(numbered[a].Position, numbered[b].Position) })
	place := 0
	for _, i := range order {
		if numbered[i].Position > 0 {
			place++
			numbered[i].Position = place
		}
	}
	return numbered
}
