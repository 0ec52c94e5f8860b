package sets

import "testing"

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
