package plain

import "testing"

func TestIsDigits(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"0": true, "0123456789": true, "": false, "1a": false, "-1": false, "٣": false, " 1": false} {
		if IsDigits(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
