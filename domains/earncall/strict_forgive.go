package earncall

import (
	"hash/maphash"
	"slices"

	"agentd/domains"
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
	return ref, reordered(ref, got)
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
		digest := inOrder(e)
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
			if key, ok := shared[inOrder(e)]; ok {
				next = key
			}
		}
	}
	return elements
}

// reordered adds a field to the turns of a candidate that have the speaker and
// the sentences of a reference's turn in another order.
func reordered(ref, got []domains.Element) []domains.Element {
	sums, orders := map[uint64]bool{}, map[uint64]bool{}
	for i := range ref {
		if hasOrder(&ref[i]) {
			sums[inAnyOrder(&ref[i])] = true
			orders[inOrder(&ref[i])] = true
		}
	}
	marked := false
	for i := range got {
		if !hasOrder(&got[i]) || !sums[inAnyOrder(&got[i])] || orders[inOrder(&got[i])] {
			continue
		}
		if !marked {
			got, marked = slices.Clone(got), true
		}
		got[i].Fields = append(slices.Clone(got[i].Fields), domains.Field{Name: "order of sentences", Value: "another"})
	}
	return got
}

// hasOrder reports whether an element is a turn of several sentences.
func hasOrder(e *domains.Element) bool {
	const single = 2 // fields: the speaker and a sentence
	return e.Kind == counted && len(e.Fields) > single
}

var seed = maphash.MakeSeed()

// inOrder is equal for turns with the same fields in the same order.
func inOrder(e *domains.Element) uint64 {
	const prime = 1099511628211
	sum := uint64(0)
	for _, f := range e.Fields {
		sum = sum*prime + maphash.String(seed, f.Value)
	}
	return sum
}

// inAnyOrder is equal for turns with the same fields.
func inAnyOrder(e *domains.Element) uint64 {
	sum := uint64(0)
	for _, f := range e.Fields {
		sum += maphash.String(seed, f.Value)
	}
	return sum
}
