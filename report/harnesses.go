package report

import (
	"slices"

	"agentd/report/statistics"
	"agentd/results"
)

// Harness compares a policy with the others of the same model.
type Harness struct {
	Arm int // its place among the arms
	At  int // interactions after which RS and Strict are taken: the most that all policies of the model have come to
	// RS and Strict are means over the relays that reached that point; Relays counts them.
	Relays     int
	RS, Strict statistics.Interval
	NoOpsZero  statistics.Interval // RS with no-ops as 0
	// Versus compares with the baseline at the same moment; nil for the baseline itself, and
	// if there are no pairs.
	Versus *Comparison
	// Means over interactions. Cost is in USD, none if a price is unknown; Seconds is the
	// duration of an interaction.
	Cost, Input, Output, Seconds, Calls statistics.Interval
	// Distractors is the share of distractor files that were read.
	Distractors statistics.Interval
}

// harnesses returns the arms of the models that have more than one.
func (b *builder) harnesses() []Harness {
	byArm := b.spending()
	var all []Harness
	for i, key := range b.order {
		same := slices.DeleteFunc(slices.Clone(b.order), func(other armKey) bool { return other.model != key.model })
		if key.model == "" || len(same) < 2 {
			continue
		}
		base := b.first(key.model, isPublishedLoop, isBaseline, anyPolicy)
		last := len(b.arms[key].rs)
		for _, other := range same {
			last = min(last, len(b.arms[other].rs))
		}
		s := b.arms[key]
		h := byArm[key].harness(b)
		h.Arm, h.At, h.RS, h.Strict, h.NoOpsZero = i, 2*last, statistics.None(), statistics.None(), statistics.None()
		h.Calls, h.Distractors = b.sampler.Mean(s.calls), b.sampler.Ratio(s.distractors, s.total)
		if last > 0 {
			h.RS, h.Strict = b.mean(s.rs[last-1]), b.mean(s.stricts[last-1])
			h.NoOpsZero, h.Relays = b.mean(s.earned[last-1]), h.RS.N
		}
		if key != base && last > 0 {
			if versus := b.comparedAt(key, base, last); versus.Pairs > 0 {
				h.Versus = &versus
			}
		}
		all = append(all, h)
	}
	return all
}

// spent sums up the tokens, costs and durations of an arm's interactions.
type spent struct {
	cost, input, output, seconds tally
	unknownCost                  bool
}

// spending returns these sums for all arms.
func (b *builder) spending() map[armKey]*spent {
	all := map[armKey]*spent{}
	for key := range b.arms {
		all[key] = &spent{cost: b.tally(), input: b.tally(), output: b.tally(), seconds: b.tally()}
	}
	for task, arms := range b.tasks {
		for key, in := range arms {
			all[key].add(in, b.places[task.environment])
		}
	}
	return all
}

func (s *spent) add(in *results.Interaction, place int) {
	s.input.add(place, float64(in.Prompt), 1)
	s.output.add(place, float64(in.Completion), 1)
	s.seconds.add(place, in.Duration.Seconds(), 1)
	if in.Cost == nil {
		s.unknownCost = true
		return
	}
	s.cost.add(place, *in.Cost, 1)
}

func (s *spent) harness(b *builder) Harness {
	h := Harness{
		Cost: statistics.None(), Input: b.sampler.Mean(s.input), Output: b.sampler.Mean(s.output),
		Seconds: b.sampler.Mean(s.seconds),
	}
	if !s.unknownCost {
		h.Cost = b.sampler.Mean(s.cost)
	}
	return h
}

// harnessScores returns the table of scores by harness.
func (r *Report) harnessScores() Table {
	t := Table{
		Name: "harnesses", Title: "Harnesses of one model: what survives, and the difference to agentic editing relay by relay, in points", Labels: armLabels,
		Measures: []Measure{
			{Name: "at", Head: "@"}, {Name: "relays", Head: "relays"},
			{Name: "rs", Head: "RS", Unit: Percent, Graded: true, Score: true}, {Name: "strict", Head: "Strict", Unit: Percent, Graded: true, Score: true},
			{Name: "rs_noops_zero", Head: noOpsHead, Unit: Percent, Graded: true},
			{Name: "done", Head: "done", Unit: Percent}, {Name: "forward", Head: "forward", Unit: Percent},
			{Name: "rs_difference", Head: "RS ±", Unit: Points}, {Name: "rs_p", Head: "p", Unit: Probability},
			{Name: "strict_difference", Head: "Strict ±", Unit: Points}, {Name: "strict_p", Head: "p", Unit: Probability},
		},
	}
	for _, h := range r.Harnesses {
		a := &r.Arms[h.Arm]
		rs, strict := interval(h.RS), interval(h.Strict)
		for _, cell := range []*Cell{&rs, &strict} {
			cell.Doubtful, cell.Ungraded = a.Doubtful(), a.Done.Exists() && a.Done.Estimate < enoughDone
		}
		versus := make([]Cell, 4)
		if v := h.Versus; v != nil {
			versus = []Cell{withoutBounds(v.RS), probability(v.RSP), withoutBounds(v.Strict), probability(v.StrictP)}
			t.paired(v.Baseline)
			t.against(v.Baseline, v.BaselineWork)
		}
		t.Rows = append(t.Rows, a.row(append([]Cell{
			plainCell(float64(h.At)), plainCell(float64(h.Relays)), rs, strict, withoutBounds(h.NoOpsZero), withoutBounds(a.Done), withoutBounds(a.Forward),
		}, versus...)...))
	}
	return t
}

// paired notes which policy the others are compared with.
func (t *Table) paired(baseline string) {
	note := "±: the policy's less those of " + baseline + ", over the relays that both have."
	if !slices.Contains(t.Notes, note) {
		t.Notes = append(t.Notes, note)
	}
}

// harnessCosts returns the table of costs per interaction by harness, with RS.
func (r *Report) harnessCosts() Table {
	t := Table{
		Name: "harness_costs", Title: "Harnesses of one model: what an interaction takes", Labels: armLabels,
		Measures: []Measure{
			{Name: "rs", Head: "RS", Unit: Percent, Graded: true, Score: true}, {Name: "cost", Head: "USD", Unit: USD},
			{Name: "input", Head: "tokens in"}, {Name: "output", Head: "out"}, {Name: "seconds", Head: "seconds", Unit: Ratio},
			{Name: "calls", Head: "calls", Unit: Ratio}, {Name: "distractors_read", Head: "distractors read", Unit: Percent},
		},
		Scatter: &Scatter{Title: "RS at the end against the cost of an interaction", Across: "cost", AcrossName: "USD an interaction", Up: "rs", UpName: "RS %"},
	}
	for _, h := range r.Harnesses {
		a := &r.Arms[h.Arm]
		rs := interval(h.RS)
		rs.Doubtful, rs.Ungraded = a.Doubtful(), a.Done.Exists() && a.Done.Estimate < enoughDone
		cells := []Cell{rs, interval(h.Cost)}
		for _, mean := range []statistics.Interval{h.Input, h.Output, h.Seconds, h.Calls, h.Distractors} {
			cells = append(cells, withoutBounds(mean)) // a terminal has no room for more
		}
		t.Rows = append(t.Rows, a.row(cells...))
	}
	return t
}
