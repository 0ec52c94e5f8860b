package ratio

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentd/domains/internal/notes"
)

func TestLongIsOfUpToItsLimit(t *testing.T) {
	t.Parallel()
	text := rapid.StringOfN(rapid.RuneFrom([]rune("aaaabcdé\n")), 0, 300, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		for _, other := range []string{a, b} {
			if got, want := Long(a, other, nil), Of(a, other); got != want {
				t.Fatalf("Long(%q, %q) is %v, Of %v", a, other, got, want)
			}
		}
	})
}

func TestLongComparesTheBeginningOfLongerTexts(t *testing.T) {
	t.Parallel()
	var noted notes.Notes
	same := strings.Repeat("é", longest-1) + "x"
	if got := Long(same+"one end", same+"another", &noted); got != 1 || noted.String() != notes.Beginnings {
		t.Errorf("equal beginnings give %v, noted %q", got, noted.String())
	}
	popular := strings.Repeat("ab", 200)
	if long, of := Long(popular, popular, nil), Of(popular, popular); long != 1 || of != 1 {
		t.Errorf("a text of popular characters alone gives %v and %v", long, of)
	}
}
