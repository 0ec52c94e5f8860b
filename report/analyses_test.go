package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/report/statistics"
	"agentd/results"
)

// point is what a round trip of a hand-made relay came to.
type point struct {
	value, strict        float64
	reference, candidate int
	forward              float64
}

// curve stores a relay of model m.
func (s *stored) curve(policy, environment string, repeat int, points ...point) {
	s.t.Helper()
	relay := results.Relay{Model: "m", Policy: policy, Environment: environment, Repeat: repeat, Schedule: make([]string, len(points))}
	var steps []results.Interaction
	for _, p := range points {
		there := forward(used(1, 1, 1, 0), p.forward)
		back := backward(used(1, 1, 1, 0), p.value, p.strict)
		back.Score.Reference, back.Score.Candidate = p.reference, p.candidate
		steps = append(steps, there, back)
	}
	s.relay(relay, steps...)
}

// Figure 7 and Appendix F: deletion is 1 − candidate/reference, corruption is the rest.
//
//	books1: RS 0.7, 8 of 10 elements: lost 0.3 = deletion 0.2 + corruption 0.1
//	books2: RS 0.9, 5 of 10 elements: lost 0.1 = deletion 0.5 + corruption −0.4
//	books3: RS 0.6, 12 of 10 elements: lost 0.4, all of it corruption
//	fiction1 is of a domain whose words are not counted
//	means: deletion (0.2 + 0.5 + 0)/3, corruption (0.1 − 0.4 + 0.4)/3; deletion's share 0.7 of 0.8
func TestDamageIsDeletionAndCorruption(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{})
	s.curve("direct", "books1", 1, point{value: 0.7, reference: 10, candidate: 8})
	s.curve("direct", "books2", 1, point{value: 0.9, reference: 10, candidate: 5})
	s.curve("direct", "books3", 1, point{value: 0.6, reference: 10, candidate: 12})
	s.curve("direct", "fiction1", 1, point{value: 0.1, reference: 10, candidate: 1})
	r := s.build()
	want := Damage{
		Deletion: []statistics.Interval{of(0.7/3, 3)}, Corruption: []statistics.Interval{of(0.1/3, 3)}, DeletionShare: []statistics.Interval{of(0.7/0.8, 3)},
	}
	if diff := cmp.Diff(want, r.Arms[0].Damage, estimates...); diff != "" {
		t.Error(diff)
	}
	r.wantCells(t, "damage", "damage_shares", map[string][]float64{"m|direct": {2, 0.875, 0.125}})
	chosen, err := r.Sections("damage")
	if err != nil || chosen[0].Tables[2].Plot == nil || !strings.Contains(chosen[0].Tables[0].Notes[0], "fiction (words)") {
		t.Error(chosen, err)
	}
}

// Appendix D: books1 has three edits, tales1 one. The mean over relays is 0.6; that
// of the environments' means, 0.5 and 0.9, is 0.7.
func TestWithRelaysForEachEditEnvironmentsHaveTheSameWeight(t *testing.T) {
	t.Parallel()
	for schedule, want := range map[string]float64{"every-edit": 0.7, "single-edit": 0.6} {
		s := newStored(t, results.Manifest{Schedule: schedule})
		for repeat, value := range []float64{0.4, 0.5, 0.6} {
			s.curve("direct", "books1", repeat+1, point{value: value, strict: value, reference: 10, candidate: 10})
		}
		s.curve("direct", "tales1", 1, point{value: 0.9, strict: 0.9, reference: 10, candidate: 10})
		r := s.build()
		for name, got := range map[string][]statistics.Interval{"RS": r.Arms[0].RS, "Strict": r.Arms[0].Strict} {
			if diff := cmp.Diff([]statistics.Interval{of(want, 4)}, got, estimates...); diff != "" {
				t.Errorf("%s, %s: %s", schedule, name, diff)
			}
		}
		if diff := cmp.Diff([]statistics.Interval{of(1-want, 4)}, r.Arms[0].Damage.Corruption, estimates...); diff != "" {
			t.Errorf("%s, corruption: %s", schedule, diff)
		}
	}
}

// Tables 9 and A2, by round trip of 10 points or more.
//
//	books1: 1 → 0.85 → 0.80 → 0.60: drops 0.15 and 0.20 are critical, 0.05 is not
//	books2: 1 → 0.95 → 1.00 → 0.90: drops 0.05 and 0.10, of which the last is critical; gains count nothing
//	books3: 1 → 0.95 → 0.92 → 0.92: none
//	relays that had one: after 2 interactions 1/3, after 4 1/3, after 6 2/3
//	3 in 3 relays: 1 each; mean size (0.15 + 0.20 + 0.10)/3 = 0.15
//	of all loss: 0.45 of (0.15+0.05+0.20) + (0.05+0.10) + (0.05+0.03) = 0.63
//	the mean over relays of all drops 0.63/3 = 0.21, of the critical ones 0.45/3 = 0.15
func TestCriticalFailures(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{})
	s.curve("direct", "books1", 1, point{value: 0.85}, point{value: 0.80}, point{value: 0.60})
	s.curve("direct", "books2", 1, point{value: 0.95}, point{value: 1}, point{value: 0.90})
	s.curve("direct", "books3", 1, point{value: 0.95}, point{value: 0.92}, point{value: 0.92})
	want := Critical{
		Relays: []statistics.Interval{of(1.0/3, 3), of(1.0/3, 3), of(2.0/3, 3)},
		Drops:  3, Mean: of(0.15, 3), Each: of(1, 3), OfLoss: of(0.45/0.63, 3),
		AllDrops: of(0.21, 3), CriticalDrops: of(0.15, 3),
	}
	if diff := cmp.Diff(want, s.build().Arms[0].Critical, estimates...); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestAnArmWithoutLossHasNoCriticalFailures(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{})
	s.curve("direct", "books1", 1, point{value: 1, strict: 1, forward: 1})
	want := Critical{Relays: []statistics.Interval{of(0, 1)}, Mean: statistics.None(), Each: of(0, 1), OfLoss: statistics.None(), AllDrops: of(0, 1), CriticalDrops: of(0, 1)}
	if diff := cmp.Diff(want, s.build().Arms[0].Critical, estimates...); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// What scores hide.
//
//	books1: 1 → 1 (Strict 0.9, forward 0.2) → 0.5 (Strict 0.4, forward 0.1)
//	books2: 1 → 1 (Strict 1, forward 0.9) → 1 (Strict 0.8, forward 0.4)
//	whole round trips: books1 the first, books2 both; not done: 0.2 and 0.4 of the three, 2/3
//	RS of 1: the same three; Strict below 1 in two of them, 2/3
//	RS less Strict at the end: (0.5 − 0.4 + 1 − 0.8)/2 = 0.15
func TestWhatScoresHide(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{})
	s.curve("direct", "books1", 1, point{value: 1, strict: 0.9, forward: 0.2}, point{value: 0.5, strict: 0.4, forward: 0.1})
	s.curve("direct", "books2", 1, point{value: 1, strict: 1, forward: 0.9}, point{value: 1, strict: 0.8, forward: 0.4})
	want := Hidden{Undone: of(2.0/3, 3), Unseen: of(2.0/3, 3), Gap: of(0.15, 2)}
	if diff := cmp.Diff(want, s.build().Arms[0].Hidden, estimates...); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// Relays are paired by environment and repeat, at the last moment that a pair has
// reached, here after 4 interactions.
//
//	books1, repeat 1: RS 0.8 − 0.9 = −0.1, Strict 0.6 − 0.5 = 0.1
//	books1, repeat 2: RS 0.6 − 0.9 = −0.3, Strict 0.5 − 0.5 = 0
//	books2: RS 0.9 − 0.7 = 0.2, Strict 0.8 − 0.4 = 0.4
//	books3: the agentic relay ended early; books4: there is no direct one
//	RS (−0.1 − 0.3 + 0.2)/3 = −1/15; by environment the sums are −0.4 and 0.2: of the
//	4 assignments of signs all have a sum of at least |−0.2|, p = 1
//	Strict (0.1 + 0 + 0.4)/3 = 1/6; the sums 0.1 and 0.4: 2 of 4 are as far as 0.5, p = 0.5
func TestPoliciesAreComparedInPairs(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}})
	end := func(value, strict float64) []point {
		return []point{{value: 1, strict: 1}, {value: value, strict: strict}}
	}
	s.curve("agentic", "books1", 1, end(0.8, 0.6)...)
	s.curve("agentic", "books1", 2, end(0.6, 0.5)...)
	s.curve("agentic", "books2", 1, end(0.9, 0.8)...)
	s.curve("agentic", "books3", 1, point{value: 0.1})
	s.curve("agentic", "books4", 1, end(0.1, 0.1)...)
	s.curve("direct", "books1", 1, end(0.9, 0.5)...)
	s.curve("direct", "books1", 2, end(0.9, 0.5)...)
	s.curve("direct", "books2", 1, end(0.7, 0.4)...)
	s.curve("direct", "books3", 1, end(0.7, 0.4)...)
	want := []Comparison{{
		Model: "m", Policy: "agentic", Baseline: "direct", At: 4, Pairs: 3,
		RS: of(-1.0/15, 3), RSP: 1, Strict: of(1.0/6, 3), StrictP: 0.5,
		Done: statistics.None(), BaselineDone: statistics.None(),
	}}
	if diff := cmp.Diff(want, s.build().Comparisons, estimates...); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// Table 2: each domain by the mean RS of its relays at their end.
//
//	books: (1 + 0.97)/2 = 0.985, ready; maps: 0.98 exactly, ready; songs: 0.5, below
//	55; tales did not reach its end and is in no column
func TestReadinessByDomain(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{})
	s.curve("direct", "books1", 1, point{value: 1}, point{value: 1})
	s.curve("direct", "books2", 1, point{value: 0.2}, point{value: 0.97})
	s.curve("direct", "maps1", 1, point{value: 1}, point{value: 0.98})
	s.curve("direct", "songs1", 1, point{value: 1}, point{value: 0.5})
	s.relay(results.Relay{Model: "m", Policy: "direct", Environment: "tales1", Schedule: make([]string, 2)},
		forward(used(1, 1, 1, 0), 1), backward(used(1, 1, 1, 0), 1, 1))
	r := s.build()
	ends := func(domain string, environments int, end statistics.Interval) DomainEnds {
		one := []statistics.Interval{end} // whether work was done is not recorded, so nothing is left out
		return DomainEnds{Domain: domain, Environments: environments, Ends: one, Worked: one, Done: []statistics.Interval{statistics.None()}}
	}
	want := []DomainEnds{
		ends("books", 2, of(0.985, 2)), ends("maps", 1, of(0.98, 1)), ends("songs", 1, of(0.5, 1)), ends("tales", 1, statistics.None()),
	}
	if diff := cmp.Diff(want, r.Domains, estimates...); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	var got []float64
	for _, cell := range r.readiness().Rows[0].Cells {
		got = append(got, *cell.Value)
	}
	if diff := cmp.Diff([]float64{3, 2, 0, 0, 0, 0, 0, 1, 0}, got); diff != "" {
		t.Error(diff)
	}
}
