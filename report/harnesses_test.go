package report

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"agentd/report/statistics"
	"agentd/results"
	"agentd/results/record"
)

// leaderboard stores three harnesses of model m on two environments. Steps there cost 0.1
// USD, 100 and 10 tokens, 2 s and 1 call; steps back 0.3 USD, 200 and 20 tokens, 4 s and 3
// calls: 0.2 USD, 150 and 15 tokens, 3 s and 2 calls on average.
func leaderboard(t *testing.T) *stored {
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}, {Name: "other"}}})
	calls := func(in results.Interaction, n int) results.Interaction {
		in.ToolCalls, in.Distractors = make([]record.Call, n), 2
		return in
	}
	there := func(done bool, score float64) results.Interaction {
		in := forward(calls(used(100, 10, 2, 0.1), 1), score)
		in.Executed = &done
		return in
	}
	back := func(value, strict float64) results.Interaction {
		return backward(calls(used(200, 20, 4, 0.3), 3), value, strict)
	}
	relay := func(policy, environment string, steps ...results.Interaction) {
		s.relay(results.Relay{Model: "m", Policy: policy, Environment: environment, Schedule: make([]string, len(steps)/2)}, steps...)
	}
	unpriced := back(0.9, 0.7)
	unpriced.Cost = nil
	unpriced.Reads = []record.Read{{File: "d.md", Origin: "distractor", Tool: "exec"}}
	relay("agentic", "books1", there(true, 1), back(0.9, 0.8), there(true, 0.6), back(0.1, 0.1))
	relay("agentic", "books2", there(true, 0.5), back(0.7, 0.6))
	relay("agent:one", "books1", there(true, 1), back(1, 0.9))
	relay("agent:one", "books2", there(false, 0), unpriced)
	relay("agent:two", "books1", there(true, 1), back(0.5, 0.5))
	s.relay(results.Relay{Model: "other", Policy: "agentic", Environment: "books1", Schedule: make([]string, 1)}, there(true, 1), back(1, 1))
	s.relay(results.Relay{Policy: "noop", Environment: "books1", Schedule: make([]string, 1)}, there(false, 0), back(1, 1))
	return s
}

// All have come to 2 interactions, agentic alone to 4, which do not count.
//
//	agentic: RS (0.9 + 0.7)/2 = 0.8, Strict (0.8 + 0.6)/2 = 0.7, done 3 of 3, forward (1 + 0.6 + 0.5)/3 = 0.7
//	one: RS (1 + 0.9)/2 = 0.95, Strict (0.9 + 0.7)/2 = 0.8, done 1 of 2, forward (1 + 0)/2 = 0.5
//	  less agentic: RS (0.1 + 0.2)/2 = 0.15, Strict (0.1 + 0.1)/2 = 0.1; of the 4 assignments of signs to 2
//	  environments 2 lie as far from 0: p = 0.5; the cost of a step is not known; 1 of 4 × 2 distractors read
//	two: one relay, RS 0.5, Strict 0.5; less agentic: −0.4 and −0.3; both assignments of signs lie as far: p = 1
func TestHarnessesOfAModelSideBySide(t *testing.T) {
	t.Parallel()
	r := leaderboard(t).build()
	means := Harness{Cost: of(0.2, 4), Input: of(150, 4), Output: of(15, 4), Seconds: of(3, 4), Calls: of(2, 4), Distractors: of(0, 4), At: 2}
	agentic, one, two := means, means, means
	for _, mean := range []*statistics.Interval{&agentic.Cost, &agentic.Input, &agentic.Output, &agentic.Seconds, &agentic.Calls, &agentic.Distractors} {
		mean.N = 6
	}
	for _, mean := range []*statistics.Interval{&two.Cost, &two.Input, &two.Output, &two.Seconds, &two.Calls, &two.Distractors} {
		mean.N = 2
	}
	// one's second relay did nothing, so its 0.9 is 0.
	agentic.NoOpsZero, one.NoOpsZero, two.NoOpsZero = of(0.8, 2), of(0.5, 2), of(0.5, 1)
	agentic.Relays, agentic.RS, agentic.Strict = 2, of(0.8, 2), of(0.7, 2)
	one.Relays, one.RS, one.Strict, one.Cost, one.Distractors = 2, of(0.95, 2), of(0.8, 2), statistics.None(), of(0.125, 4)
	two.Relays, two.RS, two.Strict = 1, of(0.5, 1), of(0.5, 1)
	one.Versus = &Comparison{Model: "m", Policy: "agent:one", Baseline: "agentic", At: 2, Pairs: 2, RS: of(0.15, 2), RSP: 0.5, Strict: of(0.1, 2), StrictP: 0.5, Done: of(0.5, 2), BaselineDone: of(1, 3),
		Work: results.Work{Done: 1, Edits: 2}, BaselineWork: results.Work{Done: 3, Edits: 3}}
	two.Versus = &Comparison{Model: "m", Policy: "agent:two", Baseline: "agentic", At: 2, Pairs: 1, RS: of(-0.4, 1), RSP: 1, Strict: of(-0.3, 1), StrictP: 1, Done: of(1, 1), BaselineDone: of(1, 3),
		Work: results.Work{Done: 1, Edits: 1}, BaselineWork: results.Work{Done: 3, Edits: 3}}
	want := map[string]Harness{"agentic": agentic, "agent:one": one, "agent:two": two}
	if len(r.Harnesses) != len(want) {
		t.Errorf("%d harnesses", len(r.Harnesses))
	}
	for _, h := range r.Harnesses {
		arm := r.Arms[h.Arm]
		if diff := cmp.Diff(want[arm.Policy], h, append(estimates, cmpopts.IgnoreFields(Harness{}, "Arm"))...); diff != "" || arm.Model != "m" {
			t.Errorf("%s of %s: %s", arm.Policy, arm.Model, diff)
		}
	}
}

// The same numbers stand in every form, and the figure has a point for each harness whose
// cost is known.
func TestTheLeaderboardInEveryForm(t *testing.T) {
	t.Parallel()
	r := leaderboard(t).build()
	sections, err := r.Sections("harnesses")
	if err != nil {
		t.Fatal(err)
	}
	text := func(format string) string {
		var b strings.Builder
		if err := r.Write(&b, format, sections, wideText); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for format, says := range map[string][]string{
		"text":     {"agent:one", "+15.0  0.500", "-40.0  1.000", "unknown", "less those of agentic"},
		"markdown": {"| m | agent:two | 2 | 1 | 50.0 | 50.0 | 50.0 | 100.0 | 100.0 | -40.0 | 1.000 | -30.0 | 1.000 |"},
		"html":     {"<circle ", "agent:two: 50.0 RS %, 0.2 USD an interaction", "less those of agentic"},
		"latex":    {"agent:one"},
	} {
		written := text(format)
		for _, part := range says {
			if !strings.Contains(written, part) {
				t.Errorf("%s has no %q:\n%s", format, part, written)
			}
		}
	}
	if n := strings.Count(text("html"), "<circle "); n != 4 {
		t.Errorf("the figures, for wide and narrow screens, have %d points, want 4: the cost of agent:one is not known", n)
	}
	var out struct{ Sections map[string][]jsonTable }
	if err := json.Unmarshal([]byte(text("json")), &out); err != nil {
		t.Fatal(err)
	}
	costs := out.Sections["harnesses"][1]
	at := slices.IndexFunc(costs.Rows, func(row jsonRow) bool { return row.Labels["policy"] == "agentic" })
	if cost := costs.Rows[at].Cells["cost"]; cost.Value == nil || math.Abs(*cost.Value-0.2) > 1e-12 {
		t.Errorf("JSON has a cost of %v", cost.Value)
	}
}

func TestPointsOfAFigureLieWhereTheirNumbersAre(t *testing.T) {
	t.Parallel()
	number := func(v float64) Cell { return plainCell(v) }
	table := Table{
		Labels: armLabels, Measures: []Measure{{Name: "rs", Unit: Percent}, {Name: "cost", Unit: USD}},
		Scatter: &Scatter{Across: "cost", Up: "rs"},
	}
	for i, values := range [][2]float64{{0.5, 0}, {1, 2}, {0.75, 1}, {0.75, 1}, {0.75, 1}} {
		table.Rows = append(table.Rows, Row{Labels: []string{"m", strings.Repeat("p", i+1)}, Cells: []Cell{number(values[0]), number(values[1])}})
	}
	f := scatters(table)[0]
	middle := func(a, b float64) float64 { return (a + b) / 2 }
	first, second, third := f.Marks[0], f.Marks[1], f.Marks[2]
	if first.X != f.Left || first.Y != f.Bottom || second.X != f.Right || third.X != middle(f.Left, f.Right) || third.Y != middle(first.Y, second.Y) {
		t.Errorf("%+v", f.Marks)
	}
	if second.Anchor != "end" || first.Label != "p" {
		t.Errorf("%+v", f.Marks)
	}
	for i := range f.Marks {
		for k := range f.Marks[:i] {
			if f.Marks[i].covers(&f.Marks[k]) {
				t.Errorf("label %d lies on label %d", i, k)
			}
		}
	}
	table.Rows = table.Rows[:1]
	if scatters(table) != nil {
		t.Error("a single point is drawn")
	}
}
