package relay

import (
	"errors"
	"flag"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentd/internal/layout"
	"agentd/internal/layout/layouttest"
	"agentd/internal/usage"
	"agentd/results"
)

var update = flag.Bool("update", false, "write the golden files")

// listed is a store with three relays: one lost 12 points in its second round trip, one lost
// little by little, one failed and has no score.
func listed(t *testing.T) (*results.Store, results.Experiment) {
	t.Helper()
	store, err := results.Open(filepath.Join(t.TempDir(), "results.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	e, err := store.Begin(t.Context(), "hand", results.Manifest{RoundTrips: 3}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range []struct {
		model, policy, environment, domain string
		scores                             []float64
		price                              float64
	}{
		{"sim:frontier", "agentic", "accounting1", "accounting", []float64{0.99, 0.87, 0.85}, 0.0125},
		{"sim:frontier", "direct", "subtitles1", "subtitles", []float64{0.95, 0.90, 0.84}, 0.5},
		{"gpt-5.4", "direct", "accounting1", "accounting", nil, 0},
	} {
		planned, err := store.Plan(t.Context(), []results.Relay{{
			Experiment: e.ID, Model: r.model, Policy: r.policy, Environment: r.environment, Domain: r.domain, Repeat: i + 1, Schedule: []string{"a", "b", "a"},
		}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for number := 1; number <= 6; number++ {
			in := results.Interaction{Relay: planned[0].ID, Number: number, Direction: results.Forward, Edit: "a"}
			if r.price > 0 {
				in.Cost = &r.price
			}
			if number%2 == 0 {
				in.Direction = results.Backward
				if r.scores != nil {
					in.Score = &results.Score{Value: r.scores[number/2-1], Strict: r.scores[number/2-1] / 2}
				}
			} else if r.scores == nil {
				in.Failure = "missing_target"
			}
			if err := store.Append(t.Context(), &in, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	return store, e
}

func list(t *testing.T, store *results.Store, e results.Experiment, width int, choice Choice) (string, error) {
	t.Helper()
	var b strings.Builder
	p := Printer{Store: store, Out: &b, Screen: layout.Screen{Width: width}}
	err := p.List(t.Context(), e, choice)
	return b.String(), err
}

func TestTheListFitsTheScreen(t *testing.T) {
	t.Parallel()
	store, e := listed(t)
	for _, width := range []int{40, 80, 120} {
		got, err := list(t, store, e, width, Choice{})
		if err != nil {
			t.Fatal(err)
		}
		layouttest.Golden(t, "list", width, got, *update)
	}
}

func TestRelaysAreSortedAndChosen(t *testing.T) {
	t.Parallel()
	store, e := listed(t)
	for name, c := range map[string]struct {
		choice Choice
		want   []int64 // numbers of relays
	}{
		"by number":           {Choice{}, []int64{1, 2, 3}},
		"by the worst drop":   {Choice{Sort: ByDrop}, []int64{1, 2, 3}},
		"by the lowest RS":    {Choice{Sort: ByRS}, []int64{2, 1, 3}},
		"by cost":             {Choice{Sort: ByCost}, []int64{2, 1, 3}},
		"of a model":          {Choice{Arms: []string{"sim:*"}}, []int64{1, 2}},
		"of a policy":         {Choice{Arms: []string{"direct"}}, []int64{2, 3}},
		"of an arm":           {Choice{Arms: []string{"sim:frontier direct"}}, []int64{2}},
		"of a domain":         {Choice{Domains: []string{"accounting"}, Sort: ByCost}, []int64{1, 3}},
		"of an arm, a domain": {Choice{Domains: []string{"accounting"}, Arms: []string{"gpt-5.4"}}, []int64{3}},
	} {
		p := Printer{Store: store}
		all, err := p.summaries(t.Context(), e, c.choice)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var ids []int64
		for _, s := range all {
			ids = append(ids, s.ID)
		}
		if !slices.Equal(ids, c.want) {
			t.Errorf("%s: %v, want %v", name, ids, c.want)
		}
	}
	var wrong usage.Error
	for _, choice := range []Choice{{Sort: "size"}, {Arms: []string{"gpt"}}, {Domains: []string{"acounting"}}} {
		if _, err := list(t, store, e, 80, choice); !errors.As(err, &wrong) {
			t.Errorf("%+v: %v", choice, err)
		}
	}
}

func TestTheWorstDropIsFound(t *testing.T) {
	t.Parallel()
	store, e := listed(t)
	for name, c := range map[string]struct {
		choice Choice
		relay  int64
		drop   drop
	}{
		"of all":                   {Choice{}, 1, drop{4, 0.12}},
		"of an arm":                {Choice{Arms: []string{"direct"}}, 2, drop{6, 0.06}},
		"of what has lost nothing": {Choice{Arms: []string{"gpt-5.4"}}, 3, drop{}},
	} {
		p := Printer{Store: store, Screen: layout.Screen{}}
		all, err := p.summaries(t.Context(), e, Choice{Sort: ByDrop, Arms: c.choice.Arms})
		if err != nil {
			t.Fatal(err)
		}
		if worst := all[0]; worst.ID != c.relay || worst.worst.String() != c.drop.String() {
			t.Errorf("%s: relay %d, %v; want %d, %v", name, worst.ID, worst.worst, c.relay, c.drop)
		}
	}
	var b strings.Builder
	p := Printer{Store: store, Out: &b}
	if err := p.Worst(t.Context(), e, Choice{Arms: []string{"gpt-5.4"}}); err != nil || !strings.Contains(b.String(), "no round trip lost any RS") {
		t.Errorf("%v: %s", err, &b)
	}
}
