package harness

import (
	"context"

	"golang.org/x/sync/errgroup"

	"agentd/environments"
	"agentd/results"
)

// Trial is one edit done alone, there and back, on a fresh seed.
type Trial struct {
	Arm         Arm
	Environment *environments.Environment
	Edit        environments.Edit
	Run         int // from 1
	Forward     *results.Interaction
	Backward    *results.Interaction
}

// Trials tries every edit of every environment alone, Repeats times an arm,
// so many at a time, and stores nothing. The trials of an edit stand
// together, in the order of arms and runs. RoundTrips and Schedule mean nothing
// here. The error is ctx's, or the program's or machine's fault.
func (w *Worker) Trials(ctx context.Context, concurrency int) ([]Trial, error) {
	var trials []Trial
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(max(1, concurrency))
	var relays []*relay
	for i := range w.Environments {
		env := &w.Environments[i]
		for edit := range env.Edits {
			for _, arm := range w.Arms {
				for run := 1; run <= w.Repeats; run++ {
					r, err := w.relay(results.Relay{
						Model: arm.Model, Policy: arm.Policy.Name(), Environment: env.Name, Domain: env.Domain, Repeat: run,
						Schedule: []string{env.Edits[edit].Name},
					})
					if err != nil {
						return nil, err
					}
					relays = append(relays, r)
					trials = append(trials, Trial{Arm: arm, Environment: env, Edit: env.Edits[edit], Run: run})
				}
			}
		}
	}
	for i, r := range relays {
		group.Go(func() (err error) {
			t := &trials[i]
			if t.Forward, err = r.interact(working, stepOf(r.env, r.schedule, 1), r.env.Seed); err != nil {
				return err
			}
			t.Backward, err = r.interact(working, stepOf(r.env, r.schedule, 2), t.Forward.Output)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return trials, nil
}
