package report

import (
	"testing"

	"agentd/results"
)

// Of eight interactions two finished, one stopped and one exited: a half ended cleanly; three ran
// out of a budget and one failed. The direct arm answers, and has no row.
func TestHowInteractionsEnded(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}})
	var steps []results.Interaction
	for _, ending := range []string{"finished", "stopped", "budget", "exited", "failed", "finished", "budget", "budget"} {
		in := used(1, 1, 1, 0)
		in.Ending = ending
		steps = append(steps, in)
	}
	s.relay(results.Relay{Model: "m", Policy: "agentic", Environment: "books1", Schedule: make([]string, 4)}, steps...)
	answered := used(1, 1, 1, 0)
	answered.Ending = "answered"
	s.relay(results.Relay{Model: "m", Policy: "direct", Environment: "books1", Schedule: make([]string, 1)}, answered)
	s.build().wantCells(t, "tools", "finishes", map[string][]float64{"m|agentic": {8, 0.5, 0.25, 0.125, 0.125, 0.375, 0.125}})
}
