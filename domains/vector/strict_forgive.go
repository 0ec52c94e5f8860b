package vector

import (
	"slices"

	"agentd/domains"
)

// forgives makes up for what is only known from both sides: which groups are
// still there, and in which order several files make up one drawing.
func forgives(reference, candidate []domains.Element) ([]domains.Element, []domains.Element) {
	refs, gots := inCommonNests(reference, candidate)
	if fileOf(gots) > 0 {
		gots = inOrder(gots, refs)
	} else if fileOf(refs) > 0 {
		refs = inOrder(refs, gots)
	}
	return onePlace(refs), onePlace(gots)
}

// inCommonNests says of each element in which nest it stands of those that both
// sides have: that a group was lost or added is one change, not one of each
// element in it.
func inCommonNests(reference, candidate []domains.Element) (refs, gots []domains.Element) {
	used := map[string]bool{"": true}
	collectNests(used, reference)
	collectNests(used, candidate)
	if len(used) == 1 {
		return reference, candidate
	}
	refNests, gotNests := nestsOf(reference, used), nestsOf(candidate, used)
	common := map[string]bool{"": true}
	for key := range refNests {
		if _, ok := gotNests[key]; ok {
			common[key] = true
		}
	}
	return refNests.within(reference, common), gotNests.within(candidate, common)
}

// collectNests notes the keys of what elements stand in.
func collectNests(used map[string]bool, elements []domains.Element) {
	last := ""
	for i := range elements {
		if in, ok := nestOf(&elements[i]); ok && in != last {
			used[in] = true
			last = in
		}
	}
}

// nests are the keys of elements in which others stand, each with the key of what
// it stands in itself.
type nests map[string]string

func nestsOf(elements []domains.Element, used map[string]bool) nests {
	n := nests{}
	for i := range elements {
		key := elements[i].Key
		if in, ok := nestOf(&elements[i]); ok && used[key] {
			if _, known := n[key]; !known {
				n[key] = in
			}
		}
	}
	return n
}

// nestOf is the key of what an element stands in.
func nestOf(e *domains.Element) (string, bool) {
	if len(e.Fields) == 0 || e.Fields[0].Name != "in" {
		return "", false
	}
	return e.Fields[0].Value, true
}

// within gives each element the nearest common nest.
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
