package screenplay

import (
	"fmt"
	"slices"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/lists"
)

// compared is what Strict compares of two plays. It says of directions, of lines
// in the dialogue, and of headings before what they stand, and marks speeches and
// directions of the candidate in which the same sentences stand in another order.
func compared(ref, got []domains.Element) (refs, gots []domains.Element) {
	if slices.EqualFunc(ref, got, equal) {
		return ref, got
	}
	refDigests, gotDigests := lists.Each(ref, element.InOrder), lists.Each(got, element.InOrder)
	shared := sharedElements(ref, refDigests, gotDigests)
	return placed(ref, refDigests, shared), placed(element.MarkReordered(ref, got, inOneOrder), gotDigests, shared)
}

func equal(a, b domains.Element) bool {
	return a.Kind == b.Kind && a.Position == b.Position && slices.Equal(a.Fields, b.Fields)
}

// sharedElements are the elements that stand unchanged, and equally often, in both
// plays, with the reference's key.
func sharedElements(ref []domains.Element, refs, gots []uint64) map[uint64]string {
	more := map[uint64]int{} // in the reference than in the candidate
	for _, digest := range refs {
		more[digest]++
	}
	for _, digest := range gots {
		more[digest]--
	}
	shared := map[uint64]string{}
	for i, digest := range refs {
		if more[digest] == 0 && ref[i].Kind != heading {
			shared[digest] = ref[i].Key
		}
	}
	return shared
}

// placed adds to each direction, and to each line after the first shared speech,
// the key of the next one, and to each heading that of the next shared element.
func placed(elements []domains.Element, digests []uint64, shared map[uint64]string) []domains.Element {
	elements = slices.Clone(elements)
	first := 0
	for first < len(elements) && (elements[first].Kind != counted || shared[digests[first]] == "") {
		first++
	}
	speech, other := "the end", "the end"
	from := map[uint64]int{} // how often a digest was met, from the end
	for i := len(elements) - 1; i >= 0; i-- {
		e := &elements[i]
		switch {
		case e.Kind == heading:
			e.Fields = before(e.Fields, other)
		case e.Kind == direction, e.Kind == prose && i > first:
			e.Fields = before(e.Fields, speech)
		}
		key, ok := shared[digests[i]]
		if !ok {
			continue
		}
		if from[digests[i]]++; from[digests[i]] > 1 {
			key = fmt.Sprintf("%s, %d from the end", key, from[digests[i]])
		}
		other = key
		if e.Kind == counted {
			speech = key
		}
	}
	return elements
}

func before(fields []domains.Field, key string) []domains.Field {
	return append(slices.Clone(fields), domains.Field{Name: "before", Value: key})
}

// inOneOrder are the fields of a speech or of a direction; nil for what is neither.
func inOneOrder(e *domains.Element) []domains.Field {
	if e.Kind != counted && e.Kind != direction {
		return nil
	}
	return e.Fields
}
