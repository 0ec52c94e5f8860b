package results

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
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

// Two relays on a and one on b, of which one has no second round trip. At 4: RS (0.2 + 0.6)/2, with
// no-ops as 0 (0 + 0.6)/2. Under every-edit at 2, a has (1 + 0)/2 and b 1: 0.75.
func TestArmsStandAsAtTheirLastRoundTrip(t *testing.T) {
	t.Parallel()
	all := func(v ...float64) (all []*float64) {
		for _, x := range v {
			all = append(all, new(x))
		}
		return all
	}
	relays := []Relay{
		{ID: 1, Model: "m", Policy: "p", Environment: "a"}, {ID: 2, Model: "m", Policy: "p", Environment: "a"}, {ID: 3, Model: "m", Policy: "p", Environment: "b"},
		{ID: 4, Model: "m", Policy: "idle", Environment: "a"}, {ID: 5, Model: "m", Policy: "begun", Environment: "a"},
	}
	curve := func(scores, noOps []*float64) Curve {
		return Curve{Scores: scores, Strict: scores, NoOpsZero: noOps, StrictNoOpsZero: noOps}
	}
	curves := map[int64]Curve{1: curve(all(1, 0.2), all(1, 0)), 2: curve(all(0), all(0)), 3: curve(all(1, 0.6), all(1, 0.6)), 4: curve(nil, all(0))}
	want := map[[2]string]End{
		{"m", "p"}:    {At: 4, RS: new(0.4), Strict: new(0.4), RSNoOpsZero: new(0.3), StrictNoOpsZero: new(0.3)},
		{"m", "idle"}: {At: 2, RSNoOpsZero: new(0.0), StrictNoOpsZero: new(0.0)},
	}
	if diff := cmp.Diff(want, new(Manifest).Ends(relays, curves), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Error(diff)
	}
	curves[1], curves[3] = curve(all(1), all(1)), curve(all(1), all(1))
	if got := (&Manifest{Schedule: everyEdit}).Ends(relays, curves)[[2]string{"m", "p"}]; *got.RS != 0.75 {
		t.Errorf("every-edit: %v, want 0.75", *got.RS)
	}
}
