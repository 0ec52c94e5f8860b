package relay

import (
	"errors"
	"flag"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentd/domains"
	"agentd/environments"
	"agentd/internal/layout"
	"agentd/internal/layout/layouttest"
	"agentd/internal/usage"
	"agentd/results"
	"agentd/vfs"
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
					in.Score = &results.Score{RS: r.scores[number/2-1], Strict: r.scores[number/2-1] / 2}
				}
			} else if r.scores == nil {
				in.Failure = "missing target"
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
}

// said is what trace worst prints of an experiment on one environment, whose relays have one
// round trip each.
func said(t *testing.T, width int, relays ...[]results.Interaction) string {
	t.Helper()
	store, err := results.Open(filepath.Join(t.TempDir(), "results.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	env := environments.Environment{Name: "books", Domain: "ledger", Seed: vfs.Files{"books.txt": "one\n"}, Edits: []environments.Edit{{Name: "a", Forward: "Split it.", Backward: "Merge it."}}}
	if err := store.PutContents(t.Context(), []string{env.Encode()}); err != nil {
		t.Fatal(err)
	}
	e, err := store.Begin(t.Context(), "hand", results.Manifest{RoundTrips: 1, Environments: map[string]string{"books": env.Hash()}}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	for i, steps := range relays {
		planned, err := store.Plan(t.Context(), []results.Relay{{
			Experiment: e.ID, Model: "small", Policy: "direct", Environment: "books", Domain: "ledger", Repeat: i + 1, Schedule: []string{"a"},
		}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for k, in := range steps {
			in.Relay, in.Number, in.Edit, in.Output = planned[0].ID, max(in.Number, k+1), "a", env.Seed
			in.Direction = []results.Direction{results.Forward, results.Backward}[in.Number-1]
			if err := store.Append(t.Context(), &in, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	var b strings.Builder
	p := Printer{Store: store, Out: &b, Screen: layout.Screen{Width: width}, Find: func(string) (domains.Domain, bool) { return nil, false }}
	if err := p.Worst(t.Context(), e, Choice{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Where nothing lost any RS because nothing was done, trace worst shows why.
func TestTheWorstOfWhatFailedIsWhyItFailed(t *testing.T) {
	t.Parallel()
	long := results.Interaction{
		Failure: "model error", Unscored: results.ServiceFault, GivenUp: 1,
		Detail: "model small: context too long: status 400 Bad Request: This model's maximum context length is 8192 tokens. However, your messages resulted in 12540 tokens.",
	}
	missing := results.Interaction{Failure: "missing target", Detail: "books.csv"}
	score := func(value float64) results.Interaction {
		return results.Interaction{Score: &results.Score{RS: value, Strict: value}}
	}
	for _, width := range []int{40, 80, 120} {
		whole := said(t, width, []results.Interaction{missing, score(1)}, []results.Interaction{long}, []results.Interaction{long})
		first, _, _ := strings.Cut(whole, "Instruction: ") // what servers said is shown as it is after that
		layouttest.Golden(t, "worst", width, first, *update)
	}
	for name, c := range map[string]struct {
		relays [][]results.Interaction
		says   []string
		not    string
	}{
		"nothing is scored": {[][]results.Interaction{{long}, {long}}, []string{"2 of 2 interactions failed or changed nothing, and no round trip has a score", "agentd trace 1 1"}, "lost"},
		"nothing was done":  {[][]results.Interaction{{{Executed: new(false)}, score(1)}}, []string{"What failed: 1 × nothing was changed.", "no round trip that has a score lost any RS"}, ""},
		"something lost":    {[][]results.Interaction{{missing, score(1)}, {{}, score(0.5)}}, []string{"What failed: 1 × missing target.", "lost most RS, 50.0 points: agentd trace 2 2"}, "failed or changed"},
		"a way back alone":  {[][]results.Interaction{{{Number: 2, Score: score(0.5).Score}}}, []string{"agentd trace 1 2", "Interaction 2: a, backward"}, ""},
		"nothing failed":    {[][]results.Interaction{{{}, score(1)}}, []string{"no round trip lost any RS"}, "What failed"},
	} {
		got := said(t, 200, c.relays...)
		for _, want := range c.says {
			if !strings.Contains(got, want) {
				t.Errorf("%s: nothing says %q: %s", name, want, got)
			}
		}
		if c.not != "" && strings.Contains(got, c.not) {
			t.Errorf("%s: says %q: %s", name, c.not, got)
		}
	}
}
