package ratio

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLongIsOfUpToItsLimit(t *testing.T) {
	t.Parallel()
	text := rapid.StringOfN(rapid.RuneFrom([]rune("aaaabcdé\n")), 0, 300, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		for _, other := range []string{a, b} {
			if got, want := Long(a, other), Of(a, other); got != want {
				t.Fatalf("Long(%q, %q) is %v, Of %v", a, other, got, want)
			}
		}
	})
}

func TestLongComparesTheBeginningOfLongerTexts(t *testing.T) {
	t.Parallel()
	same := strings.Repeat("é", longest-1) + "x"
	if got := Long(same+"one end", same+"another"); got != 1 {
		t.Errorf("equal beginnings give %v", got)
	}
	popular := strings.Repeat("ab", 200)
	if long, of := Long(popular, popular), Of(popular, popular); long != 1 || of != 1 {
		t.Errorf("a text of popular characters alone gives %v and %v", long, of)
	}
}

// "abca" and "bcd" share b and c: 4 of 7. A long text is compared by what it shares.
func TestShared(t *testing.T) {
	t.Parallel()
	if got := Shared("abca", "bcd"); got != 4.0/7 {
		t.Errorf("%v", got)
	}
	seed, other := strings.Repeat("ab", 1<<14), strings.Repeat("cd", 1<<17)
	if got := Share(seed, other); got != 0 {
		t.Errorf("long texts that share nothing have %v", got)
	}
}
