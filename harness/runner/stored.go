package runner

import (
	"context"
	"errors"

	"agentd/harness/experiment"
	"agentd/harness/fleet"
	"agentd/harness/fleet/process"
	"agentd/internal/usage"
	"agentd/report"
	"agentd/results"
)

// Action is an operation on a stored experiment.
type Action string

const (
	Pause  Action = "pause"  // keep all processes from starting its interactions
	Resume Action = "resume" // continue it with its settings
	Cancel Action = "cancel" // end it permanently
	Watch  Action = "watch"  // show its progress while other processes work on it
)

// Actions lists the actions there are.
func Actions() []Action { return []Action{Pause, Resume, Cancel, Watch} }

// Do does something with the stored experiment of a name, the newest one for the empty name. An experiment
// that is not there, or was cancelled, is a usage.Error.
func (r *Runner) Do(ctx context.Context, action Action, name string, s *Settings) error {
	open := results.OpenReading
	if action == Resume {
		open = results.OpenUpToDate // as a run does
	}
	return results.Using(open, s.DB, func(store *results.Store) error {
		record, err := store.Find(ctx, name)
		if err != nil {
			return err
		}
		switch action {
		case Pause:
			err = fleet.Pause(ctx, store, record)
		case Cancel:
			err = fleet.Cancel(ctx, store, record)
		case Watch:
			return r.watch(ctx, store, record, s)
		case Resume:
			err = r.resume(ctx, store, record, s)
		}
		if errors.Is(err, results.ErrCancelled) {
			return usage.Wrap(err)
		}
		return err
	})
}

// resume lifts a pause and, in a file that no process works on, goes on with the work. Limits.USD, if it is not
// nil, becomes the experiment's limit.
func (r *Runner) resume(ctx context.Context, reading *results.Store, record results.Experiment, s *Settings) (err error) {
	store, err := process.Resume(ctx, reading, s.DB, &record, s.Limits.USD)
	if store == nil || err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	options := s.Machine.Opening()
	options.Keys = s.Keys
	x, err := process.Reopen(ctx, store, record, options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	again := Settings{DB: s.DB, Keys: s.Keys, Tables: s.Tables, RetryFaults: s.RetryFaults,
		Spec: experiment.Spec{Machine: s.Machine, Unscored: s.Unscored, Limits: experiment.Limits{USD: record.MaxCost, MaxFaults: s.Limits.MaxFaults}}}
	return r.finish(ctx, store, x, &again)
}

// watch shows progress until the experiment is done or ctx ends, and then a summary.
func (r *Runner) watch(ctx context.Context, store *results.Store, record results.Experiment, s *Settings) error {
	bars, err := r.progress(ctx, store, record, s)
	if err != nil {
		return err
	}
	err = bars.Wait(ctx)
	bars.Stop()
	if err != nil || ctx.Err() != nil { // watching is no work that was interrupted
		return err
	}
	built, err := report.Build(ctx, store, record, s.reporting())
	if err != nil {
		return err
	}
	return r.summarise(ctx, built, store, s.DB)
}
