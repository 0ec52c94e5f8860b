package report

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/results"
)

// Episodes of a gym run at the same time, so the order in which they end says nothing.
func TestIntervalsOfEpisodesDoNotDependOnTheirOrder(t *testing.T) {
	t.Parallel()
	scores := map[string]float64{"books1": 0.9, "books2": 0.31, "image1": 0.57, "ledger1": 0.99, "ledger2": 0.78}
	of := func(names []string) Arm {
		s := newStored(t, results.Manifest{Traits: map[string]results.Traits{"gym": {Use: "gym"}}})
		for _, name := range names {
			s.relay(results.Relay{Policy: "gym", Environment: name, Schedule: []string{"split"}}, used(1, 1, 1), backward(used(1, 1, 1), scores[name], scores[name]))
		}
		r, err := Build(t.Context(), s.Store, s.experiment, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return r.Arms[0]
	}
	names := []string{"ledger2", "books1", "image1", "ledger1", "books2"}
	first := of(names)
	if !first.RS[0].Bounded() {
		t.Fatalf("no interval: %+v", first.RS)
	}
	slices.Reverse(names)
	if diff := cmp.Diff(first.RS, of(names).RS); diff != "" {
		t.Error(diff)
	}
}
