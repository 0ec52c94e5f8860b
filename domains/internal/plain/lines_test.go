package plain

import (
	"strings"
	"testing"
)

func TestOneLine(t *testing.T) {
	t.Parallel()
	if got, want := OneLine([]string{"a|b", "c"}), "a||b | c"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestEachMark(t *testing.T) {
	t.Parallel()
	atEnd := func(before, after string) (left, right int, found bool) {
		return len(before) - len(strings.TrimRight(before, " ")), len(after) - len(strings.TrimLeft(after, " ")), strings.HasPrefix(strings.TrimLeft(after, " "), ")")
	}
	for text, want := range map[string]string{
		"(a, b, )": "(a, b;)", "(a , )(, )": "(a;)(;)", "(a, b)": "(a, b)", "a": "a", ",)": ";)",
	} {
		if got := EachMark(text, ",", ";", atEnd); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
