package harness

import (
	"context"
	"fmt"

	"agentd/environments"
	"agentd/policies"
	"agentd/results"
	"agentd/vfs"
)

// Play carries out the interactions from the number first to the number last of a relay, as Work
// does, and stores nothing. A backward step that comes first begins with what the edit's exact
// program makes of the seed; without one it is an error. ended is told of each interaction as it ends;
// record.ID need not be that of a stored relay. An interaction that failed because a service was unavailable is
// the last one.
func (w *Worker) Play(ctx context.Context, record results.Relay, first, last int, ended func(*results.Interaction)) error {
	r, err := w.relay(record)
	if err != nil {
		return err
	}
	if first < 1 || last > r.steps() {
		return fmt.Errorf("a relay of %d interactions has none from %d to %d", r.steps(), first, last)
	}
	documents := r.env.Seed
	if first%2 == 0 {
		if documents, err = r.done(stepOf(r.env, r.schedule, first-1)); err != nil {
			return err
		}
	}
	talk := &policies.Conversation{}
	for number := first; number <= last; number++ {
		a, err := r.attempt(ctx, stepOf(r.env, r.schedule, number), documents, talk)
		if err != nil {
			return err
		}
		if err := r.finish(func() error { return r.conclude(ctx, a) }); err != nil {
			return err
		}
		ended(a.in)
		if a.in.Unscored == results.ServiceFault {
			return nil
		}
		documents = a.in.Output
		if r.Turns.Carried {
			talk = a.task.Conversation
		}
	}
	return nil
}

// Once carries out one edit in one direction, as the experiment's only arm, and
// stores nothing. A backward step begins with what the edit's exact program makes
// of the seed; without one it is an error.
func (w *Worker) Once(ctx context.Context, env *environments.Environment, edit environments.Edit, direction results.Direction) (*results.Interaction, error) {
	arm := w.Arms[0]
	number := 1
	if direction == results.Backward {
		number = 2
	}
	var in *results.Interaction
	err := w.Play(ctx, results.Relay{
		Model: arm.Model, Policy: arm.Policy.Name(), Environment: env.Name, Domain: env.Domain, Repeat: 1,
		Schedule: []string{edit.Name},
	}, number, number, func(ended *results.Interaction) { in = ended })
	return in, err
}

// done returns what the step's exact program makes of the seed.
func (r *relay) done(s step) (vfs.Files, error) {
	exact := s.exact(r.env, r.domain)
	if exact == nil {
		return nil, fmt.Errorf("edit %s of %s has no exact program to begin its way back with", s.edit.Name, r.env.Name)
	}
	documents, err := exact(r.env.Seed)
	if err != nil {
		return nil, fmt.Errorf("doing edit %s of %s: %w", s.edit.Name, r.env.Name, err)
	}
	return documents, nil
}
