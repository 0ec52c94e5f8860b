package pytext

import (
	"testing"
	"unicode"
)

func TestPattern(t *testing.T) {
	t.Parallel()
	space, other, digit := Pattern(`^\s$`), Pattern(`^\S$`), Pattern(`^\d$`)
	for r := range unicode.MaxRune {
		if r >= 0xd800 && r < 0xe000 {
			continue // no characters
		}
		text := string(r)
		if space.MatchString(text) != IsSpace(r) || other.MatchString(text) == IsSpace(r) || digit.MatchString(text) != unicode.IsDigit(r) {
			t.Errorf("%U: space %v, other %v, digit %v", r, space.MatchString(text), other.MatchString(text), digit.MatchString(text))
		}
	}
}

func TestPatternOfClasses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{`^\s+$`, " \t\n\v\f\r\x1c\x1f\u0085\u00a0\u3000", true},
		{`\s`, "\ufeff\u200b", false},
		{`^\S+$`, "a\u200b", true},
		{`^\w+$`, "Ærø_7٣½", true},
		{`\W`, "Ærø_7٣", false},
		{`^\d+$`, "7٣", true},
		{`\d`, "½x", false},
		{`^[\w.-]+$`, "ø.7-a", true},
		{`^[^\s\d]+$`, "a\x1cb", false},
		{`^[^\s\d]+$`, "a٣", false},
		{`^[^\s\d]+$`, "ab", true},
		{`^\[\w\]\\s$`, `[ø]\s`, true},
		{`^\.\x41\pL$`, ".Aø", true},
	} {
		if got := Pattern(c.pattern).MatchString(c.text); got != c.want {
			t.Errorf("%s in %q: %v", c.pattern, c.text, got)
		}
	}
	word := Pattern(`^\w$`)
	for r := range rune(0x3100) {
		if text := string(r); word.MatchString(text) != IsWord(r) {
			t.Errorf("%U differs from IsWord", r)
		}
	}
}
