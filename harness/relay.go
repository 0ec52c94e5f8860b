package harness

import (
	"context"

	"agentd/results"
)

// Hooks are called for a relay's interactions.
type Hooks struct {
	// Within runs in the transaction that stores an interaction; last says that the relay ends
	// with it. If it returns an error, nothing is stored and the work ends.
	Within func(tx results.Tx, last bool) error
	// Stored is called after each interaction is stored. It returns whether to continue.
	Stored func(*results.Interaction) bool
}

// Work carries out the interactions of a planned relay that are not stored yet, and stores each as
// it ends. ended is true if all interactions are stored, or if the last one failed because a
// service was unavailable.
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
			// Store what was paid for, even if the run is being interrupted.
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
