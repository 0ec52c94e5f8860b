package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"agentd/report/statistics"
	"agentd/results"
)

// Two relays on a and one on b, of which one has no second round trip. At 4: RS (0.2 + 0.6)/2, with
// no-ops as 0 (0 + 0.6)/2. Under every-edit at 2, a has (1 + 0)/2 and b 1: 0.75.
func TestArmsStandAsAtTheirLastRoundTrip(t *testing.T) {
	t.Parallel()
	all := func(v ...float64) (all []*float64) {
		for _, x := range v {
			all = append(all, new(x))
		}
		return all
	}
	relays := []results.Relay{
		{ID: 1, Model: "m", Policy: "p", Environment: "a"}, {ID: 2, Model: "m", Policy: "p", Environment: "a"}, {ID: 3, Model: "m", Policy: "p", Environment: "b"},
		{ID: 4, Model: "m", Policy: "idle", Environment: "a"}, {ID: 5, Model: "m", Policy: "begun", Environment: "a"},
	}
	curve := func(scores, noOps []*float64) results.Curve {
		return results.Curve{Scores: scores, Strict: scores, NoOpsZero: noOps, StrictNoOpsZero: noOps}
	}
	curves := map[int64]results.Curve{1: curve(all(1, 0.2), all(1, 0)), 2: curve(all(0), all(0)), 3: curve(all(1, 0.6), all(1, 0.6)), 4: curve(nil, all(0))}
	want := map[[2]string]End{
		{"m", "p"}:    {At: 4, RS: new(0.4), Strict: new(0.4), RSNoOpsZero: new(0.3), StrictNoOpsZero: new(0.3)},
		{"m", "idle"}: {At: 2, RSNoOpsZero: new(0.0), StrictNoOpsZero: new(0.0)},
	}
	if diff := cmp.Diff(want, (&Ends{relays: relays}).Of(curves), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Error(diff)
	}
	curves[1], curves[3] = curve(all(1), all(1)), curve(all(1), all(1))
	if got := (&Ends{relays: relays, experiment: results.Experiment{Manifest: results.Manifest{Schedule: everyEdit}}}).Of(curves)[[2]string{"m", "p"}]; *got.RS != 0.75 {
		t.Errorf("every-edit: %v, want 0.75", *got.RS)
	}
}

// The ends are the last numbers of the tables: also where round trips without a score count as 0,
// where pictures and general text have tables of their own, and where there is nothing else.
func TestEndsAreTheLastNumbersOfTheTables(t *testing.T) {
	t.Parallel()
	for name, environments := range map[string][]string{
		"texts": {"books1", "books2", "maps1"}, "with a picture and general text": {"books1", "image1", "books2", "markdown1"},
		"pictures and general text": {"image1", "markdown1"}, "general text": {"markdown1", "markdown2"},
	} {
		for _, schedule := range []string{"", everyEdit} {
			s := newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}, Schedule: schedule})
			for i, environment := range environments {
				s.worked("direct", environment, []float64{0.9, 0.8 - 0.13*float64(i)}, true, true)
				s.worked("lazy", environment, []float64{0.7, 0.1 * float64(i)}, true, i > 0)
				there, back := used(1, 1, 1, 0), used(1, 1, 1, 0)
				there.Executed, back.Unscored = new(true), results.ContextMismatch
				s.relay(results.Relay{Model: "m", Policy: "direct", Environment: environment, Repeat: 2, Schedule: make([]string, 2)}, there, back, there, back)
			}
			for _, zero := range []bool{false, true} {
				options := Options{Category: category, UnscoredZero: zero}
				ends, err := ReadEnds(t.Context(), s.Store, s.experiment, options)
				if err != nil {
					t.Fatal(err)
				}
				now, err := ends.Now(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				r, err := Build(t.Context(), s.Store, s.experiment, options)
				if err != nil {
					t.Fatal(err)
				}
				want := map[[2]string]End{}
				for _, a := range r.Arms {
					last := func(scores []statistics.Interval) *float64 { return &scores[len(scores)-1].Estimate }
					want[[2]string{a.Model, a.Policy}] = End{
						At: 2 * len(a.RS), RS: last(a.RS), Strict: last(a.Strict), RSNoOpsZero: last(a.NoOpsZero.RS), StrictNoOpsZero: last(a.NoOpsZero.Strict), Work: a.Work,
					}
				}
				if diff := cmp.Diff(want, now, cmpopts.EquateApprox(0, 1e-12)); diff != "" || len(want) != 2 {
					t.Errorf("%s, schedule %q, unscored as 0: %v: -table +ends\n%s", name, schedule, zero, diff)
				}
			}
		}
	}
}
