package report

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"agentd/policies"
	"agentd/report/statistics"
	"agentd/results"
	"agentd/results/record"
)

func to[T any](v T) *T { return &v }

// stored is a store with one experiment.
type stored struct {
	t *testing.T
	*results.Store
	experiment results.Experiment
}

func newStored(t *testing.T, m results.Manifest) *stored {
	t.Helper()
	store, err := results.Open(filepath.Join(t.TempDir(), "results.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	e, err := store.Begin(t.Context(), "hand", m, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	return &stored{t, store, e}
}

// relay plans a relay and appends interactions to it, in order from 1.
func (s *stored) relay(r results.Relay, steps ...results.Interaction) {
	s.t.Helper()
	r.Experiment, r.Domain, r.Repeat = s.experiment.ID, strings.TrimRight(r.Environment, "1234"), max(r.Repeat, 1)
	planned, err := s.Plan(s.t.Context(), []results.Relay{r}, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for i, in := range steps {
		in.Relay, in.Number, in.Direction = planned[0].ID, i+1, results.Forward
		if in.Number%2 == 0 {
			in.Direction = results.Backward
		}
		if err := s.Append(s.t.Context(), &in, nil); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *stored) build() *Report {
	s.t.Helper()
	return s.buildWith(Options{})
}

func (s *stored) buildWith(options Options) *Report {
	s.t.Helper()
	options.Category = strings.ToUpper
	r, err := Build(s.t.Context(), s.Store, s.experiment, options)
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

// used is a step that used so many tokens, seconds and USD; no cost is an
// unknown one.
func used(input, output, seconds int, cost ...float64) results.Interaction {
	in := results.Interaction{
		Usage:    record.Usage{Tokens: record.Tokens{Prompt: input, Cached: input / 10, Completion: output}},
		Duration: time.Duration(seconds) * time.Second,
	}
	if len(cost) > 0 {
		in.Cost = &cost[0]
	}
	return in
}

func forward(in results.Interaction, score float64) results.Interaction {
	in.Forward = &score
	return in
}

func backward(in results.Interaction, value, strict float64) results.Interaction {
	in.Score = &results.Score{RS: value, Strict: strict}
	return in
}

func failed(in results.Interaction) results.Interaction {
	in.Failure = string(policies.MissingTarget)
	return in
}

// The numbers that are wanted are worked out next to what they come from.
func TestNumbersOfAHandMadeExperiment(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: "z"}, {Name: "a", StandIn: true}}})
	two := []string{"split", "merge"}
	relay := func(model, policy, env string) results.Relay {
		return results.Relay{Model: model, Policy: policy, Environment: env, Schedule: two}
	}
	// z agentic: books1 has two round trips, books2 has one, odd1 has no score.
	//   RS@2 (0.8+0.4)/2 = 0.6, RS@4 0.7 over one; Strict@2 (0.5+0.1)/2 = 0.3, Strict@4 0.25
	//   forward (0.9+0.5)/2 = 0.7 over 2 of 4; failed 2 of 8
	//   cost 8+4+2+2 + 1+1 + 0 = 18, but books2 step 2 has no known cost: unknown
	s.relay(relay("z", "agentic", "books1"),
		forward(used(100, 10, 8, 8), 0.9), backward(used(300, 20, 4, 4), 0.8, 0.5),
		used(1000, 1000, 1000, 2), failed(backward(used(1000, 1000, 1000, 2), 0.7, 0.25)))
	s.relay(relay("z", "agentic", "books2"),
		failed(forward(used(200, 30, 2, 1), 0.5)), backward(used(200, 40, 2), 0.4, 0.1))
	s.relay(relay("z", "agentic", "odd1"), used(0, 0, 0, 0), used(0, 0, 0, 0))
	// z direct has books1 steps 1 and 2, books2 step 1, and books3, which agentic has not.
	//   Pairs: books1 steps 1 and 2, books2 step 1. The unknown cost is of none of them.
	//   input (100+300+200)/(50+50+100) = 3, output (10+20+30)/(60+60+120) = 0.25,
	//   cost (8+4+1)/(2+2+1) = 2.6, latency (8+4+2)/(1+2+1) = 3.5
	//   cost of the arm 2+2+1+40+40 = 85; RS@2 (0.5+0.9)/2 = 0.7; Strict@2 (0.5+0.5)/2 = 0.5
	s.relay(relay("z", "direct", "books1"), used(50, 60, 1, 2), backward(used(50, 60, 2, 2), 0.5, 0.5))
	s.relay(relay("z", "direct", "books2"), used(100, 120, 1, 1))
	s.relay(relay("z", "direct", "books3"), used(7000, 7000, 7000, 40), backward(used(7000, 7000, 7000, 40), 0.9, 0.5))
	// a agentic and direct: one pair, whose agentic half has no known cost and
	// whose direct half has no output: neither ratio is known. Nothing is scored.
	s.relay(relay("a", "agentic", "books1"), used(10, 10, 3))
	s.relay(relay("a", "direct", "books1"), used(20, 0, 2, 1))
	// A policy without model comes last and has no ratios.
	s.relay(relay("", "noop", "books1"), forward(used(0, 0, 0, 0), 0), backward(used(0, 0, 0, 0), 1, 1))
	// Planned and not begun: it is in no arm.
	s.relay(relay("z", "agentic", "books3"))

	want := &Report{
		Experiment: s.experiment,
		Stored:     8 + 5 + 1 + 1 + 2,
		Planned:    (4 + 3 + 1 + 1 + 1) * 2 * 2,
		Arms: []Arm{
			{Model: "z", Policy: "agentic", Relays: 2, RS: []statistics.Interval{of(0.6, 2), of(0.7, 1)},
				Strict:  []statistics.Interval{of(0.3, 2), of(0.25, 1)},
				Forward: of(0.7, 2), ForwardSteps: 4, Failures: 2, Total: 8, Missing: 16 - 8, Cached: to(0.1)},
			{Model: "z", Policy: "direct", Relays: 2, RS: []statistics.Interval{of(0.7, 2)}, Strict: []statistics.Interval{of(0.5, 2)},
				Forward: statistics.None(), ForwardSteps: 3, Total: 5, Missing: 12 - 5, Cost: to(85.0), Cached: to(0.1)},
			{Model: "a", Policy: "agentic", StandIn: true, Forward: statistics.None(), ForwardSteps: 1, Total: 1, Missing: 3, Cached: to(0.1)},
			{Model: "a", Policy: "direct", StandIn: true, Forward: statistics.None(), ForwardSteps: 1, Total: 1, Missing: 3, Cost: to(1.0), Cached: to(0.1)},
			{Policy: "noop", Relays: 1, RS: []statistics.Interval{of(1, 1)}, Strict: []statistics.Interval{of(1, 1)},
				Forward: of(0, 1), ForwardSteps: 1, Total: 2, Missing: 2, Cost: to(0.0)},
		},
		Tools: []ToolUse{
			{Model: "z", Policy: "agentic", Calls: of(0, 8), ByScript: of(0, 8), ByWriting: of(0, 8), ByEditing: of(0, 8), ByPatch: of(0, 8), BySeveral: of(0, 8), ByNeither: of(1, 8),
				Distractors: statistics.None(), ReadByTools: statistics.None(), ReadByScripts: statistics.None(), Pairs: 3, Input: of(3, 3), Output: of(0.25, 3), Cost: of(2.6, 3), Latency: of(3.5, 3)},
			{Model: "a", Policy: "agentic", StandIn: true, Calls: of(0, 1), ByScript: of(0, 1), ByWriting: of(0, 1), ByEditing: of(0, 1), ByPatch: of(0, 1), BySeveral: of(0, 1), ByNeither: of(1, 1),
				Distractors: statistics.None(), ReadByTools: statistics.None(), ReadByScripts: statistics.None(), Pairs: 1, Input: of(0.5, 1), Output: statistics.None(), Cost: statistics.None(), Latency: of(1.5, 1)},
		},
		Reasons:  []Reason{{Text: "missing target", Count: 2}},
		NotBuilt: []NotBuilt{{Environment: "odd1", Domain: "odd", Interactions: 2}},
	}
	for i := range want.Arms { // of which it is recorded neither whether their edits were carried out nor whether the form was kept
		want.Arms[i].Broken = statistics.None()
		want.Arms[i].NoOpsZero.RS, want.Arms[i].NoOpsZero.Strict = want.Arms[i].RS, want.Arms[i].Strict
	}
	others := []cmp.Option{
		cmpopts.IgnoreUnexported(Report{}), cmpopts.IgnoreFields(Arm{}, "Damage", "Critical", "CriticalDone", "Hidden", "Averages", "Worked", "Done", "Judged"),
		cmpopts.IgnoreFields(Reason{}, "Relay", "Number", "Relays"), cmpopts.IgnoreFields(Report{}, "Comparisons", "Harnesses", "Domains"),
	}
	if diff := cmp.Diff(want, s.build(), append(estimates, others...)...); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// of is an estimate from n values. estimates compares without bounds, which have
// tests of their own.
func of(estimate float64, n int) statistics.Interval {
	return statistics.Interval{Estimate: estimate, N: n}
}

var estimates = []cmp.Option{
	cmpopts.EquateApprox(0, 1e-12), cmpopts.EquateEmpty(), cmpopts.EquateNaNs(),
	cmpopts.IgnoreFields(statistics.Interval{}, "Low", "High", "Clusters"),
}

func TestSharesOfHowInteractionsEdited(t *testing.T) {
	t.Parallel()
	const ok, bad = "", "bad path"
	ways := map[string]record.Way{"run_python": record.ByScript, "write_file": record.ByWriting, "str_replace": record.ByEditing, "apply_patch": record.ByPatch}
	calls := func(pairs ...string) results.Interaction {
		in := results.Interaction{Distractors: 2}
		for i := 0; i < len(pairs); i += 2 {
			call := record.Call{Tool: pairs[i], Error: pairs[i+1]}
			if call.Error == ok {
				call.Changed, call.Way = 1, ways[call.Tool]
			}
			in.ToolCalls = append(in.ToolCalls, call)
		}
		return in
	}
	reading := func(in results.Interaction, files ...string) results.Interaction {
		for _, file := range files {
			in.Reads = append(in.Reads, record.Read{File: file, Origin: "distractor", Tool: "read_file"})
		}
		return in
	}
	s := newStored(t, results.Manifest{})
	byText := results.Interaction{Distractors: 2, Turns: []record.Turn{{Changed: 1, Way: record.ByEditing}}}
	// 12 interactions, 18 calls: 1.5 each. Changed by scripts 2, by whole texts 1, by edits
	// 3, of which 1 by patches alone, in two ways 2, by neither 4: failed calls change
	// nothing. Of 2 × 12 distractor files 3 were read, one of them twice in the same
	// interaction. The last one changed files by the text of an answer.
	s.relay(results.Relay{Model: "m", Policy: "agentic", Environment: "e", Schedule: make([]string, 6)},
		calls("run_python", ok),
		reading(calls("run_python", ok, "write_file", bad, "read_file", ok), "d.md", "d.md"),
		calls("write_file", ok, "write_file", ok),
		calls("write_file", ok, "run_python", ok),
		calls("run_python", bad, "write_file", bad),
		reading(calls("read_file", ok), "d.md", "e.md"),
		calls("finish", ok),
		calls(),
		calls("apply_patch", ok, "str_replace", ok),
		calls("apply_patch", ok),
		calls("str_replace", ok, "write_file", ok, "read_file", ok),
		byText,
	)
	want := []ToolUse{{
		Model: "m", Policy: "agentic", Calls: of(1.5, 12),
		ByScript: of(2.0/12, 12), ByWriting: of(1.0/12, 12), ByEditing: of(3.0/12, 12), ByPatch: of(1.0/12, 12), BySeveral: of(2.0/12, 12), ByNeither: of(4.0/12, 12),
		Distractors: of(3.0/24, 12), ReadByTools: of(3.0/24, 12), ReadByScripts: of(0, 12),
		Input: statistics.None(), Output: statistics.None(), Cost: statistics.None(), Latency: statistics.None(),
	}}
	if diff := cmp.Diff(want, s.build().Tools, estimates...); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// A domain may be built between two round trips of a relay.
func TestARoundTripThatNoRelayHasAScoreOfIsNoNumber(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{})
	none := used(0, 0, 0, 0)
	s.relay(results.Relay{Policy: "noop", Environment: "e", Schedule: make([]string, 2)},
		none, none, none, backward(none, 0.5, 0.25))
	got := s.build().Arms[0]
	if diff := cmp.Diff([]statistics.Interval{statistics.None(), of(0.5, 1)}, got.RS, estimates...); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]statistics.Interval{statistics.None(), of(0.25, 1)}, got.Strict, estimates...); diff != "" {
		t.Error(diff)
	}
}
