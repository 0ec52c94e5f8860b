package slides

import (
	"slices"
	"strings"

	"agentd/domains"
)

// placed says of lines outside of the format which part of a slide that both
// sides have they stand above, and marks notes of the candidate the sentences of
// which stand in another order.
func placed(ref, got []domains.Element) (refs, gots []domains.Element) {
	if slices.ContainsFunc(ref, isLine) && slices.ContainsFunc(got, isLine) {
		common := inBoth(ref, got)
		ref, got = above(ref, common), above(got, common)
	}
	return ref, reordered(ref, got)
}

func isLine(e domains.Element) bool { return e.Kind == lineKind }

// label is what a part of a slide is known by.
type label struct{ kind, text string }

func labelOf(e *domains.Element) label {
	return label{e.Fields[0].Value, e.Fields[min(1, len(e.Fields)-1)].Value}
}

// inBoth are the labels that occur as often in both documents.
func inBoth(ref, got []domains.Element) map[label]bool {
	counts := map[label]int{}
	for i := range ref {
		if ref[i].Kind == counted {
			counts[labelOf(&ref[i])]++
		}
	}
	left := map[label]int{}
	for j := range got {
		if l := labelOf(&got[j]); got[j].Kind == counted && counts[l] > 0 {
			left[l]++
		}
	}
	common := make(map[label]bool, len(left))
	for l, n := range left {
		if counts[l] == n {
			common[l] = true
		}
	}
	return common
}

// above gives lines their place; the elements themselves stay as they are.
func above(elements []domains.Element, common map[label]bool) []domains.Element {
	elements = slices.Clone(elements)
	next := "the end"
	for i := len(elements) - 1; i >= 0; i-- {
		e := &elements[i]
		switch e.Kind {
		case counted:
			if l := labelOf(e); common[l] {
				next = l.kind + " " + brief(l.text)
			}
		case lineKind:
			e.Fields = append(slices.Clone(e.Fields), domains.Field{Name: "above", Value: next})
		}
	}
	return elements
}

// reordered marks the notes of a candidate that have the sentences of notes of
// the reference in another order.
func reordered(ref, got []domains.Element) []domains.Element {
	inOrder, inAny := map[string]bool{}, map[string]bool{}
	for i := range ref {
		if said := saidIn(&ref[i]); len(said) > 1 {
			inOrder[strings.Join(said, "\n")] = true
			inAny[strings.Join(slices.Sorted(slices.Values(said)), "\n")] = true
		}
	}
	copied := false
	for j := range got {
		said := saidIn(&got[j])
		if len(said) < 2 || inOrder[strings.Join(said, "\n")] || !inAny[strings.Join(slices.Sorted(slices.Values(said)), "\n")] {
			continue
		}
		if !copied {
			got, copied = slices.Clone(got), true
		}
		got[j].Fields = append(slices.Clone(got[j].Fields), domains.Field{Name: "order of sentences", Value: "another"})
	}
	return got
}

// saidIn are the sentences of notes.
func saidIn(e *domains.Element) []string {
	var said []string
	if e.Kind == counted && e.Fields[0].Value == names[notesPart] {
		for _, f := range e.Fields[1:] {
			if f.Name == sentenceField {
				said = append(said, f.Value)
			}
		}
	}
	return said
}
