package printable

import "testing"

func TestCount(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0 round trips", 1: "1 round trip", 2: "2 round trips"} {
		if got := Count(n, "round trip"); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
