package element

import (
	"hash/maphash"
	"slices"
)

// spread tells apart what stands at different places of a digest.
const spread = 0x9e3779b97f4a7c15

// InOrder is a digest that is equal for elements of one kind whose fields have the same values in the same order. The
// names of the fields are no part of it.
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
