package plain

import "testing"

func TestSplice(t *testing.T) {
	t.Parallel()
	type change struct {
		from, to int
		with     string
	}
	for want, changes := range map[string][]change{
		"abcdef":   nil,
		"aXYef":    {{1, 4, "XY"}},
		"-abcdef+": {{6, 6, "+"}, {0, 0, "-"}},
		"a12bcdef": {{1, 1, "1"}, {1, 1, "2"}},
		"aXef":     {{1, 4, "X"}, {2, 5, "left out"}},
		"":         {{0, 6, ""}},
	} {
		got := Splice("abcdef", changes, func(c change) (int, int, string) { return c.from, c.to, c.with })
		if got != want {
			t.Errorf("%v: %q, want %q", changes, got, want)
		}
	}
}
