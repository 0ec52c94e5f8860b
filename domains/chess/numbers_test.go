package chess

import (
	"strings"
	"testing"
)

func TestNumbersThatDoNotFollow(t *testing.T) {
	t.Parallel()
	const game = "[Event \"Club\"]\n\n1. e4 e5 2. Nf3 {see 7. below} Nc6 3. Bb5 (3. Bc4 Bc5 4. c3 (4. O-O Nf6) 4... Nf6) 3... a6\n4.Ba4 Nf6 5. O-O Be7 1-0\n\n[Event \"Club\"]\n\n1. d4 d5 2. c4 *\n"
	for title, c := range map[string]struct{ was, is, says string }{
		"as it was":                 {"", "", ""},
		"another digit":             {"\n4.Ba4", "\n7.Ba4", "the move has the number 7 instead of 4"},
		"a digit too many":          {"5. O-O Be7", "55. O-O Be7", "the move has the number 55 instead of 5"},
		"a number of a variation":   {"4. c3", "6. c3", "the move has the number 6 instead of 4"},
		"two numbers are swapped":   {"2. Nf3 {see 7. below} Nc6 3. Bb5", "3. Nf3 {see 7. below} Nc6 2. Bb5", "the move has the number 3 instead of 2"},
		"the number of a game":      {"2. c4", "3. c4", "the move has the number 3 instead of 2"},
		"no number":                 {"2. c4", "c4", ""},
		"the other side's number":   {"1. d4 d5", "1. d4 1... d5", ""},
		"another move of a comment": {"see 7.", "see 8.", ""},
		"a diagram's first number":  {"1. d4 d5 2. c4", "31. d4 d5 32. c4", ""},
	} {
		changed := strings.Replace(game, c.was, c.is, 1)
		slips := misnumbered("", changed)
		if c.says == "" && len(slips) > 0 || c.says != "" && (len(slips) == 0 || slips[0].What != c.says) {
			t.Errorf("%s: %v", title, slips)
		}
	}
}
