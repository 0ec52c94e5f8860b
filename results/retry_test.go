package results

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// final is a reason that no repetition changes.
const final = "too long"

// What is taken up again is as if it had never been done, but for its cost and its record.
func TestRetryTakesOutFromTheFirstFaultOn(t *testing.T) {
	onEach(t, func(t *testing.T, store *Store) {
		relays := plan(t, store, "broken", "whole")
		experiment := relays[0].Experiment
		for number := 1; number <= 4; number++ {
			if err := store.Append(t.Context(), typical(relays[1].ID, number), nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := store.Append(t.Context(), typical(relays[0].ID, 1), nil); err != nil {
			t.Fatal(err)
		}
		before, err := store.Standing(t.Context(), experiment)
		if err != nil {
			t.Fatal(err)
		}
		fault := typical(relays[0].ID, 2)
		fault.Failure, fault.Detail, fault.Unscored, fault.GivenUp = "model error", "status 503", ServiceFault, 2
		if err := store.Append(t.Context(), fault, nil); err != nil {
			t.Fatal(err)
		}
		if s, err := store.Standing(t.Context(), experiment); err != nil || s.Faults != 1 || s.GivenUp != 2 || !s.Complete() || s.Ended != 2 {
			t.Errorf("after a fault: %+v, %v", s, err)
		}

		busy := func(Tx, Relay) error { return ErrBusy }
		if n, err := store.Retry(t.Context(), experiment, final, busy); n != 0 || err != nil {
			t.Errorf("%d relays that are worked on were taken up, %v", n, err)
		}
		broken := errors.New("broken")
		if _, err := store.Retry(t.Context(), experiment, final, func(Tx, Relay) error { return broken }); !errors.Is(err, broken) {
			t.Errorf("error %v, want %v", err, broken)
		}
		if all, err := store.Interactions(t.Context(), relays[0].ID); len(all) != 2 || err != nil {
			t.Fatalf("%d interactions are left, %v; nothing was taken up yet", len(all), err)
		}

		var again []int64
		n, err := store.Retry(t.Context(), experiment, final, func(_ Tx, r Relay) error {
			again = append(again, r.ID)
			return nil
		})
		if diff := cmp.Diff([]int64{relays[0].ID}, again); diff != "" || n != 1 || err != nil {
			t.Errorf("%d relays, %v: %s", n, err, diff)
		}
		if all, err := store.Interactions(t.Context(), relays[0].ID); len(all) != 1 || err != nil {
			t.Errorf("%d interactions are left, want 1, %v", len(all), err)
		}
		after, err := store.Standing(t.Context(), experiment)
		if err != nil {
			t.Fatal(err)
		}
		before.Cost += *fault.Cost // what was paid stays paid
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("-before the fault +taken up\n%s", diff)
		}
		former, err := store.Replaced(t.Context(), relays[0].ID, 2)
		if err != nil || len(former) != 1 {
			t.Fatalf("%d former attempts, %v", len(former), err)
		}
		if r := former[0]; r.Failure != "model error" || r.Detail != "status 503" || len(r.ToolCalls) != 6 || r.At.IsZero() {
			t.Errorf("the record is %+v", r)
		}

		// Done again, and whole.
		for number := 2; number <= 4; number++ {
			if err := store.Append(t.Context(), typical(relays[0].ID, number), nil); err != nil {
				t.Fatal(err)
			}
		}
		if s, err := store.Standing(t.Context(), experiment); err != nil || s.Faults != 0 || s.Done != s.Planned || s.Ended != 2 {
			t.Errorf("done again: %+v, %v", s, err)
		}
		if n, err := store.Retry(t.Context(), experiment, final, busy); n != 0 || err != nil {
			t.Errorf("%d relays are left to take up, %v", n, err)
		}
	})
}

func TestRetryLeavesWhatWouldFailAgain(t *testing.T) {
	onEach(t, func(t *testing.T, store *Store) {
		relays := plan(t, store, "longer than the model takes")
		fault := typical(relays[0].ID, 1)
		fault.Failure, fault.Detail, fault.Unscored, fault.GivenUp = final, "9031 of 8192 tokens", ServiceFault, 3
		if err := store.Append(t.Context(), fault, nil); err != nil {
			t.Fatal(err)
		}
		again := func(Tx, Relay) error { return nil }
		if n, err := store.Retry(t.Context(), relays[0].Experiment, final, again); n != 0 || err != nil {
			t.Errorf("%d relays were taken up, %v", n, err)
		}
		if n, err := store.Retry(t.Context(), relays[0].Experiment, "another reason", again); n != 1 || err != nil {
			t.Errorf("%d relays were taken up, %v, want 1", n, err)
		}
	})
}
