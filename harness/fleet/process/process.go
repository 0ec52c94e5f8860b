// Package process does one process's share of the work on experiments: it opens stored
// experiments, has the fleet carry out their relays, logs what a user should see, serves
// metrics and sends spans.
package process

import (
	"context"
	"errors"
	"sync"

	"github.com/rs/zerolog"

	"agentd/harness"
	"agentd/harness/experiment"
	"agentd/harness/fleet"
	"agentd/internal/memory"
	"agentd/models"
	"agentd/policies"
	"agentd/results"
)

// Options say how a process works. They do not affect results.
type Options struct {
	experiment.Machine
	Keys experiment.Keys // which keys stored experiments may send
	// Log may be changed while no experiment is worked on.
	Log *zerolog.Logger
}

// Process works on the experiments of a store. It must be closed.
type Process struct {
	store     *results.Store
	options   Options
	telemetry *telemetry
	opened    []*experiment.Experiment // closed by Close
	told      sync.Map                 // settings refused by a model's server that were already logged
}

// New returns a process that works on a store, which must be open for work. It starts the
// servers that the options ask for and sets the program's memory limit for work.
func New(ctx context.Context, store *results.Store, options Options) (*Process, error) {
	memory.Bound(memory.Work)
	t, err := startTelemetry(ctx, &options, store)
	if err != nil {
		return nil, err
	}
	return &Process{store: store, options: options, telemetry: t}, nil
}

// Close ends what New started, and closes the experiments that Work opened.
func (p *Process) Close() error {
	err := p.telemetry.stop()
	for _, x := range p.opened {
		err = errors.Join(err, x.Close())
	}
	return err
}

// Reopen opens a stored experiment with this machine's sandbox and keys. The caller closes
// it.
func Reopen(ctx context.Context, store *results.Store, record results.Experiment, options experiment.Options) (*experiment.Experiment, error) {
	spec, err := experiment.Stored(ctx, store, record)
	if err != nil {
		return nil, err
	}
	options.Limiter, options.Judgements = fleet.Rates{Store: store}, store
	return experiment.Open(ctx, spec, options)
}

// Work works on all experiments of the store until ctx ends, which is not an error. Running
// interactions may then go on for the grace period, or until now ends.
func (p *Process) Work(ctx, now context.Context) error {
	work, err := fleet.New(ctx, p.store, fleet.Options{
		Concurrency: p.options.Concurrency, Grace: p.options.Grace, TakeOver: p.options.TakeOverAfter, Log: *p.options.Log,
		Stored: p.stored, Open: p.open, Failed: p.later,
	})
	if err != nil {
		return err
	}
	err = work.Work(ctx, now)
	if errors.Is(err, context.Canceled) {
		return nil // that is how workers end
	}
	return err
}

// open opens a stored experiment that the process is about to work on.
func (p *Process) open(ctx context.Context, record results.Experiment) (*harness.Experiment, error) {
	options := p.options.Opening()
	options.Keys = p.options.Keys
	options.MayBeAway = true // its relays wait until the model's server answers
	x, err := Reopen(ctx, p.store, record, options)
	if err != nil {
		return nil, err
	}
	p.opened = append(p.opened, x)
	p.telemetry.watch(x.Experiment)
	p.options.Log.Info().Str("experiment", record.Name).Msg("working on it")
	return x.Experiment, nil
}

// later has a relay tried again later, unless the disk is full.
func (p *Process) later(relay results.Relay, err error) fleet.Verdict {
	p.options.Log.Error().Err(err).Int64("relay", relay.ID).Str("model", relay.Model).Msg("relay deferred")
	if errors.Is(err, results.ErrFull) {
		return fleet.Stop
	}
	return fleet.Later
}

// stored is called for every interaction that this process stores.
func (p *Process) stored(relay results.Relay, in *results.Interaction) {
	p.telemetry.stored(relay, in)
	p.warnOf(relay, in)
	for _, turn := range in.Turns {
		if turn.Without == "" {
			continue
		}
		if _, known := p.told.LoadOrStore([2]string{relay.Model, turn.Without}, true); !known {
			p.options.Log.Warn().Str("model", relay.Model).Str("without", turn.Without).Msg("the server refused settings; the model is asked without them")
		}
	}
}

// warnOf logs an interaction that failed for a reason that a user may want to look into during the
// run.
func (p *Process) warnOf(relay results.Relay, in *results.Interaction) {
	switch policies.Reason(in.Failure) {
	case policies.ModelError, policies.SandboxFailure:
		p.options.Log.Warn().Int64("relay", relay.ID).Str("model", relay.Model).Str("policy", relay.Policy).
			Str("environment", relay.Environment).Int("interaction", in.Number).
			Str("detail", in.Detail).Msg(in.Failure)
	}
}

// verdict decides what Finish does after an error that is not an interaction's failure. It stops
// the arm if its model can no longer be asked, so that other arms go on.
func verdict(_ results.Relay, err error) fleet.Verdict {
	var failure *models.Error
	if errors.As(err, &failure) && (failure.Kind == models.Ended || failure.Kind == models.Down) {
		return fleet.Leave
	}
	return fleet.Stop
}
