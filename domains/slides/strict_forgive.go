package slides

import (
	"maps"
	"slices"

	"agentd/domains"
	"agentd/domains/internal/element"
)

// placed says of lines outside of the format which part of a slide that both
// sides have they stand above, and marks notes of the candidate the sentences of
// which stand in another order.
func placed(ref, got []domains.Element) (refs, gots []domains.Element) {
	if slices.ContainsFunc(ref, isLine) && slices.ContainsFunc(got, isLine) {
		// The labels that occur as often in both documents.
		common, others := labelsOf(ref), labelsOf(got)
		maps.DeleteFunc(common, func(l label, n int) bool { return others[l] != n })
		ref, got = above(ref, common), above(got, common)
	}
	return ref, element.MarkReordered(ref, got, saidIn)
}

func isLine(e domains.Element) bool { return e.Kind == lineKind }

// label is what a part of a slide is known by.
type label struct{ kind, text string }

func labelOf(e *domains.Element) label {
	return label{e.Fields[0].Value, e.Fields[min(1, len(e.Fields)-1)].Value}
}

// labelsOf counts the parts of slides with each label.
func labelsOf(elements []domains.Element) map[label]int {
	counts := map[label]int{}
	for i := range elements {
		if elements[i].Kind == counted {
			counts[labelOf(&elements[i])]++
		}
	}
	return counts
}

// above gives lines their place; the elements themselves stay as they are.
func above(elements []domains.Element, common map[label]int) []domains.Element {
	elements = slices.Clone(elements)
	next := "the end"
	for i := len(elements) - 1; i >= 0; i-- {
		e := &elements[i]
		switch e.Kind {
		case counted:
			if l := labelOf(e); common[l] > 0 {
				next = l.kind + " " + brief(l.text)
			}
		case lineKind:
			e.Fields = append(slices.Clone(e.Fields), domains.Field{Name: "above", Value: next})
		}
	}
	return elements
}

// saidIn are the sentences of notes.
func saidIn(e *domains.Element) []domains.Field {
	if e.Kind != counted || e.Fields[0].Value != names[notesPart] {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(e.Fields), func(f domains.Field) bool { return f.Name != sentenceField })
}
