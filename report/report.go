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
	Arms       []Arm
	Tools      []ToolUse // of the agentic arms
	// Unscored are environments without a score, with the number of their
	// interactions, because their domain is not built.
	Unscored []Unscored
}

// Arm is a model with a policy.
type Arm struct {
	Model   string // empty for policies without one
	Policy  string
	StandIn bool
	Relays  int // scored relays that have begun
	// RS and Strict are the mean scores after 2, 4, … interactions, each over
	// the relays that got so far; Reached counts those.
	RS, Strict []float64
	Reached    []int
	Forward    *float64 // mean score of forward steps that have an oracle
	Failures   int      // interactions that failed
	Total      int      // interactions
	Cost       *float64 // USD in all, nil if a price is unknown
}

// ToolUse compares an agentic arm with the direct one of the same model.
type ToolUse struct {
	Model   string
	Policy  string
	StandIn bool
	Calls   float64 // tool calls for each interaction
	// Ratios to the direct arm, over the interactions that both have; nil
	// without a direct arm, Cost also where a price is unknown.
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
	relays, err := store.Relays(ctx, experiment.ID)
	if err != nil {
		return nil, err
	}
	interactions, err := store.Summaries(ctx, experiment.ID)
	if err != nil {
		return nil, err
	}
	use, err := store.ToolUse(ctx, experiment.ID)
	if err != nil {
		return nil, err
	}
	b := builder{
		report:  &Report{Experiment: experiment},
		relays:  map[int64]results.Relay{},
		standIn: map[string]bool{},
		use:     use,
		arms:    map[armKey]*armSums{},
		tasks:   map[taskKey]map[armKey]*results.Interaction{},
	}
	for _, r := range relays {
		b.relays[r.ID] = r
	}
	for _, m := range experiment.Manifest.Models {
		b.standIn[m.Name] = m.StandIn
	}
	for i := range interactions {
		b.add(&interactions[i])
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
	use     map[int64]results.ToolUse
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
	forwards                       int
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
	sums.addTools(in, b.use[in.ID])
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

func (s *armSums) addTools(in *results.Interaction, use results.ToolUse) {
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
	s.distractorsRead += use.Distractors
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
		return cmp.Or(b.place(x.model)-b.place(y.model), cmp.Compare(x.policy, y.policy))
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
	}
	for k, n := range s.reached {
		arm.RS = append(arm.RS, s.value[k]/float64(n))
		arm.Strict = append(arm.Strict, s.strict[k]/float64(n))
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
	var mine, direct results.Interaction
	for _, arms := range b.tasks {
		a, d := arms[key], arms[armKey{key.model, directPolicy}]
		if a == nil || d == nil {
			continue
		}
		sum(&mine, a)
		sum(&direct, d)
	}
	u.Input = ratio(float64(mine.Prompt), float64(direct.Prompt))
	u.Output = ratio(float64(mine.Completion), float64(direct.Completion))
	u.Latency = ratio(float64(mine.Duration), float64(direct.Duration))
	if mine.Cost != nil && direct.Cost != nil && !s.unknownCost && !b.arms[armKey{key.model, directPolicy}].unknownCost {
		u.Cost = ratio(*mine.Cost, *direct.Cost)
	}
	return u
}

func sum(total, in *results.Interaction) {
	total.Prompt += in.Prompt
	total.Completion += in.Completion
	total.Duration += in.Duration
	if in.Cost != nil {
		if total.Cost == nil {
			total.Cost = new(float64)
		}
		*total.Cost += *in.Cost
	}
}

func ratio(a, b float64) *float64 {
	if b == 0 {
		return nil
	}
	r := a / b
	return &r
}
