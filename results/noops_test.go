package results

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWorkThatWasNotDoneScoresZero(t *testing.T) {
	t.Parallel()
	half, zero, yes, no := new(0.5), new(0.0), new(true), new(false)
	for name, c := range map[string]struct {
		score    *float64
		unscored Unscored
		executed *bool
		want     *float64
	}{
		"carried out":                         {half, "", yes, half},
		"not recorded":                        {half, "", nil, half},
		"not carried out":                     {half, "", no, zero},
		"unscored by the protocol":            {nil, ContextMismatch, no, zero},
		"unscored, carried out":               {nil, ContextMismatch, yes, nil},
		"no service":                          {nil, ServiceFault, no, nil},
		"of a domain without a score":         {nil, "", no, nil},
		"counted as 0 for want of a document": {zero, WildcardMismatch, yes, zero},
	} {
		if got := NoOpsZero(c.score, c.unscored, c.executed); !cmp.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

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
