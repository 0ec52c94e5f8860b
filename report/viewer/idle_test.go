package viewer

import (
	"strings"
	"testing"
	"time"

	"agentd/results"
	"agentd/vfs"
)

// An arm that did under half of its edits has no RS on any page, though its document is whole: the
// pages say what it did, and RS with no-ops as 0.
func TestAnArmThatDidLittleHasNoRS(t *testing.T) {
	t.Parallel()
	s := newSite(t, Options{})
	manifest := s.experiment.Manifest
	manifest.Models = []results.Model{{Name: "m"}}
	e, err := s.store.Begin(t.Context(), "idle", manifest, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	relays := []results.Relay{{Policy: "works"}, {Policy: "rests"}, {Policy: "rests", Repeat: 2}}
	for i := range relays {
		r := &relays[i]
		r.Experiment, r.Model, r.Environment, r.Domain, r.Repeat, r.Schedule = e.ID, "m", "books1", "accounting", max(r.Repeat, 1), []string{"split"}
	}
	if relays, err = s.store.Plan(t.Context(), relays, nil); err != nil {
		t.Fatal(err)
	}
	for i, r := range relays {
		for number := 1; number <= 2; number++ {
			in := results.Interaction{Relay: r.ID, Number: number, Edit: "split", Direction: results.Forward, Started: time.Unix(0, 0), Ending: "finished", Output: vfs.Files{"books.ledger": seed}}
			if number == 1 {
				in.Executed = to(i == 0)
			} else {
				in.Direction, in.Score = results.Backward, &results.Score{RS: []float64{0.625, 0.97, 0.97}[i], Strict: []float64{0.99, 0.97, 0.97}[i]}
			}
			if err := s.store.Append(t.Context(), &in, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		path string
		says []string
		not  string // a number that is not there
	}{
		{"/", []string{"62.5 @2", "31.2 m rests did 0 of 2 edits"}, "97.0"},
		{"/experiments/idle", []string{"m rests – did 0 of 2 edits 0.0 – 0.0", "62.5"}, "97.0"},
		{"/experiments/idle/matrix", []string{"62.5", "did 0 of 1 edit no-ops 0: 0.0", "RS@2, no-ops 0 31.2"}, "97.0"},
		{relayAddress(relays[1].ID), []string{"RS after 2 interactions – did 0 of 1 edit RS, no-ops 0 0.0 Biggest drop"}, ""},
		{relayAddress(relays[0].ID), []string{"RS after 2 interactions 62.5 Strict 99.0"}, "no-ops 0"},
	} {
		said := pageText(s.get(c.path).Body.String())
		for _, want := range c.says {
			if !strings.Contains(said, want) {
				t.Errorf("%s does not say %q: %s", c.path, want, said)
			}
		}
		if c.not != "" && strings.Contains(said, c.not) {
			t.Errorf("%s says %s: %s", c.path, c.not, said)
		}
	}
}
