// Package report turns stored results into tables. It recomputes no scores.
package report

import (
	"cmp"
	"context"
	"slices"

	"agentd/results"
)

// Report is what tables are made of.
type Report struct {
	Experiment results.Experiment
	Changes    []results.Change
	// Stored and Planned are numbers of interactions.
	Stored, Planned int
	Arms            []Arm
	Tools           []ToolUse // of the arms that have a model, save the direct ones
	// Unscored are environments without a score, with the number of their
	// interactions, because their domain is not built.
	Unscored []Unscored
	// UnknownAttempts are requests that may have been charged for beyond the costs.
	UnknownAttempts int
}

// Arm is a model with a policy.
type Arm struct {
	Model   string // empty for policies without one
	Policy  string
	StandIn bool
	Relays  int // that have a score
	// RS and Strict are the mean scores after 2, 4, … interactions, each over
	// the relays that got so far; Reached counts those. A mean over none is 0.
	RS, Strict []float64
	Reached    []int
	// Forward is the mean score of the forward steps that have an oracle, nil
	// if there are none: Forwards of ForwardSteps.
	Forward                *float64
	Forwards, ForwardSteps int
	Failures               int      // interactions that failed
	Total                  int      // interactions
	Cost                   *float64 // USD in all, nil if a price is unknown
}

// ToolUse compares an agentic arm with the direct one of the same model.
type ToolUse struct {
	Model   string
	Policy  string
	StandIn bool
	Calls   float64 // tool calls for each interaction
	// Ratios to the direct arm, over the interactions that both have: Pairs of
	// them. Nil where there are none, or the direct arm used nothing; Cost also
	// where a price is unknown.
	Pairs                        int
	Input, Output, Cost, Latency *float64
	// Shares of interactions edited by a script alone, by write_file alone, by
	// both, by neither.
	ByScript, ByWriting, ByBoth, ByNeither float64
	// Distractors is the share of distractor files that were read; nil if there
	// were none.
	Distractors *float64
}

// Unscored is an environment whose domain is not built.
type Unscored struct {
	Environment, Domain string
	Interactions        int
}

// armKey identifies an arm.
type armKey struct{ model, policy string }

// Build reads an experiment and sums it up.
func Build(ctx context.Context, store *results.Store, experiment results.Experiment) (*Report, error) {
	// A run may be storing meanwhile. What an interaction belongs to is stored
	// before it, and its trace with it, so both are there if read after it.
	interactions, err := store.Summaries(ctx, experiment.ID)
	if err != nil {
		return nil, err
	}
	relays, err := store.Relays(ctx, experiment.ID)
	if err != nil {
		return nil, err
	}
	changes, err := store.Changes(ctx, experiment.ID)
	if err != nil {
		return nil, err
	}
	b := builder{
		report:  &Report{Experiment: experiment, Changes: changes, Stored: len(interactions)},
		relays:  map[int64]results.Relay{},
		standIn: map[string]bool{},
		arms:    map[armKey]*armSums{},
		tasks:   map[taskKey]map[armKey]*results.Interaction{},
	}
	for _, r := range relays {
		b.relays[r.ID] = r
		b.report.Planned += 2 * len(r.Schedule)
	}
	for _, m := range experiment.Manifest.Models {
		b.standIn[m.Name] = m.StandIn
	}
	for i := range interactions {
		b.add(&interactions[i])
		b.report.UnknownAttempts += interactions[i].UnknownAttempts
	}
	b.finish()
	return b.report, nil
}

// taskKey identifies what all arms are asked alike.
type taskKey struct {
	environment    string
	repeat, number int
}

type builder struct {
	report  *Report
	relays  map[int64]results.Relay
	standIn map[string]bool
	arms    map[armKey]*armSums
	order   []armKey
	tasks   map[taskKey]map[armKey]*results.Interaction
}

// armSums are the sums of one arm.
type armSums struct {
	relays                         map[int64]bool
	value, strict                  []float64 // by round trip
	reached                        []int
	forward                        float64
	forwards, forwardSteps         int
	failures, total                int
	cost                           float64
	unknownCost                    bool
	calls                          int
	script, writing, both, neither int
	distractorsRead, distractors   int
}

func (b *builder) add(in *results.Interaction) {
	relay := b.relays[in.Relay]
	key := armKey{relay.Model, relay.Policy}
	sums, ok := b.arms[key]
	if !ok {
		sums = &armSums{relays: map[int64]bool{}}
		b.arms[key] = sums
		b.order = append(b.order, key)
	}
	sums.add(in)
	sums.addTools(in)
	if in.Direction == results.Backward && in.Score == nil {
		b.unscored(relay)
	}
	task := taskKey{relay.Environment, relay.Repeat, in.Number}
	if b.tasks[task] == nil {
		b.tasks[task] = map[armKey]*results.Interaction{}
	}
	b.tasks[task][key] = in
}

func (s *armSums) add(in *results.Interaction) {
	s.total++
	if in.Failure != "" {
		s.failures++
	}
	if in.Cost != nil {
		s.cost += *in.Cost
	} else {
		s.unknownCost = true
	}
	if in.Direction == results.Forward {
		s.forwardSteps++
	}
	if in.Forward != nil {
		s.forward += *in.Forward
		s.forwards++
	}
	if in.Score == nil {
		return
	}
	s.relays[in.Relay] = true
	k := in.Number/2 - 1
	for len(s.value) <= k {
		s.value, s.strict, s.reached = append(s.value, 0), append(s.strict, 0), append(s.reached, 0)
	}
	s.value[k] += in.Score.Value
	s.strict[k] += in.Score.Strict
	s.reached[k]++
}

func (s *armSums) addTools(in *results.Interaction) {
	use := in.Use
	s.calls += use.Calls
	switch {
	case use.Scripts > 0 && use.Writes > 0:
		s.both++
	case use.Scripts > 0:
		s.script++
	case use.Writes > 0:
		s.writing++
	default:
		s.neither++
	}
	s.distractors += in.Distractors
	s.distractorsRead += use.DistractorsRead
}

func (b *builder) unscored(relay results.Relay) {
	at := slices.IndexFunc(b.report.Unscored, func(u Unscored) bool { return u.Environment == relay.Environment })
	if at < 0 {
		b.report.Unscored = append(b.report.Unscored, Unscored{Environment: relay.Environment, Domain: relay.Domain})
		at = len(b.report.Unscored) - 1
	}
	b.report.Unscored[at].Interactions += 2
}

func (b *builder) finish() {
	slices.SortFunc(b.order, func(x, y armKey) int {
		return cmp.Or(b.place(x.model)-b.place(y.model), cmp.Compare(x.model, y.model), cmp.Compare(x.policy, y.policy))
	})
	for _, key := range b.order {
		b.report.Arms = append(b.report.Arms, b.arm(key))
		if key.policy != directPolicy && key.model != "" {
			b.report.Tools = append(b.report.Tools, b.toolUse(key))
		}
	}
}

// place is a model's place in the manifest; policies without a model come last.
func (b *builder) place(model string) int {
	at := slices.IndexFunc(b.report.Experiment.Manifest.Models, func(m results.Model) bool { return m.Name == model })
	if at < 0 {
		return len(b.report.Experiment.Manifest.Models)
	}
	return at
}

// directPolicy is the baseline that others are compared with.
const directPolicy = "direct"

func (b *builder) arm(key armKey) Arm {
	s := b.arms[key]
	arm := Arm{
		Model: key.model, Policy: key.policy, StandIn: b.standIn[key.model],
		Relays: len(s.relays), Reached: s.reached, Failures: s.failures, Total: s.total,
		Forwards: s.forwards, ForwardSteps: s.forwardSteps,
	}
	for k, n := range s.reached {
		over := float64(max(n, 1))
		arm.RS = append(arm.RS, s.value[k]/over)
		arm.Strict = append(arm.Strict, s.strict[k]/over)
	}
	if s.forwards > 0 {
		mean := s.forward / float64(s.forwards)
		arm.Forward = &mean
	}
	if !s.unknownCost {
		arm.Cost = &s.cost
	}
	return arm
}

func (b *builder) toolUse(key armKey) ToolUse {
	s := b.arms[key]
	share := func(n int) float64 { return float64(n) / float64(s.total) }
	u := ToolUse{
		Model: key.model, Policy: key.policy, StandIn: b.standIn[key.model],
		Calls:    share(s.calls),
		ByScript: share(s.script), ByWriting: share(s.writing), ByBoth: share(s.both), ByNeither: share(s.neither),
	}
	if s.distractors > 0 {
		read := float64(s.distractorsRead) / float64(s.distractors)
		u.Distractors = &read
	}
	var mine, direct usage
	for _, arms := range b.tasks {
		a, d := arms[key], arms[armKey{key.model, directPolicy}]
		if a == nil || d == nil {
			continue
		}
		u.Pairs++
		mine.add(a)
		direct.add(d)
	}
	u.Input = ratio(mine.input, direct.input)
	u.Output = ratio(mine.output, direct.output)
	u.Latency = ratio(mine.latency, direct.latency)
	if !mine.unknownCost && !direct.unknownCost {
		u.Cost = ratio(mine.cost, direct.cost)
	}
	return u
}

// usage is what some interactions used in all.
type usage struct {
	input, output, latency, cost float64
	unknownCost                  bool
}

func (u *usage) add(in *results.Interaction) {
	u.input += float64(in.Prompt)
	u.output += float64(in.Completion)
	u.latency += in.Duration.Seconds()
	if in.Cost == nil {
		u.unknownCost = true
		return
	}
	u.cost += *in.Cost
}

func ratio(a, b float64) *float64 {
	if b == 0 {
		return nil
	}
	r := a / b
	return &r
}
