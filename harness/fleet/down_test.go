package fleet

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"agentd/internal/eventually"
	"agentd/models"
	"agentd/policies"
	"agentd/results"
)

// Of a model whose server is down, the other relays do not find out one by one.
func TestAServerThatIsDownIsLeftAlone(t *testing.T) {
	onEach(t, func(t *testing.T, address string) {
		store := open(t, address)
		var asked atomic.Int32
		p := policy{"p", func(context.Context, *policies.Task) error {
			asked.Add(1)
			return &models.Error{Kind: models.Down, Model: "m", Err: errors.New("no answer")}
		}}
		f := join(t, store, Options{Concurrency: 1, Failed: func(results.Relay, error) Verdict { return Later }})
		record, err := f.Begin(t.Context(), experiment(3, p), nil, false)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- f.Finish(ctx, t.Context(), record) }()
		eventually.Holds(t, "all three relays are put off", func() bool {
			depth, err := queueDepth{store}.depth(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return depth["scheduled"] == 3
		})
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if n := asked.Load(); n != 1 {
			t.Errorf("the model was asked for %d relays, want 1", n)
		}
		if standing := standingOf(t, store, record); standing.Done != 0 {
			t.Errorf("%d interactions are stored, want none", standing.Done)
		}
	})
}
