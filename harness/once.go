package harness

import (
	"context"
	"fmt"

	"agentd/environments"
	"agentd/results"
	"agentd/vfs"
)

// Once carries out one edit in one direction, as the experiment's only arm, and
// stores nothing. A backward step begins with what the edit's exact program makes
// of the seed; without one it is an error.
func (w *Worker) Once(ctx context.Context, env *environments.Environment, edit environments.Edit, direction results.Direction) (*results.Interaction, error) {
	arm := w.Arms[0]
	r, err := w.relay(results.Relay{
		Model: arm.Model, Policy: arm.Policy.Name(), Environment: env.Name, Domain: env.Domain, Repeat: 1,
		Schedule: []string{edit.Name},
	})
	if err != nil {
		return nil, err
	}
	forward := stepOf(r.env, r.schedule, 1)
	if direction == results.Forward {
		return r.interact(ctx, forward, r.env.Seed)
	}
	documents, err := r.done(forward)
	if err != nil {
		return nil, err
	}
	return r.interact(ctx, stepOf(r.env, r.schedule, 2), documents)
}

// done is what the step's exact program makes of the seed.
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
