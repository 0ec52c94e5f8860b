package fleet

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"agentd/harness"
	"agentd/models"
	"agentd/policies"
	"agentd/results"
)

// flaky is an experiment of 5 relays whose model gives no completion while it is down.
func flaky() (*harness.Experiment, *atomic.Bool) {
	down := &atomic.Bool{}
	down.Store(true)
	return experiment(5, policy{"p", func(_ context.Context, task *policies.Task) error {
		if down.Load() {
			return policies.Failf(policies.ModelError, "no completion")
		}
		return task.Workspace.Write("b.txt", "seed\n")
	}}), down
}

func TestFaultsEndRelaysAndMayBeTakenUpAgain(t *testing.T) {
	onEach(t, func(t *testing.T, address string) {
		store := open(t, address)
		x, down := flaky()
		standing, err := finish(t, store, x, nil, Options{})
		if err != nil || standing.Done != 5 || standing.Faults != 5 || standing.GivenUp != 25 || !standing.Complete() {
			t.Fatalf("while the model is down: %+v, %v", standing, err)
		}
		down.Store(false)
		// Work on it again does nothing: it is complete.
		if again, err := finish(t, store, x, nil, Options{}); err != nil || again != standing {
			t.Errorf("%+v, want %+v, %v", again, standing, err)
		}
		f := join(t, store, Options{})
		record, err := f.Begin(t.Context(), x, nil, false)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := f.Retry(t.Context(), record); n != 5 || err != nil {
			t.Fatalf("%d relays are taken up again, %v", n, err)
		}
		// They have jobs now, and are not taken up twice.
		if n, err := f.Retry(t.Context(), record); n != 0 || err != nil {
			t.Errorf("%d relays are taken up twice, %v", n, err)
		}
		if err := f.Finish(t.Context(), t.Context(), record); err != nil {
			t.Fatal(err)
		}
		if s := standingOf(t, store, record); s.Done != 30 || s.Faults != 0 || s.GivenUp != 0 || s.Ended != 5 {
			t.Errorf("done again: %+v", s)
		}
	})
}

func TestTooManyFaultsEndWork(t *testing.T) {
	onEach(t, func(t *testing.T, address string) {
		x, _ := flaky()
		standing, err := finish(t, open(t, address), x, nil, Options{Concurrency: 1, MaxFaults: FaultLimit{Number: 1}})
		if !errors.Is(err, ErrMaxFaults) || standing.Faults < 2 {
			t.Errorf("%+v, %v", standing, err)
		}
	})
}

func TestFaultLimits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		limit        FaultLimit
		faults, done int
		passed       bool
	}{
		"no limit":                  {FaultLimit{}, 1000, 1000, false},
		"as many as may be":         {FaultLimit{Number: 3}, 3, 10, false},
		"one more":                  {FaultLimit{Number: 3}, 4, 10, true},
		"none may be":               {FaultLimit{Share: 0.001}, 1, 20, true},
		"a share of too few":        {FaultLimit{Share: 0.1}, 19, 19, false},
		"just the share":            {FaultLimit{Share: 0.1}, 2, 20, false},
		"more than the share":       {FaultLimit{Share: 0.1}, 3, 20, true},
		"the number before a share": {FaultLimit{Number: 1, Share: 0.5}, 2, 20, true},
	} {
		if got := c.limit.Passed(results.Standing{Faults: c.faults, Done: c.done}); got != c.passed {
			t.Errorf("%s: passed is %v", name, got)
		}
	}
}

// An arm that is left ends alone, and the error says why. An experiment has two here.
func TestAnArmThatIsLeftEndsAlone(t *testing.T) {
	onEach(t, func(t *testing.T, address string) {
		refused := &models.Error{Kind: models.Ended, Model: "m", Err: errors.New("3 requests in a row were refused")}
		x := experiment(3, policy{"works", func(_ context.Context, task *policies.Task) error { return task.Workspace.Write("b.txt", "x") }})
		x.Arms = append(x.Arms, harness.Arm{Model: "m", Policy: policy{"refused", func(context.Context, *policies.Task) error { return refused }}})
		var told atomic.Int32
		standing, err := finish(t, open(t, address), x, nil, Options{Failed: func(relay results.Relay, err error) Verdict {
			told.Add(1)
			return Leave
		}})
		var left *LeftError
		if !errors.As(err, &left) || len(left.Arms) != 1 || !errors.Is(left.Arms[Arm{"m", "refused"}], refused) {
			t.Errorf("error %v", err)
		}
		if !strings.Contains(err.Error(), "m, refused: ") {
			t.Errorf("the error does not name the arm: %v", err)
		}
		if standing.Done != 18 || standing.Planned != 36 || told.Load() == 0 {
			t.Errorf("%+v after %d errors", standing, told.Load())
		}
	})
}

func TestReadingFaultLimits(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]FaultLimit{"": {}, "3": {Number: 3}, "5%": {Share: 0.05}, "2.5 %": {Share: 0.025}} {
		var got FaultLimit
		if err := got.Set(text); got != want || err != nil {
			t.Errorf("%q is %+v, want %+v, %v", text, got, want, err)
		}
	}
	for _, text := range []string{"0", "-1", "0%", "100%", "x", "1.5", "%", "NaN%"} {
		var got FaultLimit
		if err := got.Set(text); err == nil {
			t.Errorf("%q is %+v, want an error", text, got)
		}
	}
}
