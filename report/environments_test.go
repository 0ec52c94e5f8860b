package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"agentd/environments"
	"agentd/report/statistics"
	"agentd/results"
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
				there.ToolCalls = append(there.ToolCalls, results.ToolCall{Tool: tool})
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
		{Tokens: "below 1.5k", Relays: 2, Done: statistics.None(), RS: []statistics.Interval{of(0.9, 2), of(0.7, 2)}},
		{Tokens: "1.5k–3k", Relays: 1, Done: statistics.None(), RS: []statistics.Interval{of(0.5, 1), of(0.1, 1)}},
	}
	if diff := cmp.Diff(want, s.build().Sizes, estimates...); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// Figure 8: of the seeds one half has no digits, the other only digits. The halves
// end at 0.2 and 0.4, and at 0.6 and 0.6: means 0.3 and 0.6, squares within 0.02
// and 0, pooled deviation √(0.02/2) = 0.1: d = 3 for numbers.
// Table A3: the shares of numbers are 0, 0 and 1, 1.
func TestPropertiesOfDocuments(t *testing.T) {
	t.Parallel()
	s := newStoredWith(t, map[string]string{"books1": "one", "books2": "two", "maps1": "1", "maps2": "2"})
	for name, end := range map[string]float64{"books1": 0.2, "books2": 0.4, "maps1": 0.6, "maps2": 0.6} {
		s.trips("direct", name, []string{"a"}, []float64{end})
	}
	r := s.build()
	at := slices.IndexFunc(allProperties, func(p property) bool { return p.name == "numerical" })
	if diff := cmp.Diff(of(3, 4), r.Effects[0].D[at], estimates...); diff != "" {
		t.Error(diff)
	}
	type shares struct {
		Category  string
		Documents int
		Numerical float64
	}
	var got []shares
	for _, c := range r.Categories {
		got = append(got, shares{c.Category, c.Documents, c.Means[at].Estimate})
	}
	if diff := cmp.Diff([]shares{{"BOOKS", 2, 0}, {"MAPS", 2, 1}}, got); diff != "" {
		t.Error(diff)
	}
}

// Figures 9 and A4. Both edits sort, b filters too. Round trips change RS by
//
//	books1: a −0.1 (1 → 0.9), b −0.4 (0.9 → 0.5)
//	books2: b −0.2 (1 → 0.8), a +0.1 (0.8 → 0.9)
//
// Filtering: two of four, mean −0.3, without it 0. r of (0, −0.1), (1, −0.4),
// (1, −0.2), (0, 0.1): means 0.5 and −0.15, Σ(x−x̄)(y−ȳ) = −0.3, Σ(x−x̄)² = 1,
// Σ(y−ȳ)² = 0.0025 + 0.0625 + 0.0025 + 0.0625 = 0.13: r = −0.3/√0.13.
// All sort, so there is no correlation.
func TestOperations(t *testing.T) {
	t.Parallel()
	s := newStoredWith(t, map[string]string{"books1": "one", "books2": "two"})
	s.trips("direct", "books1", []string{"a", "b"}, []float64{0.9, 0.5})
	s.trips("direct", "books2", []string{"b", "a"}, []float64{0.8, 0.9})
	filtering := Effect{Name: "filtering", Trips: 2, With: of(-0.3, 2), Without: of(0, 2), R: of(-0.3/0.36055512754639896, 4)}
	one, two := filtering, filtering
	one.Name, one.With, one.Without, one.R = "1 operation", filtering.Without, filtering.With, of(0.3/0.36055512754639896, 4)
	two.Name = "2 operations"
	want := Operations{
		Effects: []Effect{filtering, {Name: "sorting", Trips: 4, With: of(-0.15, 4), Without: statistics.None(), R: statistics.None()}},
		Numbers: []Effect{one, two},
	}
	if diff := cmp.Diff(want, s.build().Operations, estimates...); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
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
	first.Reads = []results.Read{
		{File: "d.md", Origin: "distractor", Tool: "read_file"}, {File: "d.md", Origin: "distractor", Tool: "read_file"},
		{File: "d.md", Origin: "distractor", Tool: "run_python"}, {File: "e.md", Origin: "distractor", Tool: "run_python"},
		{File: "seed.txt", Origin: "document", Tool: "run_python"},
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
	r.CompareWith(other.build())
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
