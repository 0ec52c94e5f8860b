package quantum

import "agentd/domains"

// forgives leaves out what is told already by a lost or added subroutine, and
// comments that were added.
func forgives(reference, candidate []domains.Element) (ref, got []domains.Element) {
	lost, added := missing(reference, candidate), missing(candidate, reference)
	switch { // where there are both, one may be the other renamed
	case len(added) == 0:
		reference = withoutBodies(reference, lost)
	case len(lost) == 0:
		candidate = withoutBodies(candidate, added)
	}
	return withoutAddedComments(reference, candidate)
}

// missing are the subroutines of some elements that others do not have.
func missing(of, in []domains.Element) map[string]bool {
	has := map[string]bool{}
	for i := range in {
		if in[i].Kind == counted {
			has[in[i].Key] = true
		}
	}
	lacks := map[string]bool{}
	for i := range of {
		if of[i].Kind == counted && !has[of[i].Key] {
			lacks[of[i].Key] = true
		}
	}
	return lacks
}

// withoutBodies leaves out the operations and comments of subroutines.
func withoutBodies(elements []domains.Element, of map[string]bool) []domains.Element {
	if len(of) == 0 {
		return elements
	}
	kept := make([]domains.Element, 0, len(elements))
	for i := range elements {
		e := &elements[i]
		if e.Kind == operationElement && of[e.Value("in")] || e.Kind == commentElement && of[e.Value("at")] {
			continue
		}
		kept = append(kept, *e)
	}
	return kept
}

// withoutAddedComments leaves the comments of a candidate that the reference does
// not have out, if it has all those of the reference: no one who reads a program
// loses by them.
func withoutAddedComments(reference, candidate []domains.Element) (ref, got []domains.Element) {
	type said struct{ text, at string }
	of := func(e *domains.Element) said { return said{e.Value(""), e.Value("at")} }
	wanted, absent := map[said]int{}, 0
	for i := range reference {
		if e := &reference[i]; e.Kind == commentElement {
			wanted[of(e)]++
			absent++
		}
	}
	got = make([]domains.Element, 0, len(candidate))
	for i := range candidate {
		e := &candidate[i]
		if e.Kind == commentElement {
			if wanted[of(e)] == 0 {
				continue
			}
			wanted[of(e)]--
			absent--
		}
		got = append(got, *e)
	}
	if absent > 0 {
		return reference, candidate
	}
	return reference, got
}
