package weaving

import "testing"

func TestSettings(t *testing.T) {
	t.Parallel()
	for part, want := range map[string]string{
		"[THREADING]\n1=1,2\n 2 = 4 ; x=y\n; 3=4\n\n": "2",
		"[WARP COLORS]": "0",
	} {
		if got := settings(part); got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
}
