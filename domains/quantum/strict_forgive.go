package quantum

import (
	"slices"

	"agentd/domains"
)

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
	lacks := map[string]bool{}
	for i := range of {
		if of[i].Kind == counted {
			lacks[of[i].Key] = true
		}
	}
	for i := range in {
		if in[i].Kind == counted {
			delete(lacks, in[i].Key)
		}
	}
	return lacks
}

// withoutBodies leaves out the operations and comments of subroutines.
func withoutBodies(elements []domains.Element, of map[string]bool) []domains.Element {
	if len(of) == 0 {
		return elements
	}
	return slices.DeleteFunc(slices.Clone(elements), func(e domains.Element) bool {
		return e.Kind == operationElement && of[e.Value("in")] || e.Kind == commentElement && of[e.Value("at")]
	})
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
	got = slices.DeleteFunc(slices.Clone(candidate), func(e domains.Element) bool {
		if e.Kind != commentElement {
			return false
		}
		if wanted[of(&e)] == 0 {
			return true
		}
		wanted[of(&e)]--
		absent--
		return false
	})
	if absent > 0 {
		return reference, candidate
	}
	return reference, got
}
