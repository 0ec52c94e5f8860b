package triage_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness/triage"
	"agentd/internal/opinion"
	"agentd/results"
	"agentd/vfs"
)

const document = `{"a": 1, "b": 2, "c": 3, "d": 4}` + "\n"

var env = environments.Environment{
	Name: "json1", Domain: "json", Seed: vfs.Files{"x.json": document}, Targets: []string{"x.json"},
	Edits: []environments.Edit{
		{Name: "split", Forward: "Split it by key.", Backward: "Merge it.", Targets: []string{"*.json"}},
		{Name: "sort", Forward: "Sort it by value.", Backward: "Sort it by key.", Targets: []string{"x.json"}},
	},
}

// trip is what one round trip of a model came to: its score, or no score at all.
type trip struct {
	model  string
	repeat int // odd ones are of split, even ones of sort
	value  float64
	fault  bool // a service failed the forward step
	none   bool // the protocol gives it no score
	story  bool // only a judge could score it, and there is none
	open   bool // only the forward step is stored
}

func stored(t *testing.T, schedule string, trips ...trip) (*results.Store, results.Experiment) {
	t.Helper()
	store, err := results.Open(filepath.Join(t.TempDir(), "results.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	record, err := store.Begin(t.Context(), "hand", results.Manifest{
		Schedule: schedule, Repeats: 2, Environments: map[string]string{"json1": env.Hash()},
	}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.PutContents(t.Context(), []string{env.Encode()}); err != nil {
		t.Fatal(err)
	}
	for _, trip := range trips {
		edit := env.Edits[(trip.repeat-1)%2]
		planned, err := store.Plan(t.Context(), []results.Relay{{
			Experiment: record.ID, Model: trip.model, Policy: "direct", Environment: "json1", Domain: "json", Repeat: trip.repeat, Schedule: []string{edit.Name},
		}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		steps := []results.Interaction{{Edit: edit.Name, Direction: results.Forward, Output: vfs.Files{"x.json": "{}"}}}
		switch {
		case trip.fault:
			steps[0].Unscored, steps[0].Failure, steps[0].GivenUp = results.ServiceFault, "model error", 1
		case !trip.open:
			back := results.Interaction{Edit: edit.Name, Direction: results.Backward, Output: vfs.Files{"x.json": `{"a": 1, "b": 2, "c": 9, "d": 4}`}}
			if back.Score = (&results.Score{RS: trip.value, Strict: trip.value}); trip.none {
				back.Score, back.Unscored = nil, results.ContextMismatch
			}
			if trip.story {
				back.Score, back.Fallback = nil, &results.Fallback{Problem: "no judge"}
			}
			steps = append(steps, back)
		}
		for i, in := range steps {
			in.Relay, in.Number = planned[0].ID, i+1
			if err := store.Append(t.Context(), &in, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	return store, record
}

func read(t *testing.T, trips ...trip) (judged []triage.Judged, missing int) {
	t.Helper()
	store, record := stored(t, "single-round-trips", trips...)
	trials, missing, err := triage.Stored(t.Context(), store, record)
	if err != nil {
		t.Fatal(err)
	}
	return triage.Trials(trials, catalog.Lookup), missing
}

// Three of the four attempts at split have the same difference, which is ambiguous.
func TestStoredTrialsStandByEditArmAndRun(t *testing.T) {
	t.Parallel()
	judged, missing := read(t, trip{model: "m", repeat: 1, value: 1}, trip{model: "n", repeat: 1}, trip{model: "m", repeat: 2},
		trip{model: "m", repeat: 3}, trip{model: "n", repeat: 3, fault: true}, trip{model: "m", repeat: 4, open: true})
	var got []string
	for _, j := range judged {
		got = append(got, fmt.Sprint(j.Edit.Name, " ", j.Model, " ", j.Run, " ", j.Verdict))
	}
	want := []string{"split m 1 ambiguous", "split m 2 ambiguous", "split n 1 ambiguous", "split n 2 broken", "sort m 1 warranted"}
	if diff := cmp.Diff(want, got); diff != "" || missing != 1 {
		t.Errorf("%d missing, %s", missing, diff)
	}
	store, record := stored(t, "round-robin", trip{model: "m", repeat: 1})
	if _, _, err := triage.Stored(t.Context(), store, record); !errors.Is(err, triage.ErrNotSingle) {
		t.Error(err)
	}
}

// By hand: 0.8 and 0.78 have a mean of 0.79, 1 and 0.6 one of 0.8.
func TestAnEditIsFlaggedWhereAllModelsStayLow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		trips []trip
		want  bool
	}{
		"all below":                        {[]trip{{model: "m", repeat: 1, value: 0.8}, {model: "m", repeat: 3, value: 0.78}, {model: "n", repeat: 1, value: 0.1}}, true},
		"one reaches it":                   {[]trip{{model: "m", repeat: 1, value: 1}, {model: "m", repeat: 3, value: 0.6}, {model: "n", repeat: 1, value: 0.1}}, false},
		"no score by the protocol":         {[]trip{{model: "m", repeat: 1, none: true}}, true},
		"the unscored are left out":        {[]trip{{model: "m", repeat: 1, none: true}, {model: "m", repeat: 3, value: 0.9}}, false},
		"nothing could score it":           {[]trip{{model: "m", repeat: 1, story: true}, {model: "n", repeat: 1, story: true}}, false},
		"and does not save another either": {[]trip{{model: "m", repeat: 1, story: true}, {model: "n", repeat: 1, value: 0.2}}, true},
		"a service's fault says nothing":   {[]trip{{model: "m", repeat: 1, fault: true}}, false},
		"and does not save another model":  {[]trip{{model: "m", repeat: 1, fault: true}, {model: "n", repeat: 1, value: 0.2}}, true},
	} {
		judged, _ := read(t, c.trips...)
		if got := triage.Flagged(judged); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAJudgeSortsRoundTripsOfAFlaggedEdit(t *testing.T) {
	t.Parallel()
	judged, _ := read(t, trip{model: "m", repeat: 1, value: 0.75}, trip{model: "m", repeat: 3, value: 0.5}, trip{model: "n", repeat: 1, none: true}, trip{model: "n", repeat: 3, fault: true},
		trip{model: "o", repeat: 1, story: true})
	var prompts []string
	answers := map[string]map[string]any{
		"0.750 of 1":             {"category": 1.0, "justification": "it is there"},
		"0.500 of 1":             {"category": 3.0, "justification": "the 3 is a 9"},
		"none: context_mismatch": {"category": 4.0, "justification": "no such category"},
	}
	ask := func(prompt string, accept func(map[string]any) error) (map[string]any, error) {
		prompts = append(prompts, prompt)
		for part, answer := range answers {
			if !strings.Contains(prompt, part) {
				continue
			}
			if err := accept(answer); err != nil {
				return nil, fmt.Errorf("%w: %w", domains.ErrNoAnswer, err)
			}
			return answer, nil
		}
		return nil, errors.New("no such prompt")
	}
	sorted, err := triage.Sort(ask, judged, catalog.Lookup)
	if err != nil || len(prompts) != 3 {
		t.Fatal(err, len(prompts))
	}
	var got []opinion.Choice
	for _, s := range sorted {
		got = append(got, s.Choice)
	}
	if diff := cmp.Diff([]opinion.Choice{{Category: 0, Why: "it is there"}, {Category: 2, Why: "the 3 is a 9"}}, got); diff != "" {
		t.Error(diff)
	}
	for _, part := range []string{"Split it by key.", "Merge it.", document, `"c": 9`, "c: 3 -> 9", "3: model error: "} {
		if !strings.Contains(prompts[0], part) {
			t.Errorf("no %q in\n%s", part, prompts[0])
		}
	}
}
