// Package harness runs experiments: it delegates edits to policies in relays of
// round trips, and scores after each round trip how much of the seed survived.
//
// An experiment is a matrix of models, policies, environments and repeats; each
// cell is a relay. Its schedule, file order and seeds depend on (seed,
// environment, repeat) alone, so all arms see the same work and can be compared
// in pairs. Every interaction is stored as it ends, and a run goes on from what
// is stored.
package harness

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"agentd/domains"
	"agentd/environments"
	"agentd/policies"
	"agentd/results"
	"agentd/sandbox"
)

// Arm is a policy with the model it asks: what experiments compare.
type Arm struct {
	Model  string // empty for policies without one
	Policy policies.Policy
}

// Experiment says what to run.
type Experiment struct {
	Name         string
	Manifest     results.Manifest
	Arms         []Arm
	Environments []environments.Environment
	// Domain finds a domain by name; false if it is not built.
	Domain      func(name string) (domains.Domain, bool)
	RoundTrips  int
	Repeats     int
	Schedule    ScheduleKind
	Seed        uint64
	Distractors bool
	Sandbox     sandbox.Backend // nil if no policy needs one
	Limits      sandbox.Limits
	Concurrency int      // relays at a time
	MaxCost     *float64 // USD; start no interaction beyond it; nil for no limit
	// Stored is told, before work begins, of every interaction that earlier runs
	// stored; nil if nobody asks.
	Stored func(results.Relay, *results.Interaction)
	// Progress is told of every interaction that is stored, one at a time.
	Progress func(Progress)
}

// Progress is how far an experiment is.
type Progress struct {
	Relay       results.Relay
	Interaction *results.Interaction
	Done, Total int // interactions, those of earlier runs included
	Cost        float64
}

// ErrMaxCost ends a run that has cost as much as it may.
var ErrMaxCost = errors.New("the experiment has cost as much as it may")

// Plan returns the relays of an experiment, ordered so that the arms of one
// environment and repeat stand together.
func (x *Experiment) Plan(experiment string) []results.Relay {
	var relays []results.Relay
	for repeat := 1; repeat <= x.Repeats; repeat++ {
		for i := range x.Environments {
			env := &x.Environments[i]
			order := schedule(x.Schedule, x.Seed, env.Name, repeat, len(env.Edits), x.RoundTrips)
			names := make([]string, len(order))
			for k, edit := range order {
				names[k] = env.Edits[edit].Name
			}
			for _, arm := range x.Arms {
				relays = append(relays, results.Relay{
					Experiment: experiment, Model: arm.Model, Policy: arm.Policy.Name(),
					Environment: env.Name, Domain: env.Domain, Repeat: repeat, Schedule: names,
				})
			}
		}
	}
	return relays
}

// Run carries out what of the experiment is not stored yet. It returns ctx's
// error if it was interrupted and ErrMaxCost if it stopped for its cost; in both
// cases all that ended is stored.
func (x *Experiment) Run(ctx context.Context, store *results.Store) (results.Experiment, error) {
	record, err := store.Begin(ctx, x.Name, x.Manifest)
	if err != nil {
		return record, err
	}
	texts := make([]string, len(x.Environments))
	for i := range x.Environments {
		texts[i] = x.Environments[i].Encode()
	}
	if err := store.PutContents(ctx, texts); err != nil {
		return record, err
	}
	planned, err := store.Plan(ctx, x.Plan(record.ID))
	if err != nil {
		return record, err
	}
	meter, err := x.newMeter(ctx, store, record.ID, planned)
	if err != nil {
		return record, err
	}
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(max(1, x.Concurrency))
	for i := range planned {
		if working.Err() != nil {
			break
		}
		r, err := x.relay(planned[i], i)
		if err != nil {
			return record, errors.Join(err, group.Wait())
		}
		group.Go(func() error {
			if meter.overLimit() {
				return nil
			}
			return r.run(working, store, func(in *results.Interaction) bool { return meter.add(r.record, in) })
		})
	}
	if err := group.Wait(); err != nil {
		return record, err
	}
	if meter.overLimit() && meter.done < meter.total {
		return record, fmt.Errorf("%w: %.4f of %.4f USD", ErrMaxCost, meter.cost, *x.MaxCost)
	}
	return record, ctx.Err()
}

// relay prepares the n-th planned relay.
func (x *Experiment) relay(record results.Relay, n int) (*relay, error) {
	env := &x.Environments[n/len(x.Arms)%len(x.Environments)]
	arm := x.Arms[n%len(x.Arms)]
	r := &relay{
		record: record, env: env, policy: arm.Policy, seed: x.Seed,
		schedule:           schedule(x.Schedule, x.Seed, env.Name, record.Repeat, len(env.Edits), x.RoundTrips),
		withoutDistractors: !x.Distractors,
		newRunner: func() (sandbox.Runner, error) {
			if x.Sandbox == nil {
				return nil, fmt.Errorf("%w: the experiment was started without one", sandbox.ErrUnavailable)
			}
			return x.Sandbox.NewRunner(x.Limits)
		},
	}
	if record.Environment != env.Name || record.Policy != arm.Policy.Name() || record.Model != arm.Model {
		return nil, fmt.Errorf("relay %d is not the one planned at its place", record.ID)
	}
	if domain, ok := x.Domain(env.Domain); ok {
		r.domain = domain.With(env.Metadata)
	}
	return r, nil
}

// meter counts interactions and money across relays.
type meter struct {
	mu       sync.Mutex
	done     int
	total    int
	cost     float64
	maxCost  *float64
	progress func(Progress)
}

func (x *Experiment) newMeter(ctx context.Context, store *results.Store, experiment string, planned []results.Relay) (*meter, error) {
	m := &meter{total: len(planned) * x.RoundTrips * 2, maxCost: x.MaxCost, progress: x.Progress}
	stored, err := store.Summaries(ctx, experiment)
	relays := map[int64]results.Relay{}
	for _, r := range planned {
		relays[r.ID] = r
	}
	for i := range stored {
		in := &stored[i]
		if x.Stored != nil {
			x.Stored(relays[in.Relay], in)
		}
		m.done++
		if in.Cost != nil {
			m.cost += *in.Cost
		}
	}
	return m, err
}

// overLimit reports whether the limit on the cost is reached. Work under way is
// not cut short for it, only no more is begun.
func (m *meter) overLimit() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.maxCost != nil && m.cost >= *m.maxCost
}

// add counts a stored interaction, tells Progress of it, and reports whether
// the relay may go on.
func (m *meter) add(r results.Relay, in *results.Interaction) bool {
	m.mu.Lock()
	m.done++
	if in.Cost != nil {
		m.cost += *in.Cost
	}
	if m.progress != nil {
		m.progress(Progress{Relay: r, Interaction: in, Done: m.done, Total: m.total, Cost: m.cost})
	}
	m.mu.Unlock()
	return !m.overLimit()
}
