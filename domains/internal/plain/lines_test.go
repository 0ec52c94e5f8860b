package plain

import "testing"

func TestOneLine(t *testing.T) {
	t.Parallel()
	if got, want := OneLine([]string{"a|b", "c"}), "a||b | c"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
