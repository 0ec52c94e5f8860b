package lists

import (
	"testing"

	"pgregory.net/rapid"
)

func TestRisingIsALongestRunThatNeverFalls(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.IntRange(0, 6), 0, 12).Draw(t, "values")
		run := Rising(values)
		for n := 1; n < len(run); n++ {
			if run[n] <= run[n-1] || values[run[n]] < values[run[n-1]] {
				t.Fatalf("%v is no run of %v", run, values)
			}
		}
		if want := longestRun(values, 0); len(run) != want {
			t.Fatalf("%d values, want %d", len(run), want)
		}
	})
}

// longestRun is the length of a longest run of values that are at least that large, the plain way.
func longestRun(values []int, least int) int {
	if len(values) == 0 {
		return 0
	}
	without := longestRun(values[1:], least)
	if values[0] < least {
		return without
	}
	return max(without, 1+longestRun(values[1:], values[0]))
}
