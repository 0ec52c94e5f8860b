package results

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentd/results/record"
	"agentd/vfs"
)

func TestSearchFindsWhatItSays(t *testing.T) {
	onEach(t, func(t *testing.T, store *Store) {
		relay := plan(t, store, "m")[0]
		store.append(t, &Interaction{ // 1
			Relay: relay.ID, Number: 1, ToolCalls: []record.Call{{Tool: "read_file"}, {Tool: "run_python", Error: "NameError: 100% wrong"}},
			Reads: []record.Read{{File: "Notes.md", Origin: "distractor"}}, Output: vfs.Files{"a.ledger": "a", "b.ledger": "b"},
		}, &Interaction{ // 2
			Relay: relay.ID, Number: 2, ToolCalls: []record.Call{{Tool: "write_file", Error: "no path"}, {Tool: "run_python"}},
			Output: vfs.Files{"a.ledger": "a", "b.ledger": "changed"},
		}, &Interaction{ // 3
			Relay: relay.ID, Number: 3, Failure: "missing_target", Detail: `no "100x" ledger`,
			Output: vfs.Files{"a.ledger": "a", "b.ledger": "changed"},
		})
		for name, c := range map[string]struct {
			search Search
			want   []int
		}{
			"everything, the last first":           {Search{}, []int{3, 2, 1}},
			"those before one":                     {Search{Before: -1}, []int{2, 1}},
			"a tool":                               {Search{Tool: "run_python"}, []int{2, 1}},
			"a tool by its whole name alone":       {Search{Tool: "run"}, nil},
			"a tool's name is no pattern":          {Search{Tool: "run%"}, nil},
			"an error of a tool":                   {Search{Error: "nameerror"}, []int{1}},
			"an error of an interaction":           {Search{Error: "LEDGER"}, []int{3}},
			"an error is no pattern":               {Search{Error: "100%"}, []int{1}},
			"an error of that tool":                {Search{Tool: "run_python", Error: "path"}, nil},
			"an error of the tool that failed":     {Search{Tool: "write_file", Error: "path"}, []int{2}},
			"a file that was read":                 {Search{File: "notes"}, []int{1}},
			"a file that was written, not carried": {Search{File: "b.led"}, []int{2, 1}},
			"a file that was made":                 {Search{File: "a.ledger"}, []int{1}},
			"a part of a hash is no file":          {Search{File: "ca97"}, nil}, // of "a"
			"a failure":                            {Search{Failure: "missing_target"}, []int{3}},
			"any failure":                          {Search{Failure: AnyFailure}, []int{3}},
			"another failure":                      {Search{Failure: "budget"}, nil},
			"a domain":                             {Search{Domain: "accounting", Tool: "read_file"}, []int{1}},
			"another domain":                       {Search{Domain: "chess"}, nil},
			"an experiment":                        {Search{Experiment: "test"}, []int{3, 2, 1}},
			"another experiment":                   {Search{Experiment: "test2"}, nil},
		} {
			if c.search.Before < 0 {
				last, err := store.Search(t.Context(), Search{}, 1)
				if err != nil {
					t.Fatal(err)
				}
				c.search.Before = last[0].ID
			}
			for _, limit := range []int{1, 2, 50} {
				found, err := store.Search(t.Context(), c.search, limit)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				var got []int
				for _, f := range found {
					got = append(got, f.Number)
					if f.Experiment != "test" || f.In.ID != relay.ID {
						t.Errorf("%s: is of %s, relay %d", name, f.Experiment, f.In.ID)
					}
				}
				if diff := cmp.Diff(c.want[:min(limit, len(c.want))], got); diff != "" && len(got)+len(c.want) > 0 {
					t.Errorf("%s, at most %d: -want +got\n%s", name, limit, diff)
				}
			}
		}
	})
}

// append stores interactions in order.
func (s *Store) append(t *testing.T, all ...*Interaction) {
	t.Helper()
	for _, in := range all {
		in.Started = time.UnixMilli(0)
		if err := s.Append(t.Context(), in, nil); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCurvesHaveAPlaceForEveryRoundTrip(t *testing.T) {
	onEach(t, func(t *testing.T, store *Store) {
		relays := plan(t, store, "a", "b")
		scored := func(relay int64, number int, value float64) *Interaction {
			return &Interaction{Relay: relay, Number: number, Score: &Score{RS: value, Strict: value / 2}}
		}
		judged := scored(relays[1].ID, 4, 0.25)
		judged.Score.Judge = "reader"
		store.append(t,
			&Interaction{Relay: relays[0].ID, Number: 1, Executed: new(true)}, &Interaction{Relay: relays[0].ID, Number: 2},
			&Interaction{Relay: relays[0].ID, Number: 3, Executed: new(false)},
			scored(relays[0].ID, 4, 0.5), scored(relays[1].ID, 2, 1), judged)
		got, err := store.Curves(t.Context(), relays[0].Experiment, false)
		of := func(all ...*float64) []*float64 { return all }
		want := map[int64]Curve{
			relays[0].ID: {
				Scores: of(nil, usd(0.5)), Strict: of(nil, usd(0.25)), NoOpsZero: of(nil, usd(0)), StrictNoOpsZero: of(nil, usd(0)),
				Work: Work{Done: 1, Edits: 2},
			},
			relays[1].ID: {
				Scores: of(usd(1), usd(0.25)), Strict: of(usd(0.5), usd(0.125)), NoOpsZero: of(usd(1), usd(0.25)), StrictNoOpsZero: of(usd(0.5), usd(0.125)),
				Judged: true,
			},
		}
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%v\n%s", err, diff)
		}
	})
}

func TestOneInteractionIsAsInTheWholeRelay(t *testing.T) {
	onEach(t, func(t *testing.T, store *Store) {
		relay := plan(t, store, "m")[0]
		store.append(t, typical(relay.ID, 1), typical(relay.ID, 2))
		all, err := store.Interactions(t.Context(), relay.ID)
		if err != nil {
			t.Fatal(err)
		}
		one, err := store.Interaction(t.Context(), relay.ID, 2)
		if diff := cmp.Diff(all[1], one); diff != "" || err != nil {
			t.Errorf("%v\n%s", err, diff)
		}
		documents, err := store.Documents(t.Context(), relay.ID, 2)
		if diff := cmp.Diff(all[1].Output, documents); diff != "" || err != nil {
			t.Errorf("%v\n%s", err, diff)
		}
		summaries, err := store.RelaySummaries(t.Context(), relay.ID)
		if err != nil || len(summaries) != 2 || summaries[1].Output != nil || summaries[1].Use != one.Use {
			t.Errorf("%v: %+v", err, summaries)
		}
		experiment, err := store.ExperimentByID(t.Context(), relay.Experiment)
		if err != nil || experiment.Name != "test" {
			t.Errorf("%v: %+v", err, experiment)
		}
		for what, err := range map[string]error{
			"interaction": last(store.Interaction(t.Context(), relay.ID, 3)),
			"documents":   last(store.Documents(t.Context(), relay.ID, 3)),
			"experiment":  last(store.ExperimentByID(t.Context(), "?")),
		} {
			if !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), what) && what != "documents" {
				t.Errorf("%s that is not there: %v", what, err)
			}
		}
	})
}

func last[T any](_ T, err error) error { return err }
