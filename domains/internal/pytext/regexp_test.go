package pytext

import "testing"

func TestRegexp(t *testing.T) {
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
		if got := Regexp(c.pattern).MatchString(c.text); got != c.want {
			t.Errorf("%s in %q: %v", c.pattern, c.text, got)
		}
	}
	space, word := Regexp(`\s`), Regexp(`\w`)
	for r := range rune(0x3100) {
		text := string(r)
		if space.MatchString(text) != IsSpace(r) || word.MatchString(text) != IsWord(r) {
			t.Errorf("%U differs from IsSpace or IsWord", r)
		}
	}
}
