package element

import (
	"slices"
	"testing"
)

func TestMarkReordered(t *testing.T) {
	t.Parallel()
	turn := func(sentences ...string) Element {
		e := Element{Kind: "turn"}
		for _, sentence := range sentences {
			e.Fields = append(e.Fields, Field{"sentence", sentence})
		}
		return e
	}
	reference := []Element{turn("Yes.", "No.", "Perhaps."), turn("Yes."), turn("No.", "No.", "Yes.")}
	for rule, c := range map[string]struct {
		candidate Element
		marked    bool
	}{
		"the same order":               {turn("Yes.", "No.", "Perhaps."), false},
		"another order":                {turn("No.", "Yes.", "Perhaps."), true},
		"another sentence":             {turn("Yes.", "No.", "Never."), false},
		"another sentence twice":       {turn("No.", "Yes.", "Yes."), false},
		"another order with one twice": {turn("No.", "Yes.", "No."), true},
		"a single sentence":            {turn("Yes."), false},
	} {
		candidate := []Element{c.candidate}
		fields := slices.Clone(c.candidate.Fields)
		got := MarkReordered(reference, candidate, func(e *Element) []Field { return e.Fields })
		if marked := got[0].Value("order of sentences") != ""; marked != c.marked {
			t.Errorf("%s: marked: %v", rule, marked)
		}
		if !slices.Equal(candidate[0].Fields, fields) {
			t.Errorf("%s: the candidate was changed: %v", rule, candidate)
		}
	}
}

func TestInOrder(t *testing.T) {
	t.Parallel()
	a := Element{Kind: "turn", Key: "a", Fields: []Field{{Value: "x"}, {Value: "y"}}}
	same := Element{Kind: "turn", Key: "b", Fields: []Field{{Value: "x"}, {Value: "y"}}}
	swapped := Element{Kind: "turn", Fields: []Field{{Value: "y"}, {Value: "x"}}}
	other := Element{Kind: "line", Fields: a.Fields}
	if InOrder(&a) != InOrder(&same) || InOrder(&a) == InOrder(&swapped) || InOrder(&a) == InOrder(&other) {
		t.Error("elements of one kind have one digest if, and only if, they have the same fields in the same order")
	}
}
