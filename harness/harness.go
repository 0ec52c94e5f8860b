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
	"slices"

	"agentd/domains"
	"agentd/environments"
	"agentd/harness/judge"
	"agentd/policies"
	"agentd/results"
	"agentd/sandbox"
)

// Arm is a policy with the model it asks. An experiment compares arms.
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
	// Texts are the prompts, which the manifest names by their hashes.
	Texts []string
	// Domain finds a domain by name; false if there is none.
	Domain func(name string) (domains.Domain, bool)
	// Seats is how many relays of a model all processes together may work on at a time. A model
	// without a limit is not listed.
	Seats      map[string]int
	Protocol   policies.Protocol // Clean if empty
	OnFault    FaultRule         // StopRelay if empty
	RoundTrips int               // of a relay; 1 under SingleRoundTrips
	Repeats    int
	Schedule   ScheduleKind
	// ScheduleEdits are the edits of the schedule Listed, at least one; every environment has
	// them. It is empty for other schedules.
	ScheduleEdits []string
	Turns         Turns
	Seed          uint64
	Distractors   bool
	Sandbox       sandbox.Backend // nil if no policy needs one
	Judge         *judge.Judge    // nil for none; domains that need one then have fallbacks
	Limits        sandbox.Limits
	// FullTrace keeps what models said and what went in and out of tools.
	FullTrace bool
}

// Plan returns the relays of an experiment, with the arms of one environment and repeat next to
// each other.
func (x *Experiment) Plan(experiment string) []results.Relay {
	var relays []results.Relay
	most := 0
	for i := range x.Environments {
		most = max(most, x.RelaysOn(&x.Environments[i]))
	}
	for repeat := 1; repeat <= most; repeat++ {
		for i := range x.Environments {
			env := &x.Environments[i]
			if repeat > x.RelaysOn(env) {
				continue
			}
			names := x.scheduled(env, repeat)
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

// Begin stores the experiment, its environments and prompts, and plans its
// relays. It does nothing twice. maxCost is in USD, nil for no limit;
// allowChanged records what differs from an experiment of the same name instead
// of refusing it. added is called with relays that are new, in the transaction
// that stores them; it may be nil.
func (x *Experiment) Begin(ctx context.Context, store *results.Store, maxCost *float64, allowChanged bool, added func(results.Tx, []results.Relay) error) (results.Experiment, []results.Relay, error) {
	record, err := x.Record(ctx, store, maxCost, allowChanged)
	if err != nil {
		return record, nil, err
	}
	relays, err := store.Plan(ctx, x.Plan(record.ID), added)
	return record, relays, err
}

// Record stores the experiment, its environments and prompts as Begin does, but plans no relays.
func (x *Experiment) Record(ctx context.Context, store *results.Store, maxCost *float64, allowChanged bool) (results.Experiment, error) {
	record, err := store.Begin(ctx, x.Name, x.Manifest, maxCost, allowChanged)
	if err != nil {
		return record, err
	}
	texts := slices.Clone(x.Texts)
	for i := range x.Environments {
		texts = append(texts, x.Environments[i].Encode())
	}
	return record, store.PutContents(ctx, texts)
}
