package element

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func remark(text string) Element {
	return Element{Kind: "comment", Key: "comment " + text, Fields: []Field{{Value: text}}}
}

func TestHarmlessThatMayGo(t *testing.T) {
	t.Parallel()
	row := Element{Kind: "row", Fields: []Field{{Value: "1"}}}
	for rule, c := range map[string]struct {
		ref, got []Element
		same     bool
	}{
		"a remark that is gone":           {[]Element{row, remark("week 7")}, []Element{row}, true},
		"a remark that was added":         {[]Element{row}, []Element{remark("week 7"), row}, true},
		"another remark in place of one":  {[]Element{remark("week 7"), row}, []Element{remark("checked by Ines"), row}, true},
		"a remark that was reworded":      {[]Element{remark("week 7"), row}, []Element{remark("week 8"), row}, false},
		"a remark of one word":            {[]Element{remark("https://cuts.example/1931"), row}, []Element{remark("https://cuts.example/1932"), row}, false},
		"a remark that stands twice":      {[]Element{remark("week 7"), row}, []Element{remark("week 7"), remark("week 7"), row}, true},
		"what is no remark and was added": {[]Element{row}, []Element{row, {Kind: "line", Fields: []Field{{Value: "x"}}}}, false},
	} {
		ref, got := Harmless{MayGo: true}.Forgive(c.ref, c.got)
		if strict := Strict(ref, got, "row", nil); (strict == 1) != c.same {
			t.Errorf("%s: Strict %v", rule, strict)
		}
	}
	ref, got := Harmless{MayGo: true}.Forgive([]Element{row, remark("week 7")}, []Element{row, remark("checked by Ines")})
	if c := Compare(ref, got, "row"); len(c.Differences) != 1 || c.Differences[0].Kind != Lost {
		t.Errorf("a remark that is gone is not named alone: %v", c.Differences)
	}
}

func TestHarmlessAtAPlace(t *testing.T) {
	t.Parallel()
	at := func(text, place string) Element {
		return Element{Kind: RemarkKind, Fields: []Field{{Value: text}, {Name: "at", Value: place}}}
	}
	reference := []Element{at("week 7", "a"), at("by hand", "b")}
	for rule, c := range map[string]struct {
		got  []Element
		want int // of got are left
	}{
		"one that was added":                {[]Element{at("week 7", "a"), at("by hand", "b"), at("new", "a")}, 2},
		"one in place of a lost one":        {[]Element{at("by hand", "b"), at("new", "a"), at("more", "a")}, 2},
		"one away from a lost one":          {[]Element{at("by hand", "b"), at("new", "b")}, 1},
		"one that moved":                    {[]Element{at("week 7", "b"), at("by hand", "b"), at("new", "a")}, 2},
		"what is no remark is not left out": {[]Element{{Kind: "row"}, at("new", "c")}, 1},
	} {
		ref, got := Harmless{Place: func(e *Element) string { return e.Value("at") }}.Forgive(reference, c.got)
		if len(ref) != len(reference) || len(got) != c.want {
			t.Errorf("%s: %v", rule, got)
		}
	}
}

// Both ways of pairing fields find the same number of equal ones, and leave none that
// could have been paired by name.
func TestManyFieldsArePairedLikeFew(t *testing.T) {
	t.Parallel()
	field := rapid.Custom(func(t *rapid.T) Field {
		return Field{rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "name"), rapid.SampledFrom([]string{"1", "2", "3"}).Draw(t, "value")}
	})
	rapid.Check(t, func(t *rapid.T) {
		ref := rapid.SliceOfN(field, 0, fewFields).Draw(t, "ref")
		got := rapid.SliceOfN(field, 0, fewFields).Draw(t, "got")
		count := func(pairs []fieldPair) (equal, paired int) {
			for _, p := range pairs {
				if p.inRef && p.inGot {
					paired++
					if p.was == p.is {
						equal++
					}
				}
			}
			return equal, paired
		}
		few, many := pairFields(ref, got), pairMany(ref, got)
		fewEqual, fewPaired := count(few)
		if equal, paired := count(many); equal != fewEqual || paired != fewPaired || len(many) != len(few) {
			t.Fatalf("%v, want as many as in %v", many, few)
		}
		names := func(pairs []fieldPair) (all []string) {
			for _, p := range pairs {
				all = append(all, p.name)
			}
			slices.Sort(all)
			return all
		}
		if !slices.Equal(names(few), names(many)) {
			t.Fatalf("names %v, want %v", names(many), names(few))
		}
	})
}

// Most fields keep their place and name, so that many of the lists drawn are aligned.
func TestAlignedFieldsArePairedByTheirPlaces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ref := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Field {
			return Field{rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"}).Draw(t, "name"), rapid.SampledFrom([]string{"1", "2", "3"}).Draw(t, "value")}
		}), 1, fewFields).Draw(t, "ref")
		got := slices.Clone(ref)
		for range rapid.IntRange(0, 2).Draw(t, "changes") {
			got[rapid.IntRange(0, len(got)-1).Draw(t, "at")].Value = "x"
		}
		if !aligned(ref, got) {
			return
		}
		for way, pairs := range map[string][]fieldPair{"few": pairFields(ref, got), "many": pairMany(ref, got)} {
			if len(pairs) != len(ref) {
				t.Fatalf("%s: %d pairs of %v and %v", way, len(pairs), ref, got)
			}
			for k, p := range pairs {
				if want := (fieldPair{ref[k].Name, ref[k].Value, got[k].Value, true, true}); p != want {
					t.Fatalf("%s: pair %d is %v, want %v", way, k, p, want)
				}
			}
		}
	})
}
