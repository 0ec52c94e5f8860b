package harness

import (
	"context"

	"agentd/domains"
	"agentd/environments"
	"agentd/policies"
	"agentd/results"
	"agentd/sandbox"
)

// relay is a chain of round trips of one policy on one environment.
type relay struct {
	record             results.Relay
	env                *environments.Environment
	domain             domains.Domain // nil if it is not built
	policy             policies.Policy
	schedule           []int
	seed               uint64
	withoutDistractors bool
	newRunner          func() (sandbox.Runner, error)
}

// steps is the number of interactions of the whole relay.
func (r *relay) steps() int { return 2 * len(r.schedule) }

// run carries out the interactions that are not stored yet and stores each as
// it ends. done is told of every one and says whether to go on.
func (r *relay) run(ctx context.Context, store *results.Store, done func(*results.Interaction) bool) error {
	last, documents, err := store.Last(ctx, r.record.ID)
	if err != nil {
		return err
	}
	if last == 0 {
		documents = r.env.Seed
	}
	for number := last + 1; number <= r.steps(); number++ {
		in, err := r.interact(ctx, stepOf(r.env, r.schedule, number), documents)
		if err != nil {
			return err
		}
		// What was paid for is stored even if the run is being interrupted.
		if err := store.Append(context.WithoutCancel(ctx), in); err != nil {
			return err
		}
		documents = in.Output
		if !done(in) {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}
