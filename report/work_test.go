package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/report/statistics"
	"agentd/results"
)

// worked stores a relay of model m of a round trip for each value. Forward steps of which
// done is false were not carried out.
func (s *stored) worked(policy, environment string, values []float64, done ...bool) {
	s.t.Helper()
	var steps []results.Interaction
	for k, value := range values {
		there := used(1, 1, 1, 0)
		there.Executed = &done[k]
		steps = append(steps, there, backward(used(1, 1, 1, 0), value, value))
	}
	s.relay(results.Relay{Model: "m", Policy: policy, Environment: environment, Schedule: make([]string, len(values))}, steps...)
}

// A model that does nothing keeps every document. Of its relay in books1 all was done, in
// books2 the first step, in maps1 nothing.
//
//	done: 3 of 6
//	RS: (0.9 + 0.8 + 1)/3 = 0.9 and (0.7 + 1 + 1)/3 = 0.9
//	RS of what was done: (0.9 + 0.8)/2 = 0.85 over two, 0.7 over one
//	ready is none: books has 0.7, as books2 does not count; maps has no relay that does
func TestWorkThatWasNotDone(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}})
	s.worked("direct", "books1", []float64{0.9, 0.7}, true, true)
	s.worked("direct", "books2", []float64{0.8, 1}, true, false)
	s.worked("direct", "maps1", []float64{1, 1}, false, false)
	r := s.build()
	arm := r.Arms[0]
	for what, pair := range map[string][2][]statistics.Interval{
		"done":          {{of(0.5, 6)}, {arm.Done}},
		"RS":            {{of(0.9, 3), of(0.9, 3)}, arm.RS},
		"RS of work":    {{of(0.85, 2), of(0.7, 1)}, arm.Worked.RS},
		"mean of means": {{of((0.85+1)/2, 2), of((0.85+1)/2, 2)}, arm.Averages.Domains},
	} {
		if diff := cmp.Diff(pair[0], pair[1], estimates...); diff != "" {
			t.Errorf("%s: -want +got\n%s", what, diff)
		}
	}
	if arm.NotDone != 2 {
		t.Errorf("%d relays were not done, want 2", arm.NotDone)
	}
	ready := r.readiness()
	if len(ready.Rows) != 1 {
		t.Fatalf("%d rows of readiness", len(ready.Rows))
	}
	cells := ready.Rows[0].Cells
	if domains, best, undone := *cells[0].Value, *cells[1].Value, *cells[len(cells)-1].Value; domains != 1 || best != 0 || undone != 2 {
		t.Errorf("%v domains, %v of them ready, %v relays not done", domains, best, undone)
	}
	if !strings.Contains(strings.Join(r.Notes(), "\n"), "RS means little where done is low") {
		t.Errorf("no note speaks of the work: %q", r.Notes())
	}
}

// Round trips without a score by the protocol are left out or count as 0.
//
//	books1 has 0.8, books2 none, maps1 0.5
//	relays: (0.8 + 0.5)/2 = 0.65; as 0, (0.8 + 0 + 0.5)/3
//	domains: (0.8 + 0.5)/2 = 0.65; as 0, (0.4 + 0.5)/2
func TestFourAverages(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}})
	s.worked("direct", "books1", []float64{0.8}, true)
	s.worked("direct", "maps1", []float64{0.5}, true)
	there, back := used(1, 1, 1, 0), used(1, 1, 1, 0)
	back.Unscored = "context_mismatch"
	s.relay(results.Relay{Model: "m", Policy: "direct", Environment: "books2", Schedule: make([]string, 1)}, there, back)
	want := Averages{
		Relays: []statistics.Interval{of(0.65, 2)}, RelaysZero: []statistics.Interval{of(1.3/3, 3)},
		Domains: []statistics.Interval{of(0.65, 2)}, DomainsZero: []statistics.Interval{of(0.45, 2)},
	}
	for _, zero := range []bool{false, true} {
		r := s.buildWith(Options{UnscoredZero: zero})
		arm := r.Arms[0]
		if diff := cmp.Diff(want, arm.Averages, estimates...); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
		shown := want.Relays
		if zero {
			shown = want.RelaysZero
		}
		if diff := cmp.Diff(shown, arm.RS, estimates...); diff != "" {
			t.Errorf("as 0: %v: -want +got\n%s", zero, diff)
		}
		if arm.Unscored != 1 {
			t.Errorf("%d round trips without a score, want 1", arm.Unscored)
		}
	}
}

// More than one interaction in twenty without a score because a service was unavailable puts an arm's
// RS in brackets.
func TestFaultsOfAServiceAreInBrackets(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}})
	values, done := make([]float64, 10), make([]bool, 10)
	for k := range values {
		values[k], done[k] = 0.9, true
	}
	s.worked("direct", "books1", values, done...)
	s.worked("agentic", "books1", values, done...)
	refused := used(0, 0, 1, 0)
	refused.Failure, refused.Unscored, refused.GivenUp = "model error", results.ServiceFault, 1
	s.relay(results.Relay{Model: "m", Policy: "agentic", Environment: "books2", Schedule: make([]string, 1)}, refused)
	r := s.build()
	for _, arm := range r.Arms {
		if want := arm.Policy == "agentic"; arm.Doubtful() != want {
			t.Errorf("%s: doubtful is %v; %d faults, %d given up of %d", arm.Policy, arm.Doubtful(), arm.Faults, arm.GivenUp, arm.Total)
		}
	}
	var text strings.Builder
	if err := write(r, &text); err != nil {
		t.Fatal(err)
	}
	for _, shown := range []string{"(90.0)", "(…): of m, agentic, 2 interactions of 22 planned have no score, as a server or the sandbox failed; --retry faults takes them up again."} {
		if !strings.Contains(strings.Join(strings.Fields(text.String()), " "), shown) {
			t.Errorf("the report does not say %q:\n%s", shown, text.String())
		}
	}
}

// Scores on which limits on work acted are kept by the store, and marked.
func TestApproximateScoresAreMarked(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}})
	there, back := used(1, 1, 1, 0), backward(used(1, 1, 1, 0), 0.9, 0.9)
	back.Approximate = "RS: long sequences are compared by what they share, in any order"
	s.relay(results.Relay{Model: "m", Policy: "direct", Environment: "books1", Schedule: make([]string, 1)}, there, back)
	s.worked("agentic", "books1", []float64{0.8}, true)
	var text strings.Builder
	if err := write(s.build(), &text); err != nil {
		t.Fatal(err)
	}
	shown := strings.Join(strings.Fields(text.String()), " ")
	if !strings.Contains(shown, "≈ 90.0") || !strings.Contains(shown, "≈: scores of 1 interaction are approximate") {
		t.Errorf("the report does not mark the approximate score:\n%s", text.String())
	}
	if strings.Contains(shown, "≈ 80.0") {
		t.Errorf("the report marks an exact score:\n%s", text.String())
	}
}

// What the published reader cannot read has RS 0, all of it corruption: (1 + 0)/2 is deleted.
func TestAnUnreadableDocumentIsNotDeleted(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}})
	lost, unread := backward(used(1, 1, 1, 0), 0, 0), backward(used(1, 1, 1, 0), 0, 0.99)
	lost.Score.Reference, unread.Score.Reference = 10, 10
	unread.Score.Unreadable = true
	for k, back := range []results.Interaction{lost, unread} {
		s.relay(results.Relay{Model: "m", Policy: "direct", Environment: []string{"books1", "books2"}[k], Schedule: make([]string, 1)}, used(1, 1, 1, 0), back)
	}
	arm := s.build().Arms[0]
	if arm.Unreadable != 1 {
		t.Errorf("%d documents are unreadable, want 1", arm.Unreadable)
	}
	if diff := cmp.Diff([]statistics.Interval{of(0.5, 2)}, arm.Damage.Deletion, estimates...); diff != "" {
		t.Errorf("deletion: -want +got\n%s", diff)
	}
}
