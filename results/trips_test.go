package results

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Interactions that are not stored leave their place in the round trip empty, and a relay may
// begin with a backward step.
func TestRoundTripsOfRelays(t *testing.T) {
	t.Parallel()
	all := []Interaction{
		{Relay: 1, Number: 1}, {Relay: 1, Number: 2}, {Relay: 1, Number: 3},
		{Relay: 2, Number: 3}, {Relay: 2, Number: 6},
		{Relay: 4, Number: 6},
	}
	want := []Trip{
		{1, 1, &all[0], &all[1]}, {1, 2, &all[2], nil},
		{2, 2, &all[3], nil}, {2, 3, nil, &all[4]},
		{4, 3, nil, &all[5]},
	}
	got := Trips(all)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
	var steps []*Interaction
	for _, trip := range got {
		steps = append(steps, trip.Steps()...)
	}
	for i, in := range steps {
		if in != &all[i] {
			t.Errorf("step %d is not the interaction that was given", i)
		}
	}
	if len(steps) != len(all) {
		t.Errorf("%d steps", len(steps))
	}
}

func TestScoresOfRoundTrips(t *testing.T) {
	t.Parallel()
	type scores struct{ RS, Strict *float64 }
	scored, zero, none := scores{new(0.5), new(0.25)}, scores{new(0.0), new(0.0)}, scores{}
	yes, no := new(true), new(false)
	whole := &Score{RS: 0.5, Strict: 0.25}
	for name, c := range map[string]struct {
		score          *Score
		unscored       Unscored
		executed       *bool
		plain, counted scores // unscored round trips dropped
		zeroed         scores // unscored round trips and no-ops as 0
	}{
		"carried out":                 {whole, "", yes, scored, scored, scored},
		"not recorded":                {whole, "", nil, scored, scored, scored},
		"not carried out":             {whole, "", no, scored, zero, zero},
		"unscored by the protocol":    {nil, ContextMismatch, no, none, zero, zero},
		"unscored, carried out":       {nil, WildcardMismatch, yes, none, none, zero},
		"unscored, not recorded":      {nil, WildcardMismatch, nil, none, none, zero},
		"no service":                  {nil, ServiceFault, no, none, none, none},
		"of a domain without a score": {nil, "", no, none, none, none},
	} {
		trip := Trip{Forward: &Interaction{Executed: c.executed}, Backward: &Interaction{Score: c.score, Unscored: c.unscored}}
		of := func(rs, strict *float64) scores { return scores{rs, strict} }
		got := []scores{of(trip.Scores(false)), of(trip.NoOpsZero(false)), of(trip.NoOpsZero(true))}
		if diff := cmp.Diff([]scores{c.plain, c.counted, c.zeroed}, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	if rs, strict := (Trip{Forward: &Interaction{Executed: no}}).NoOpsZero(true); rs != nil || strict != nil {
		t.Error("a round trip without its way back has a score")
	}
}
