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
