package process

import (
	"context"
	"errors"
	"time"

	"agentd/harness/experiment"
	"agentd/harness/fleet"
	"agentd/internal/usage"
	"agentd/results"
)

// Terms are the settings of one run of an experiment. They do not affect results.
type Terms struct {
	MaxUSD       *float64 // nil for no limit
	MaxFaults    fleet.FaultLimit
	AllowChanged bool // continue even if the manifest differs from the stored one
	Retry        bool // retry the relays that ended early because a service was unavailable
}

// Run is one experiment that this process finishes.
type Run struct {
	Record results.Experiment
	fleet  *fleet.Fleet
}

// Begin stores an experiment and queues its relays, or continues a stored one. It returns a
// usage.Error for an experiment that differs from the stored one, or that was cancelled.
func (p *Process) Begin(ctx context.Context, x *experiment.Experiment, terms Terms) (*Run, error) {
	p.telemetry.watch(x.Experiment)
	work, err := fleet.New(ctx, p.store, fleet.Options{
		Concurrency: p.options.Concurrency, Grace: p.options.Grace, TakeOver: p.options.TakeOverAfter, Log: *p.options.Log,
		Stored: p.stored, Failed: verdict, MaxFaults: terms.MaxFaults,
	})
	if err != nil {
		return nil, err
	}
	record, err := work.Begin(ctx, x.Experiment, terms.MaxUSD, terms.AllowChanged)
	if errors.Is(err, results.ErrDiffers) || errors.Is(err, results.ErrCancelled) {
		return nil, usage.Wrap(err)
	}
	if err != nil {
		return nil, err
	}
	if terms.Retry {
		retried, err := work.Retry(ctx, record)
		if err != nil {
			return nil, err
		}
		if retried > 0 {
			p.options.Log.Info().Int("relays", retried).Msg("taking up again what failed because a service was unavailable")
		}
	}
	return &Run{record, work}, nil
}

// Finish works on the experiment as fleet.Finish does. If a limit or a model's server ended the
// work, unfinished says why, and the stored results can be reported. err is any other error.
func (r *Run) Finish(ctx, now context.Context) (unfinished, err error) {
	err = r.fleet.Finish(ctx, now, r.Record)
	var left *fleet.LeftError
	if errors.Is(err, fleet.ErrMaxCost) || errors.Is(err, fleet.ErrMaxFaults) || errors.As(err, &left) {
		return err, nil
	}
	return nil, err
}

// Resume ends the pause of an experiment and, if maxUSD is not nil, sets its limit. If this
// process has to go on with the experiment, Resume returns the store opened for work. The
// store is nil if workers share the database, or if another process works on the file.
func Resume(ctx context.Context, reading *results.Store, db string, record *results.Experiment, maxUSD *float64) (*results.Store, error) {
	if maxUSD != nil {
		record.MaxCost = maxUSD
		if err := reading.SetMaxCost(ctx, record.ID, maxUSD); err != nil {
			return nil, err
		}
	}
	if err := fleet.Resume(ctx, reading, *record); err != nil || results.IsShared(db) {
		return nil, err
	}
	store, err := results.Open(db)
	if errors.Is(err, results.ErrLocked) {
		return nil, nil // the process that has the file continues the work
	}
	return store, err
}

// Later keeps the rates of models and the answers of judges in a store that is opened after
// the experiment, so that an experiment that cannot be opened creates no database.
type Later struct{ *results.Store }

// Take implements models.Limiter.
func (l *Later) Take(ctx context.Context, bucket string, perMinute, amount float64) (time.Duration, error) {
	return fleet.Rates{Store: l.Store}.Take(ctx, bucket, perMinute, amount)
}
