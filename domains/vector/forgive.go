package vector

import (
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

// isNest reports whether other elements may stand in an element, which may have
// been emptied.
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
