package results

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

func TestTheFirstJudgementIsKept(t *testing.T) {
	onEach(t, func(t *testing.T, store *Store) {
		ctx := t.Context()
		if answer, found, err := store.Judgement(ctx, "key"); found || err != nil {
			t.Errorf("%q is there, %v", answer, err)
		}
		for _, answer := range []string{"mine\x00", "another's"} {
			if kept, err := store.KeepJudgement(ctx, "key", "judge", answer); kept != "mine\ufffd" || err != nil {
				t.Errorf("%q is kept, %v", kept, err)
			}
		}
		if answer, found, err := store.Judgement(ctx, "key"); answer != "mine\ufffd" || !found || err != nil {
			t.Errorf("%q, %v, %v", answer, found, err)
		}
	})
}

func TestJudgedScoresAndFallbacksAreStored(t *testing.T) {
	onEach(t, func(t *testing.T, store *Store) {
		ctx := t.Context()
		relay := plan(t, store, "m")[0]
		stored := []Interaction{
			{Number: 1},
			{
				Number: 2, Score: &Score{RS: 0.5, Strict: 0.25, Components: map[string]float64{"length": 1}, Reference: 4, Candidate: 3, Judge: "reader"},
				Judging: Judging{Asked: 2, Prompt: 300, Completion: 20, Cost: usd(0.25)},
			},
			{Number: 3},
			{Number: 4, Fallback: &Fallback{Similarity: 0.75, Strict: 0.5, Reference: 4, Candidate: 2, Problem: "no judge"}, Judging: Judging{Asked: 1}},
		}
		for i := range stored {
			in := &stored[i]
			in.Relay, in.Cost, in.Output = relay.ID, usd(1), vfs.Files{}
			if err := store.Append(ctx, in, nil); err != nil {
				t.Fatal(err)
			}
		}
		read, err := store.RelaySummaries(ctx, relay.ID)
		if err != nil || len(read) != len(stored) {
			t.Fatalf("%d interactions, %v", len(read), err)
		}
		for i, in := range read {
			if diff := cmp.Diff(stored[i].Score, in.Score); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(stored[i].Fallback, in.Fallback); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(stored[i].Judging, in.Judging); diff != "" {
				t.Error(diff)
			}
		}
		arms, err := store.Arms(ctx, relay.Experiment)
		if err != nil || len(arms) != 1 {
			t.Fatalf("%d arms, %v", len(arms), err)
		}
		// The judge's cost counts; a judge of unknown price makes the whole unknown,
		// and a fallback is no score.
		want := Arm{
			Model: "m", Policy: "agentic", Relays: 1, Ended: 1, Planned: 4, Done: 4, Scored: 1,
			RSSum: 0.5, StrictSum: 0.25, Cost: 4.25, InteractionsOfNoPrice: 1,
		}
		if diff := cmp.Diff(want, arms[0]); diff != "" {
			t.Error(diff)
		}
	})
}
