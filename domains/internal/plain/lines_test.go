package plain

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestOneLine(t *testing.T) {
	t.Parallel()
	if got, want := OneLine([]string{"a|b", "c"}), "a||b | c"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSingleBlanks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("ab é \t\n\u00a0\u3000"))).Draw(t, "text")
		if got, want := SingleBlanks(text), strings.Join(strings.Fields(text), " "); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	})
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
