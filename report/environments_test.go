package report

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"agentd/environments"
	"agentd/report/statistics"
	"agentd/results"
	"agentd/results/record"
	"agentd/vfs"
)

// newStoredWith is a store whose experiment has environments with these seeds,
// each with the edits a, of one operation, and b, of two.
func newStoredWith(t *testing.T, seeds map[string]string) *stored {
	t.Helper()
	m := results.Manifest{Models: []results.Model{{Name: "m"}}, Environments: map[string]string{}}
	var texts []string
	for name, seed := range seeds {
		env := environments.Environment{
			Name: name, Seed: vfs.Files{"seed.txt": seed},
			Edits: []environments.Edit{{Name: "a", Operations: []string{"sorting"}}, {Name: "b", Operations: []string{"filtering", "sorting"}}},
		}
		m.Environments[name] = env.Hash()
		texts = append(texts, env.Encode())
	}
	s := newStored(t, m)
	if err := s.PutContents(t.Context(), texts); err != nil {
		t.Fatal(err)
	}
	return s
}

// trips stores a relay of model m with a round trip for each edit.
func (s *stored) trips(policy, environment string, edits []string, values []float64, calls ...[]string) {
	s.t.Helper()
	var steps []results.Interaction
	for k, value := range values {
		there, back := used(1, 1, 1, 0), backward(used(1, 1, 1, 0), value, value)
		there.Edit, back.Edit = edits[k], edits[k]
		there.Distractors, back.Distractors = 2, 2
		if k < len(calls) {
			for _, tool := range calls[k] {
				there.ToolCalls = append(there.ToolCalls, record.Call{Tool: tool})
			}
		}
		steps = append(steps, there, back)
	}
	s.relay(results.Relay{Model: "m", Policy: policy, Environment: environment, Schedule: edits}, steps...)
}

// Table 5: seeds of 1 token and of 2,000 tokens ("a " is one). The small ones have
// RS 1 and 0.8 after 2 interactions, 0.6 and 0.8 after 4; the large one 0.5, 0.1.
func TestScoresBySize(t *testing.T) {
	t.Parallel()
	s := newStoredWith(t, map[string]string{"books1": "a", "books2": "b", "maps1": strings.Repeat(" a", 2000)})
	s.trips("direct", "books1", []string{"a", "b"}, []float64{1, 0.6})
	s.trips("direct", "books2", []string{"a", "b"}, []float64{0.8, 0.8})
	s.trips("direct", "maps1", []string{"a", "b"}, []float64{0.5, 0.1})
	want := []Size{
		{Tokens: "below 1.5k", Mean: 1, Relays: 2, Done: statistics.None(), RS: []statistics.Interval{of(0.9, 2), of(0.7, 2)}},
		{Tokens: "1.5k–3k", Mean: 2000, Relays: 1, Done: statistics.None(), RS: []statistics.Interval{of(0.5, 1), of(0.1, 1)}},
	}
	if diff := cmp.Diff(want, s.build().Sizes, estimates...); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// Figure 8: of the seeds one half has no digits, the other only digits. Single round trips of
// the halves score 0.2 and 0.4, and 0.6 and 0.6; what comes after them does not count: means 0.3 and 0.6,
// squares within 0.02 and 0, pooled deviation √(0.02/2) = 0.1: d = 3, t = 3 with 2 degrees of
// freedom, p = 1 − 3/√11. Table A3: the shares of numbers are 0 and 1.
func TestPropertiesOfDocuments(t *testing.T) {
	t.Parallel()
	s := newStoredWith(t, map[string]string{"books1": "one", "books2": "two", "maps1": "1", "maps2": "2"})
	for name, end := range map[string]float64{"books1": 0.2, "books2": 0.4, "maps1": 0.6, "maps2": 0.6} {
		s.trips("direct", name, []string{"a", "b"}, []float64{end, 0})
	}
	r := s.build()
	effects := r.cells(t, "properties", "property_effects")
	if diff := cmp.Diff([]float64{4, 0.6, 0.3, 3, 0.095466}, effects["m|direct|numerical"], estimates...); diff != "" {
		t.Error(diff)
	}
	if len(effects) != len(allProperties) {
		t.Errorf("%d properties", len(effects))
	}
	// documents, score; naturalness, numerical, richness, repetitiveness, structure, tokens, MATTR, DEFLATE
	r.wantCells(t, "properties", "categories", map[string][]float64{
		"m|direct|BOOKS": {2, 0.3, 0, 0, 1, 0, 0, 1, 1, 0}, "m|direct|MAPS": {2, 0.6, 0, 1, 0, 0, 1, 1, 0, 0},
	})
}

// Figures 9 and A4, on the first round trips of four relays. Both edits sort, b filters too:
//
//	a 0.9 and 0.8, b 0.5 and 0.8; what comes after them does not count
//
// Filtering: two of four, mean 0.65, without it 0.85. r of (0, 0.9), (0, 0.8), (1, 0.5), (1, 0.8):
// means 0.5 and 0.75, Σ(x−x̄)(y−ȳ) = −0.2, Σ(x−x̄)² = 1, Σ(y−ȳ)² = 0.0225 + 0.0025 + 0.0625 +
// 0.0025 = 0.09: r = −0.2/0.3; t = r·√(2/(5/9)) = −1.264911, p = 1 − t/√(2 + t²) = 1/3.
// All sort, so there is no correlation. Numbers 1 1 2 2 have the ranks 1.5 1.5 3.5 3.5, the scores 4 2.5
// 1 2.5: Σ = −3, squares 4 and 4.5: rho = −3/√18 = −0.707107, t = −√2, p = 1 − √2/2.
func TestOperations(t *testing.T) {
	t.Parallel()
	s := newStoredWith(t, map[string]string{"books1": "one", "books2": "two", "maps1": "x", "maps2": "y"})
	s.trips("direct", "books1", []string{"a", "b"}, []float64{0.9, 0.1})
	s.trips("direct", "books2", []string{"a"}, []float64{0.8})
	s.trips("direct", "maps1", []string{"b", "a"}, []float64{0.5, 0.4})
	s.trips("direct", "maps2", []string{"b"}, []float64{0.8})
	r, none := s.build(), math.NaN()
	r.wantCells(t, "operations", "operations", map[string][]float64{
		"m|direct|filtering": {2, 0.65, 0.85, -0.666667, 0.333333}, "m|direct|sorting": {4, 0.75, none, none, none},
	})
	r.wantCells(t, "operations", "operation_numbers", map[string][]float64{"m|direct|1": {2, 0.85}, "m|direct|2": {2, 0.65}})
	r.wantCells(t, "operations", "operation_rho", map[string][]float64{"m|direct": {4, 1.5, -0.707107, 0.292893}})
	r.wantCells(t, "operations", "operation_distribution", map[string][]float64{"1": {4, 0.5}, "2": {4, 0.5}})
}

// Round trips change RS by −0.1, with read_file and then run_python, and by −0.3,
// with run_python alone.
func TestSequencesOfToolCalls(t *testing.T) {
	t.Parallel()
	s := newStoredWith(t, map[string]string{"books1": "one"})
	s.trips("agentic", "books1", []string{"a", "a"}, []float64{0.9, 0.6}, []string{"read_file", "run_python"}, []string{"run_python"})
	effect := func(trips int, with, without float64) Effect {
		e := Effect{Trips: trips, With: of(with, trips), Without: of(without, 2-trips)}
		if trips == 2 {
			e.Without = statistics.None()
		}
		return e
	}
	want := []Sequence{
		{"agentic", "run_python", "end", effect(2, -0.2, 0)},
		{"agentic", "read_file", "run_python", effect(1, -0.1, -0.3)},
		{"agentic", "start", "read_file", effect(1, -0.1, -0.3)},
		{"agentic", "start", "run_python", effect(1, -0.3, -0.1)},
	}
	if diff := cmp.Diff(want, s.build().Sequences, append(estimates, cmpopts.IgnoreFields(Effect{}, "R"))...); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// Two interactions with two distractors each: the first opens one of them by
// read_file and both in a script, the second none. 2 of 4 were opened, 1 by a tool,
// 2 by scripts. Opening one twice counts once.
func TestReadsByToolsAndByScripts(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}})
	first, second := used(1, 1, 1, 0), backward(used(1, 1, 1, 0), 1, 1)
	first.Distractors, second.Distractors = 2, 2
	first.Reads = []record.Read{
		{File: "d.md", Origin: "distractor", Tool: "read_file"}, {File: "d.md", Origin: "distractor", Tool: "read_file"},
		{File: "d.md", Origin: "distractor", Tool: "run_python", ByScript: true}, {File: "e.md", Origin: "distractor", Tool: "run_python", ByScript: true},
		{File: "seed.txt", Origin: "document", Tool: "run_python", ByScript: true},
	}
	s.relay(results.Relay{Model: "m", Policy: "agentic", Environment: "books1", Schedule: make([]string, 1)}, first, second)
	u := s.build().Tools[0]
	want := []statistics.Interval{of(0.5, 2), of(0.25, 2), of(0.5, 2)}
	if diff := cmp.Diff(want, []statistics.Interval{u.Distractors, u.ReadByTools, u.ReadByScripts}, estimates...); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// Tables 7 and A1: experiments of other repeats are paired by environment. After 4
// interactions, the last that both have:
//
//	books1: (0.6 + 0.8)/2 − 0.9 = −0.2; books2: 0.5 − 0.4 = 0.1; maps1 is in one only
//	mean −0.05; of 4 assignments of signs all have a sum of at least |−0.1|: p = 1
func TestExperimentsAreComparedByEnvironment(t *testing.T) {
	t.Parallel()
	s, other := newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}}), newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}})
	for repeat, end := range []float64{0.6, 0.8} {
		s.curve("direct", "books1", repeat+1, point{value: 1}, point{value: end}, point{value: 0})
	}
	s.curve("direct", "books2", 1, point{value: 1}, point{value: 0.5}, point{value: 0})
	s.curve("direct", "maps1", 1, point{value: 1}, point{value: 0.1}, point{value: 0})
	other.curve("direct", "books2", 1, point{value: 1}, point{value: 0.4})
	other.curve("direct", "books1", 1, point{value: 1}, point{value: 0.9})
	r := s.build()
	r.compareWith(other.build())
	want := []Comparison{{Model: "m", Policy: "direct", Baseline: "hand", At: 4, Pairs: 2, RS: of(-0.05, 2), RSP: 1, Strict: of(0, 2), StrictP: 1,
		Done: statistics.None(), BaselineDone: statistics.None()}}
	if diff := cmp.Diff(want, r.Against, estimates...); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestEachSizeOfThePaperHasAClass(t *testing.T) {
	t.Parallel()
	if len(sizeNames) != len(sizeBounds)+1 {
		t.Fatalf("%d names for %d bounds", len(sizeNames), len(sizeBounds))
	}
	met := map[int]int{}
	for _, tokens := range []int{1000, 2000, 4000, 6000, 8000, 10000} {
		at, _ := slices.BinarySearch(sizeBounds, tokens)
		if other, there := met[at]; there {
			t.Errorf("%d and %d tokens are both %s", other, tokens, sizeNames[at])
		}
		met[at] = tokens
	}
}
