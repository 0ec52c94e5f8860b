package results

import (
	"fmt"
	"testing"
)

func TestHowMuchHasToBeDone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		work            Work
		tooLittle, none bool
		text, percent   string
	}{
		{Work{}, false, false, "did 0 of 0 edits", "did 0 % of the edits"},
		{Work{0, 9}, true, true, "did 0 of 9 edits", "did 0 % of the edits"},
		{Work{0, 1}, true, true, "did 0 of 1 edit", "did 0 % of the edits"},
		{Work{1, 200}, true, false, "did 1 of 200 edits", "did 1 % of the edits"},
		{Work{4, 9}, true, false, "did 4 of 9 edits", "did 44 % of the edits"},
		{Work{5, 10}, false, false, "did 5 of 10 edits", "did 50 % of the edits"},
	} {
		got := fmt.Sprintf("%t, %t, %v, %s", c.work.TooLittle(), c.work.None(), c.work, c.work.Percent())
		if want := fmt.Sprintf("%t, %t, %s, %s", c.tooLittle, c.none, c.text, c.percent); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
