package harness

import (
	"context"

	"agentd/results"
)

// Hooks are told of a relay's interactions.
type Hooks struct {
	// Within runs in the transaction that stores an interaction; last says that
	// the relay ends with it. An error stores nothing and ends the work.
	Within func(tx results.Tx, last bool) error
	// Stored is told of each interaction once it is stored and says whether to go
	// on.
	Stored func(*results.Interaction) bool
}

// Work carries out those interactions of a planned relay that are not stored
// yet and stores each as it ends. It reports whether the relay is at its end: all
// interactions are stored, or the last one failed because a service was unavailable.
func (w *Worker) Work(ctx context.Context, store *results.Store, record results.Relay, hooks Hooks) (ended bool, err error) {
	r, err := w.relay(record)
	if err != nil {
		return false, err
	}
	last, err := store.Last(ctx, record.ID)
	if err != nil || last.Ended {
		return last.Ended, err
	}
	documents := last.Documents
	if last.Number == 0 {
		documents = r.env.Seed
	}
	talk, err := r.conversation(ctx, store)
	if err != nil {
		return false, err
	}
	for number := last.Number + 1; number <= r.steps(); number++ {
		a, err := r.attempt(ctx, stepOf(r.env, r.schedule, number), documents, talk)
		if err != nil {
			return false, err
		}
		ends := false
		err = r.finish(func() error {
			if err := r.conclude(ctx, a); err != nil {
				return err
			}
			ends = number == r.steps() || a.in.Unscored == results.ServiceFault
			// What was paid for is stored even if the run is being interrupted.
			return store.Append(context.WithoutCancel(ctx), a.in, func(tx results.Tx) error {
				if hooks.Within == nil {
					return nil
				}
				return hooks.Within(tx, ends)
			})
		})
		if err != nil {
			return false, err
		}
		documents = a.in.Output
		if r.Turns.Carried {
			talk = a.task.Conversation
		}
		goOn := hooks.Stored == nil || hooks.Stored(a.in)
		switch {
		case ends || !goOn:
			return ends, nil
		case ctx.Err() != nil:
			return false, ctx.Err()
		}
	}
	return true, nil
}
