package lists

import (
	"testing"

	"pgregory.net/rapid"
)

func TestCommonIsALongestCommonSequence(t *testing.T) {
	t.Parallel()
	values := rapid.SliceOfN(rapid.Uint64Range(1, 4), 0, 12)
	rapid.Check(t, func(t *rapid.T) {
		a, b := values.Draw(t, "a"), values.Draw(t, "b")
		pairs := Common(a, b)
		for n, p := range pairs {
			if a[p.Ref] != b[p.Got] || n > 0 && (p.Ref <= pairs[n-1].Ref || p.Got <= pairs[n-1].Got) {
				t.Fatalf("pairs %v", pairs)
			}
		}
		if want := longest(a, b); len(pairs) != want {
			t.Fatalf("%d pairs, want %d", len(pairs), want)
		}
	})
}

// longest is the length of a longest common sequence, the plain way.
func longest(a, b []uint64) int {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	if a[0] == b[0] {
		return 1 + longest(a[1:], b[1:])
	}
	return max(longest(a[1:], b), longest(a, b[1:]))
}
