package trust

import (
	"testing"

	"agentd/results"
)

// What a relay ends with counts as 0 if its last forward step was not carried out, even where the
// protocol leaves it unscored. Without a score because a service was unavailable there is nothing to count.
func TestNoOpsAtTheEnd(t *testing.T) {
	t.Parallel()
	yes, no := new(true), new(false)
	scored := results.Interaction{Score: &results.Score{RS: 0.75, Strict: 0.5}}
	ending := func(in results.Interaction, executed *bool) NoOps {
		return noOpsOf(results.Trip{Forward: &results.Interaction{Executed: executed}, Backward: &in})
	}
	for name, c := range map[string]struct {
		in       results.Interaction
		executed *bool
		want     string
	}{
		"carried out":                  {scored, yes, "RS 75, Strict 50"},
		"not recorded":                 {scored, nil, "RS 75, Strict 50"},
		"not carried out":              {scored, no, "RS 0, Strict 0"},
		"unscored and carried out":     {results.Interaction{Unscored: results.ContextMismatch}, yes, "RS –, Strict –"},
		"unscored and not carried out": {results.Interaction{Unscored: results.ContextMismatch}, no, "RS 0, Strict 0"},
		"a service failed":             {results.Interaction{Unscored: results.ServiceFault}, no, "RS –, Strict –"},
	} {
		if got := ending(c.in, c.executed).show(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	mean := noOpsMean([]Relay{{NoOps: ending(scored, yes)}, {NoOps: ending(scored, no)}, {}})
	if got := mean.show(); got != "RS 37.5, Strict 25" {
		t.Errorf("the mean is %s", got)
	}
}
