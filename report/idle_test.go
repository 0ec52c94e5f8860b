package report

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"agentd/internal/layout"
	"agentd/results"
)

// lazy stores arms of model m on two environments, two round trips each. Every step has RS 1 but the
// last one of direct, 0.8 and 0.6.
//
//	direct:  RS@4 (0.8 + 0.6)/2 = 0.7, with no-ops as 0 likewise
//	half:    of 4 edits 2 are done, the first of each relay: RS@4 1, with no-ops as 0 0
//	refuse:  none of 4 is done: no RS. The last round trip of books2 is unscored, which with no-ops as 0 is 0 as the others
//	some:    1 of 4 is done, that of @4 on books1: with no-ops as 0 (1 + 0)/2 = 0.5
func lazy(t *testing.T) *stored {
	t.Helper()
	s := newStoredWith(t, map[string]string{"books1": "a", "books2": "b"})
	s = s.another("lazy", results.Manifest{
		Models: s.experiment.Manifest.Models, Environments: s.experiment.Manifest.Environments,
		Policies: []string{"refuse", "some", "half", "direct"}, RoundTrips: 2, Repeats: 1, Schedule: "round-robin",
		Traits: map[string]results.Traits{"refuse": {Tools: true}, "some": {Tools: true}, "half": {Tools: true}, "direct": {Baseline: true}},
	})
	relay := func(policy, environment string, done [2]bool, last *float64) {
		var steps []results.Interaction
		for k, executed := range done {
			there, back := used(1, 1, 1, 0), backward(used(1, 1, 1, 0), 1, 1)
			there.Executed = &executed
			if !executed {
				there.Failure = "missing target"
			}
			if k == 1 && last == nil {
				back.Score, back.Unscored = nil, results.ContextMismatch
			} else if k == 1 {
				back.Score = &results.Score{RS: *last, Strict: *last}
			}
			steps = append(steps, there, back)
		}
		s.relay(results.Relay{Model: "m", Policy: policy, Environment: environment, Schedule: []string{"a", "b"}}, steps...)
	}
	all, none := [2]bool{true, true}, [2]bool{}
	relay("refuse", "books1", none, to(1.0))
	relay("refuse", "books2", none, nil)
	relay("some", "books1", [2]bool{false, true}, to(1.0))
	relay("some", "books2", none, to(1.0))
	relay("half", "books1", [2]bool{true, false}, to(1.0))
	relay("half", "books2", [2]bool{true, false}, to(1.0))
	relay("direct", "books1", all, to(0.8))
	relay("direct", "books2", all, to(0.6))
	return s
}

func TestWorkThatWasNotDoneEarnsNothing(t *testing.T) {
	t.Parallel()
	s := lazy(t)
	r := s.build()
	r.wantCells(t, "survival", "rs_noops_zero", map[string][]float64{
		"m|direct": {2, 1, 0.7}, "m|half": {2, 1, 0}, "m|refuse": {2, 0, 0}, "m|some": {2, 0, 0.5},
	})
	var order []string
	for _, a := range r.Arms {
		order = append(order, a.Policy)
	}
	if want := []string{"direct", "half", "refuse", "some"}; !slices.Equal(order, want) {
		t.Errorf("the arms are in the order %v, want %v", order, want)
	}
	var idle *NothingDoneError
	if err := r.NothingDone(); !errors.As(err, &idle) || !slices.Equal(idle.Arms, []string{"m refuse did 0 of 4 edits"}) {
		t.Errorf("nothing done: %v", err)
	}
}

// No number of any table is a score of an arm that did too little, but those with no-ops as 0.
func TestAnArmThatDidTooLittleHasNoScoreAnywhere(t *testing.T) {
	t.Parallel()
	s := lazy(t)
	r := s.buildWith(Options{Against: &s.experiment})
	sections, err := r.Sections()
	if err != nil {
		t.Fatal(err)
	}
	scores := []string{"rs", "strict", "rs_difference", "strict_difference", "rs_p", "strict_p", "rs_2", "rs_4", "strict_2", "strict_4", "rs_done_2", "rs_relays_2", "rs_domains_zero_4",
		"deletion_2", "corruption_2", "deletion_share", "corruption_share", "critical_by_2", "critical_failures", "critical_per_relay", "average_drop", "unseen", "gap", "grade_1", "domains",
		"score", "rs_with", "rs_without", "rho", "m/refuse", "m/some"}
	met := map[string]bool{}
	for _, section := range sections {
		for _, table := range section.Tables {
			if table.Name == "domains_done" {
				continue
			}
			for _, row := range table.Rows {
				for k, m := range table.Measures {
					lazily := slices.Contains(row.Labels, "refuse") || slices.Contains(row.Labels, "some")
					if !slices.Contains(scores, m.Name) || !lazily && table.Name != "domains" {
						continue
					}
					if table.Name == "domains" && !strings.HasPrefix(m.Name, "m/") {
						continue
					}
					met[table.Name] = true
					if row.Cells[k].Value != nil {
						t.Errorf("%s, %v, %s: %v", table.Name, row.Labels, m.Name, *row.Cells[k].Value)
					}
				}
			}
		}
	}
	for _, table := range []string{"rs", "strict", "rs_done", "rs_relays", "comparison", "against", "harnesses", "harness_costs", "domains", "readiness", "critical", "critical_by", "deletion", "hidden"} {
		if !met[table] {
			t.Errorf("%s was not looked at", table)
		}
	}
}

func TestWhatStandsInPlaceOfAScore(t *testing.T) {
	t.Parallel()
	s := lazy(t)
	r := s.build()
	var summary strings.Builder
	if err := r.Summary(&summary, layout.Screen{Width: 80}, "", ""); err != nil {
		t.Fatal(err)
	}
	for format, says := range map[string][]string{
		"text":     {"refuse (did 0 of 4 edits)", "–: m refuse did 0 % of the edits, m some did 25 % of the edits: RS says nothing."},
		"markdown": {"| m | refuse (did 0 of 4 edits) | 2 | 0.0 [0.0, 0.0] | – | – | – |"},
		"csv":      {"lazy,rs,m,false,refuse,,rs_4,,,,,false,false,clean,0,4", "lazy,rs_noops_zero,m,false,direct,,rs_noops_zero_4,0.7,"},
		"json":     {`"did": 0,` + "\n" + `            "edits": 4,`},
		"latex":    {"refuse (did 0 of 4 edits)"},
		"html":     {`<td class="score">–</td><td class="bar">did 0 of 4 edits</td>`},
	} {
		if text := written(t, r, format); !slices.ContainsFunc(says, func(part string) bool { return strings.Contains(text, part) }) {
			t.Errorf("%s has none of %q:\n%s", format, says, text)
		} else {
			for _, part := range says {
				if !strings.Contains(text, part) {
					t.Errorf("%s has no %q", format, part)
				}
			}
		}
	}
	for _, part := range []string{
		" m refuse      –       0.0         –    0.0", " m direct   70.0      70.0      70.0  100.0",
		"m refuse did 0 % of the edits, m some did 25 % of the edits: RS says nothing.",
	} {
		if !strings.Contains(summary.String(), part) {
			t.Errorf("the summary has no %q:\n%s", part, &summary)
		}
	}
}
