package sets

import (
	"math"
	"testing"
)

func TestJaccard(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		a, b []string
		want float64
	}{
		"both empty":           {nil, nil, 1},
		"one empty":            {[]string{"a"}, nil, 0},
		"repeats count once":   {[]string{"a", "a", "b"}, []string{"a", "c", "c"}, 1.0 / 3},
		"order means nothing":  {[]string{"a", "b"}, []string{"b", "a"}, 1},
		"nothing in common":    {[]string{"a"}, []string{"b"}, 0},
		"one side has another": {[]string{"a", "b", "c"}, []string{"a", "b"}, 2.0 / 3},
	} {
		if got := Jaccard(c.a, c.b); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestCommon(t *testing.T) {
	t.Parallel()
	if common, ofA, ofB := Common([]int{1, 2, 2, 3}, []int{2, 4, 2, 1, 5, 5}); common != 2 || ofA != 3 || ofB != 4 {
		t.Error(common, ofA, ofB)
	}
	if common, ofA, ofB := Common([]int{1, 2, 2, 3}, []int{2, 4, 2, 1, 5, 5, 2, 2, 2}); common != 2 || ofA != 3 || ofB != 4 {
		t.Error(common, ofA, ofB)
	}
	if common, ofA, ofB := Common(nil, []int{7}); common != 0 || ofA != 0 || ofB != 1 {
		t.Error(common, ofA, ofB)
	}
}

func TestOneIf(t *testing.T) {
	t.Parallel()
	if OneIf(true) != 1 || OneIf(false) != 0 {
		t.Error(OneIf(true), OneIf(false))
	}
}

func TestMeanOfTexts(t *testing.T) {
	t.Parallel()
	var m Mean
	quarter := func(ref, got string) float64 { return 0.25 }
	m.AddTexts("", "", quarter)
	if !m.Empty() {
		t.Error("two empty texts count")
	}
	for _, texts := range [][2]string{{"oak", "oak"}, {"oak", ""}, {"", "elm"}, {"oak", "elm"}} {
		m.AddTexts(texts[0], texts[1], quarter)
	}
	if m.Or(7) != 1.25/4 {
		t.Error(m.Or(7))
	}
}

func TestMean(t *testing.T) {
	t.Parallel()
	var m Mean
	if !m.Empty() || m.Or(0.5) != 0.5 {
		t.Errorf("of nothing: %v", m.Or(0.5))
	}
	m.Add(1)
	m.Add(0)
	m.Add(0.5)
	if m.Empty() || m.Or(7) != 0.5 {
		t.Errorf("%v", m.Or(7))
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ref, got []string
		want     float64
	}{
		{[]string{"a", "B "}, []string{" A", "", "b"}, 1},
		{[]string{"a", "b"}, []string{"b", "a"}, 0.9},
		{[]string{"a", "b"}, []string{"b", "c"}, 1.0 / 3},
		{nil, nil, 1},
	} {
		if got := Names(c.ref, c.got, 0.9); got != c.want {
			t.Errorf("%q, %q: %v, want %v", c.ref, c.got, got, c.want)
		}
	}
}

func TestNamed(t *testing.T) {
	t.Parallel()
	name := func(text *string) string { return (*text)[:1] }
	same := func(ref, got *string) float64 {
		if *ref == *got {
			return 1
		}
		return 0
	}
	for _, c := range []struct {
		ref, got []string
		want     float64
	}{
		{nil, nil, 1}, {nil, []string{"a1"}, 0}, {[]string{"a1"}, nil, 0}, {[]string{"a1"}, []string{"b1"}, 0},
		{[]string{"a1", "b1"}, []string{"b1", "a1"}, 1},
		{[]string{"a1", "b1"}, []string{"a1", "b2"}, 0.4 + 0.6*0.5},
		{[]string{"a1", "b1"}, []string{"a2", "a1"}, 0.4*2/3 + 0.6}, // the last of a name counts
	} {
		if got := Named(c.ref, c.got, name, same); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%q, %q: %v, want %v", c.ref, c.got, got, c.want)
		}
	}
}

func TestInPlace(t *testing.T) {
	t.Parallel()
	same := func(ref, got *string) float64 { return OneIf(*ref == *got) }
	for _, c := range []struct {
		ref, got []string
		want     float64
	}{
		{nil, nil, 1},
		{[]string{"oak"}, nil, 0},
		{[]string{"oak", "elm"}, []string{"oak", "ash", "elm", "fir"}, 0.25},
	} {
		if got := InPlace(c.ref, c.got, same); got != c.want {
			t.Errorf("%v, %v: %v, want %v", c.ref, c.got, got, c.want)
		}
	}
}
