package plain

import (
	"slices"
	"testing"
)

func TestOneLine(t *testing.T) {
	t.Parallel()
	for _, lines := range [][]string{nil, {"one"}, {"one", "two"}, {"a|b", "|", "c || d"}, {"", "last"}} {
		line := OneLine(lines)
		if got := SeveralLines(line); !slices.Equal(got, lines) {
			t.Errorf("%q is written as %q and read as %q", lines, line, got)
		}
	}
	if got, want := OneLine([]string{"a|b", "c"}), "a||b | c"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
