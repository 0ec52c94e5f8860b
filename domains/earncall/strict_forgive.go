package earncall

import (
	"slices"

	"agentd/domains"
	"agentd/domains/internal/element"
)

// compared is what Strict compares of two documents. It drops headings that only
// the candidate has, says of the others before which turn they stand, and marks
// turns of the candidate in which a turn's sentences stand in another order.
func compared(ref, got []domains.Element) (refs, gots []domains.Element) {
	known := headings(ref)
	if len(headings(got)) > 0 {
		got = withoutNew(got, known)
		if len(known) > 0 {
			shared := sharedTurns(ref, got)
			ref, got = placed(ref, shared), placed(got, shared)
		}
	}
	return ref, element.MarkReordered(ref, got, inTurn)
}

// headings counts the headings of a document.
func headings(elements []domains.Element) map[string]int {
	counts := map[string]int{}
	for i := range elements {
		if elements[i].Kind == headingKind {
			counts[elements[i].Fields[0].Value]++
		}
	}
	return counts
}

// withoutNew leaves out the headings of a candidate that the reference does not
// have, or not as often.
func withoutNew(got []domains.Element, known map[string]int) []domains.Element {
	kept, met := make([]domains.Element, 0, len(got)), map[string]int{}
	for i := range got {
		if got[i].Kind == headingKind {
			name := got[i].Fields[0].Value
			if met[name]++; met[name] > known[name] {
				continue
			}
		}
		kept = append(kept, got[i])
	}
	return kept
}

// sharedTurns are the turns that stand unchanged, once, in both documents, with
// the reference's key.
func sharedTurns(ref, got []domains.Element) map[uint64]string {
	shared, inGot := map[uint64]string{}, once(got)
	for digest, e := range once(ref) {
		if e != nil && inGot[digest] != nil {
			shared[digest] = e.Key
		}
	}
	return shared
}

// once files turns under their digests, nil where several are equal.
func once(elements []domains.Element) map[uint64]*domains.Element {
	turns := map[uint64]*domains.Element{}
	for i := range elements {
		e := &elements[i]
		if e.Kind != counted {
			continue
		}
		digest := element.InOrder(e)
		if _, twice := turns[digest]; twice {
			e = nil
		}
		turns[digest] = e
	}
	return turns
}

// placed adds to each heading the key of the next shared turn after it.
func placed(elements []domains.Element, shared map[uint64]string) []domains.Element {
	elements = slices.Clone(elements)
	next := "the end"
	for i := len(elements) - 1; i >= 0; i-- {
		e := &elements[i]
		switch e.Kind {
		case headingKind:
			e.Fields = append(slices.Clone(e.Fields), domains.Field{Name: "before", Value: next})
		case counted:
			if key, ok := shared[element.InOrder(e)]; ok {
				next = key
			}
		}
	}
	return elements
}

// inTurn are the fields of a turn, of which the first is its speaker; nil for what is no turn.
func inTurn(e *domains.Element) []domains.Field {
	const single = 2 // fields: the speaker and a sentence
	if e.Kind != counted || len(e.Fields) <= single {
		return nil
	}
	return e.Fields
}
