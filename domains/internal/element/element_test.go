package element

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// cue returns an element; fields are name, value, name, value …
func cue(key string, fields ...string) Element {
	e := Element{Kind: "cue", Key: key}
	for i := 0; i+1 < len(fields); i += 2 {
		e.Fields = append(e.Fields, Field{fields[i], fields[i+1]})
	}
	return e
}

func ten() []Element {
	var elements []Element
	for i := range 10 {
		elements = append(elements, cue(fmt.Sprint("cue ", i), "start", fmt.Sprint(1000*i), "end", fmt.Sprint(1000*i+900), "text", fmt.Sprintf("line number %d%d", i, i*i)))
	}
	return elements
}

func ordered(elements []Element) []Element {
	for i := range elements {
		elements[i].Position = i + 1
	}
	return elements
}

func TestWhatChangesCost(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ref, got []Element
		strict   float64
		says     []string
	}{
		"nothing changed": {ten(), ten(), 1, nil},
		"both empty":      {nil, nil, 1, nil},
		"everything lost": {ten()[:1], nil, 0, []string{"cue 0: lost (0 | 900 | line number 00)"}},
		"one lost costs its share": {ten(), slices.Delete(ten(), 3, 4), 0.9,
			[]string{"cue 3: lost (3000 | 3900 | line number 39)"}},
		"one added costs as much": {ten(), append(ten(), cue("new", "start", "77", "end", "78", "text", "invented")), 10.0 / 11,
			[]string{"new: added (77 | 78 | invented)"}},
		"a duplicate is an addition": {ten(), append(ten(), ten()[2]), 10.0 / 11,
			[]string{"cue 2: added (2000 | 2900 | line number 24)"}},
		"one of three fields costs a third of a share": {ten(), func() []Element {
			e := ten()
			e[4].Fields[2].Value = "line number 61"
			return e
		}(), (9 + 2.0/3) / 10, []string{"cue 4, text: line number 416 -> line number 61"}},
		"a changed key costs nothing":       {[]Element{cue("a", "text", "x")}, []Element{cue("b", "text", "x")}, 1, nil},
		"order of fields costs nothing":     {[]Element{cue("a", "x", "1", "y", "2")}, []Element{cue("a", "y", "2", "x", "1")}, 1, nil},
		"a repeated field is counted":       {[]Element{cue("a", "tag", "1", "tag", "2", "z", "0")}, []Element{cue("a", "tag", "2", "z", "0")}, 2.0 / 3, []string{"a, tag: 1 -> (nothing)"}},
		"order means nothing without place": {ten(), slices.Concat(ten()[5:], ten()[:5]), 1, nil},
		"lines lost next to equal ones are lost, not moved": {
			ordered([]Element{cue("h 1", "g", "h"), cue("x 1", "g", "x"), cue("h 2", "g", "h"), cue("x 2", "g", "x"), cue("y", "g", "y"), cue("x 3", "g", "x")}),
			ordered([]Element{cue("h 1", "g", "h"), cue("x 1", "g", "x"), cue("y", "g", "y"), cue("x 2", "g", "x")}),
			4.0 / 6, []string{"h 2: lost (h)", "x 2: lost (x)"}},
		"what weighs nothing is named": {
			[]Element{cue("a", "x", "1"), {Kind: "comment", Key: "comment", Fields: []Field{{Value: "ask Mara"}}, Weightless: true}},
			[]Element{cue("a", "x", "1")}, 1, []string{"comment: lost (ask Mara)"}},
		"a moved one keeps half its worth": {ordered(ten()), ordered(slices.Concat(ten()[1:], ten()[:1])), 0.95,
			[]string{"cue 0: moved from place 1 to 10"}},
	} {
		got := Compare(c.ref, c.got, "cue")
		if diff := got.Strict - c.strict; diff > 1e-12 || diff < -1e-12 {
			t.Errorf("%s: Strict %v, want %v", name, got.Strict, c.strict)
		}
		var says []string
		for _, d := range got.Differences {
			says = append(says, d.String())
		}
		if diff := cmp.Diff(c.says, says); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestElementsOfOnePositionMayChangePlaces(t *testing.T) {
	t.Parallel()
	grouped := func(groups ...string) []Element {
		var rows []Element
		run := 0
		for i, g := range groups {
			if i == 0 || groups[i-1][0] != g[0] {
				run++
			}
			row := cue(g, "group", g[:1], "value", g)
			row.Position = run
			rows = append(rows, row)
		}
		return rows
	}
	reference := grouped("a1", "a2", "b1", "b2")
	if got := Compare(reference, grouped("a2", "a1", "b2", "b1"), "cue"); got.Strict != 1 {
		t.Errorf("within the groups: %v", got.Differences)
	}
	if got := Compare(reference, grouped("a1", "b1", "a2", "b2"), "cue"); got.Strict == 1 {
		t.Error("groups torn apart went unnoticed")
	}
}

func TestOtherKindsScaleWhatIsLeft(t *testing.T) {
	t.Parallel()
	comment := Element{Kind: "line", Key: "line 1", Fields: []Field{{"", "; a comment"}}}
	with := append(ten(), comment)
	if got := Compare(with, ten(), "cue"); got.Strict != 10.0/11 {
		t.Errorf("a lost comment next to ten cues: %v", got.Strict)
	}
	if got := Compare(with, with[10:], "cue"); got.Strict != 0 {
		t.Errorf("only the comment left: %v", got.Strict)
	}
}

func drawElements(t *rapid.T, label string) []Element {
	word := rapid.SampledFrom(strings.Fields("tide buoy chain mast keel bar light"))
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Element {
		e := cue(word.Draw(t, "key"), "text", word.Draw(t, "text"), "note", word.Draw(t, "note"))
		e.Kind = rapid.SampledFrom([]string{"cue", "line"}).Draw(t, "kind")
		e.Position = rapid.IntRange(0, 3).Draw(t, "position")
		return e
	}), 0, 12).Draw(t, label)
}

func TestStrictIsOneExactlyWithoutDifferences(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ref, got := drawElements(t, "reference"), drawElements(t, "candidate")
		c := Compare(ref, got, "cue")
		if c.Strict < 0 || c.Strict > 1 {
			t.Fatalf("Strict is %v", c.Strict)
		}
		if alone := Strict(ref, got, "cue", nil); alone != c.Strict {
			t.Fatalf("Strict without the list is %v, with it %v", alone, c.Strict)
		}
		if (c.Strict == 1) != (len(c.Differences) == 0) {
			t.Fatalf("Strict %v with differences %v", c.Strict, c.Differences)
		}
		if self := Compare(ref, ref, "cue"); self.Strict != 1 {
			t.Fatalf("a document differs from itself: %v", self.Differences)
		}
	})
}

func TestLosingKOfNLeavesAtMostTheRest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ref := drawElements(t, "reference")
		counted, lost := 0, 0
		var left []Element
		for i, e := range ref {
			if e.Kind == "cue" {
				counted++
				if rapid.Bool().Draw(t, fmt.Sprint("lose ", i)) {
					lost++
					continue
				}
			}
			left = append(left, e)
		}
		if counted == 0 {
			return
		}
		const rounding = 1e-12
		if got := Compare(ref, left, "cue").Strict; got > 1-float64(lost)/float64(counted)+rounding {
			t.Fatalf("%d of %d lost leave %v", lost, counted, got)
		}
	})
}

func BenchmarkCompare(b *testing.B) {
	var ref, got []Element
	for i := range 1500 {
		e := cue(fmt.Sprint("cue ", i), "start", fmt.Sprint(1000*i), "end", fmt.Sprint(1000*i+900), "text", fmt.Sprint("line ", i*i))
		e.Position = i + 1
		ref = append(ref, e)
		switch {
		case i%20 == 7:
			continue
		case i%10 == 3:
			e.Fields = slices.Clone(e.Fields)
			e.Fields[2].Value += " altered"
		}
		e.Position = len(got) + 1
		got = append(got, e)
	}
	b.ReportAllocs()
	for b.Loop() {
		Compare(ref, got, "cue")
	}
}

// Elements that stand apart score as those of other kinds do.
func TestStrictOfSides(t *testing.T) {
	t.Parallel()
	named := func(file string, elements []Element) []Element {
		elements = slices.Clone(elements)
		for i := range elements {
			elements[i].Kind = file + " " + elements[i].Kind
		}
		return elements
	}
	changed := ten()[2:]
	changed[0].Fields[2].Value = "another line"
	changed[1].Weightless = true
	moved := ordered(ten())
	moved[0].Position, moved[9].Position = 10, 1
	for name, sides := range map[string][]Sides{
		"nothing":           nil,
		"the same":          {{ten(), ten()}},
		"in two files":      {{ten(), changed}, {ordered(ten()), moved}},
		"in another file":   {{ten(), nil}, {nil, ten()}},
		"one in a new file": {{ten(), ten()}, {nil, ten()[:1]}},
	} {
		var ref, got []Element
		for n, s := range sides {
			ref, got = append(ref, named(fmt.Sprint(n), s.Reference)...), append(got, named(fmt.Sprint(n), s.Candidate)...)
		}
		if score, want := StrictOfSides(sides, nil), Strict(ref, got, "", nil); score != want {
			t.Errorf("%s: %v, want %v", name, score, want)
		}
	}
}
