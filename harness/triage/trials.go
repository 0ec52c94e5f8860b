package triage

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"agentd/domains"
	"agentd/environments"
	"agentd/harness"
	"agentd/policies"
	"agentd/results"
)

// Trial is one edit done in isolation, there and back on a fresh seed.
type Trial struct {
	Model, Policy string
	Environment   *environments.Environment
	Edit          environments.Edit
	Run           int // from 1
	Forward       *results.Interaction
	Backward      *results.Interaction // nil if a service failed the forward step
}

// ErrNotSingle says that an experiment's relays are not single round trips.
var ErrNotSingle = errors.New("its relays are not single round trips (schedule: single-round-trips)")

// Stored reads the trials of an experiment of single round trips, edit by edit as the
// environments have them, and then by arm and run. missing counts those that are planned and
// not stored. An experiment of another schedule is ErrNotSingle.
func Stored(ctx context.Context, store *results.Store, record results.Experiment) (trials []Trial, missing int, err error) {
	if harness.ScheduleKind(record.Manifest.Schedule) != harness.SingleRoundTrips {
		return nil, 0, fmt.Errorf("experiment %s: %w", record.Name, ErrNotSingle)
	}
	relays, err := store.Relays(ctx, record.ID)
	if err != nil {
		return nil, 0, err
	}
	envs := map[string]*environments.Environment{}
	var order []string // environments as they were planned
	byEdit := map[[2]string][]Trial{}
	for _, relay := range relays {
		env := envs[relay.Environment]
		if env == nil {
			if env, err = environment(ctx, store, record, relay.Environment); err != nil {
				return nil, 0, err
			}
			envs[relay.Environment] = env
			order = append(order, relay.Environment)
		}
		t, there, err := stored(ctx, store, relay, env)
		if err != nil {
			return nil, 0, err
		}
		if !there {
			missing++
			continue
		}
		key := [2]string{env.Name, t.Edit.Name}
		byEdit[key] = append(byEdit[key], t)
	}
	for _, name := range order {
		for _, edit := range envs[name].Edits {
			trials = append(trials, byArm(byEdit[[2]string{name, edit.Name}])...)
		}
	}
	return trials, missing, nil
}

func environment(ctx context.Context, store *results.Store, record results.Experiment, name string) (*environments.Environment, error) {
	text, err := store.Content(ctx, record.Manifest.Environments[name])
	if err != nil {
		return nil, fmt.Errorf("reading environment %s: %w", name, err)
	}
	env, err := environments.Decode(text)
	return &env, err
}

// stored is the trial of a relay; false if it is not at its end.
func stored(ctx context.Context, store *results.Store, relay results.Relay, env *environments.Environment) (t Trial, there bool, err error) {
	steps, err := store.Interactions(ctx, relay.ID)
	trips := results.Trips(steps)
	if err != nil || len(trips) == 0 || trips[0].Forward == nil {
		return t, false, err
	}
	trip := trips[0]
	if trip.Backward == nil && trip.Forward.Unscored != results.ServiceFault {
		return t, false, nil
	}
	at := slices.IndexFunc(env.Edits, func(e environments.Edit) bool { return e.Name == trip.Forward.Edit })
	if at < 0 {
		return t, false, fmt.Errorf("relay %d has the edit %s, which %s does not have", relay.ID, trip.Forward.Edit, env.Name)
	}
	return Trial{
		Model: relay.Model, Policy: relay.Policy, Environment: env, Edit: env.Edits[at],
		Run: (relay.Repeat-1)/len(env.Edits) + 1, Forward: trip.Forward, Backward: trip.Backward,
	}, true, nil
}

// Environments returns the environments of trials, each once, in the order of the trials.
func Environments(trials []Trial) []environments.Environment {
	var envs []environments.Environment
	for _, t := range trials {
		if !slices.ContainsFunc(envs, func(e environments.Environment) bool { return e.Name == t.Environment.Name }) {
			envs = append(envs, *t.Environment)
		}
	}
	return envs
}

// byArm keeps the runs of an arm together, the arms in the order in which they are met.
func byArm(trials []Trial) []Trial {
	place := map[[2]string]int{}
	for _, t := range trials {
		if _, known := place[t.arm()]; !known {
			place[t.arm()] = len(place)
		}
	}
	slices.SortStableFunc(trials, func(a, b Trial) int { return place[a.arm()] - place[b.arm()] })
	return trials
}

func (t *Trial) arm() [2]string { return [2]string{t.Model, t.Policy} }

// SameEdit reports whether two trials are of one edit.
func (t *Trial) SameEdit(other *Trial) bool {
	return t.Environment.Name == other.Environment.Name && t.Edit.Name == other.Edit.Name
}

// SameArm reports whether two trials are of one edit and one arm.
func (t *Trial) SameArm(other *Trial) bool { return t.SameEdit(other) && t.arm() == other.arm() }

// Groups divides trials that stand in order where same says that two belong together.
func Groups(trials []Judged, same func(a, b *Trial) bool) [][]Judged {
	var all [][]Judged
	for begin := 0; begin < len(trials); {
		end := begin + 1
		for end < len(trials) && same(&trials[begin].Trial, &trials[end].Trial) {
			end++
		}
		all = append(all, trials[begin:end])
		begin = end
	}
	return all
}

// Judged is a trial with its verdict.
type Judged struct {
	Trial
	Judgement
}

// Trials judges trials that stand in the order of Stored, those of an edit together. find
// finds a domain by name.
func Trials(trials []Trial, find func(name string) (domains.Domain, bool)) []Judged {
	all := make([]Judged, len(trials))
	for i := range trials {
		all[i].Trial = trials[i]
	}
	for _, edit := range Groups(all, (*Trial).SameEdit) {
		env := edit[0].Environment
		d, built := env.Scoring(find)
		attempts := make([]Attempt, len(edit))
		for i := range edit {
			attempts[i] = attemptOf(&edit[i].Trial, d, built)
		}
		for i, j := range Judge(env.Seed, attempts) {
			edit[i].Judgement = j
		}
	}
	return all
}

func attemptOf(t *Trial, d domains.Domain, built bool) Attempt {
	a := Attempt{Failure: t.Forward.Failure, Detail: "forward, " + t.Forward.Detail}
	if t.Backward == nil {
		return a
	}
	a.Output = t.Backward.Output.Match(t.Environment.Targets)
	if a.Failure == "" && t.Backward.Failure != "" {
		a.Failure, a.Detail = t.Backward.Failure, "backward, "+t.Backward.Detail
	}
	if built {
		a.Score = d.Compare(t.Environment.Seed, a.Output)
		if a.Score.Basis != domains.Computed { // an opinion, or what stands in for one, says nothing of the evaluator
			a.Score.RS, a.Score.Problem = a.Score.Strict, ""
		}
		a.Differences = d.Differences(t.Environment.Seed, a.Output)
		if a.Score.Fault != nil {
			a.Failure, a.Detail = Unscored, a.Score.Problem
		}
	} else if a.Failure == "" {
		a.Failure, a.Detail = Unscored, "the domain "+t.Environment.Domain+" is not built yet"
	}
	return a
}

// saysNothing reports whether the trial is no evidence about the edit's score.
func (t *Trial) saysNothing() bool { return t.ofService() || t.unscorable() }

// unscorable reports whether there was nothing to score the trial with, as a story without a
// judge, although the protocol lets it have a score.
func (t *Trial) unscorable() bool {
	return t.Backward != nil && t.Backward.Score == nil && t.Backward.Unscored == ""
}

// ofService reports whether the trial failed because a service was unavailable.
func (t *Trial) ofService() bool {
	return t.Backward == nil || policies.Reason(t.Forward.Failure).OfService() || policies.Reason(t.Backward.Failure).OfService()
}
