package results

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentd/results/record"
	"agentd/results/resultstest"
	"agentd/vfs"
)

func usd(v float64) *float64 { return &v }

// create opens a new store that is closed with the test.
func create(t testing.TB) *Store {
	t.Helper()
	store, err := Open(filepath.Join(t.TempDir(), "results.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

// onEach runs a test on a new store of each kind of database.
func onEach(t *testing.T, test func(t *testing.T, store *Store)) {
	t.Helper()
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, create(t))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		store, err := Open(resultstest.Postgres(t))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := store.Close(); err != nil {
				t.Error(err)
			}
		})
		test(t, store)
	})
}

// plan begins an experiment and plans relays of it that differ in the model.
func plan(t testing.TB, store *Store, models ...string) []Relay {
	t.Helper()
	e, err := store.Begin(t.Context(), "test", Manifest{Version: "1"}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	relays := make([]Relay, len(models))
	for i, model := range models {
		relays[i] = Relay{
			Experiment: e.ID, Model: model, Policy: "agentic", Environment: "books1", Domain: "accounting",
			Repeat: 1, Schedule: []string{"split", "merge"},
		}
	}
	if relays, err = store.Plan(t.Context(), relays, nil); err != nil {
		t.Fatal(err)
	}
	return relays
}

// typical is an interaction of an agentic policy: 6 turns, 6 tool calls, 8
// reads, and 3 files of 5 kB, of which one differs from number to number.
func typical(relay int64, number int) *Interaction {
	in := &Interaction{
		Relay: relay, Number: number, Edit: "split", Direction: Forward,
		Started: time.UnixMilli(1_700_000_000_123), Duration: 61_234_567 * time.Microsecond, Ending: "finish",
		Usage:  record.Usage{Tokens: record.Tokens{Prompt: 61000, Cached: 40000, Completion: 5200, Reasoning: 1100}, Cost: usd(0.125)},
		Output: vfs.Files{"a.ledger": text(5000, 0), "b.ledger": text(5000, 1), "notes/c.md": text(5000, 100+number)},
	}
	for i := range 6 {
		in.Turns = append(in.Turns, record.Turn{
			Usage:    record.Usage{Tokens: record.Tokens{Prompt: 10000 + i, Cached: 6000 + i, Completion: 800 + i, Reasoning: 150 + i}, Cost: usd(0.02)},
			Duration: time.Duration(9_000_001+i) * time.Microsecond, Retries: i % 2, Finish: "tool_calls",
		})
		in.ToolCalls = append(in.ToolCalls, record.Call{
			Turn: i + 1, Tool: "write_file", Way: record.ByWriting, ArgNames: []string{"content", "path"}, In: 5000, Out: 40 + i, Changed: 1,
			Duration: time.Duration(120+i) * time.Microsecond,
		})
	}
	for i := range 8 {
		in.Reads = append(in.Reads, record.Read{File: fmt.Sprintf("d%d.md", i), Origin: "distractor", Tool: "run_python", ByScript: true})
	}
	return in
}

// text is n bytes of a ledger, compressible as documents are.
func text(n, seed int) string {
	var b strings.Builder
	for i := seed * 7919; b.Len() < n; i++ {
		fmt.Fprintf(&b, "2016-%02d-%02d Uber ride %d\n    Expenses:Transport  %d.%02d USD\n    Assets:Cash\n", 1+i%12, 1+i%28, i, i%90, i*37%100)
	}
	return b.String()[:n]
}

func TestAnInteractionReadsBackAsItWasWritten(t *testing.T) {
	onEach(t, func(t *testing.T, store *Store) {
		agentic := typical(0, 1)
		agentic.Forward = usd(0)
		agentic.ForwardOpinion = &Opinion{Judge: "critic", Ratings: []int{0, 4, 3}}
		agentic.Strays = []string{"scratch.txt"}
		agentic.ToolCalls[2].Error = "path is missing: \ufffd"
		agentic.ToolCalls[2].ArgNames = []string{"", "a,b", "ünï"} // models make these up
		agentic.ToolCalls[3].ArgNames = nil
		agentic.Turns[4].Cost, agentic.Cost = nil, nil
		agentic.Distractors = 5
		nothing, arguments, same := "", "{\x00 no JSON \xff", "as before"
		agentic.Turns[0].Text, agentic.Turns[1].Text = &nothing, &same
		agentic.Turns[1].WastedPrompt, agentic.Turns[1].WastedCompletion, agentic.Turns[1].UnknownAttempts = 900, 90, 2
		agentic.ToolCalls[1].Arguments, agentic.ToolCalls[1].Answer = &arguments, &same
		agentic.UnknownAttempts = 2
		backward := &Interaction{
			Number: 2, Edit: "split", Direction: Backward, Started: time.UnixMilli(0), Ending: "budget",
			Failure: "missing_target", Detail: "a.ledger",
			Score: &Score{
				RS: 0.1 + 0.2, Strict: 1.0 / 3, Components: map[string]float64{"coverage": 0.99, "order": 0},
				Reference: 64, Candidate: 65, Problem: "line 3: no amount",
			},
			Output: vfs.Files{"empty": "", "nul": "\x00\n", "a.ledger": "x"},
		}
		wanted := []*Interaction{
			agentic, backward,
			{Number: 3, Direction: Forward, Started: time.UnixMilli(1), Output: vfs.Files{}},
			{Number: 4, Direction: Backward, Started: time.UnixMilli(2), Score: &Score{}, Output: vfs.Files{}},
		}
		relay := plan(t, store, "m")[0]
		for _, in := range wanted {
			in.Relay = relay.ID
			if err := store.Append(t.Context(), in, nil); err != nil {
				t.Fatal(err)
			}
		}
		var got, summaries []Interaction
		got, err := store.Interactions(t.Context(), relay.ID)
		if err != nil {
			t.Fatal(err)
		}
		for i, in := range wanted {
			if i >= len(got) {
				t.Fatalf("%d of %d interactions came back", len(got), len(wanted))
			}
			if diff := cmp.Diff(*in, got[i]); diff != "" {
				t.Errorf("interaction %d: -written +read\n%s", in.Number, diff)
			}
			short := *in
			short.Turns, short.ToolCalls, short.Reads, short.Output = nil, nil, nil, nil
			summaries = append(summaries, short)
		}
		short, err := store.Summaries(t.Context(), relay.Experiment)
		if diff := cmp.Diff(summaries, short); diff != "" || err != nil {
			t.Errorf("summaries: %v\n%s", err, diff)
		}
	})
}

// PostgreSQL refuses NUL and what is no UTF-8, which models write all the same.
func TestTextThatIsNoText(t *testing.T) {
	onEach(t, func(t *testing.T, store *Store) {
		in := typical(plan(t, store, "m")[0].ID, 1)
		in.Detail, in.Turns[0].Finish, in.ToolCalls[0].Error = "a\x00b", "\xff", "c\xc3\x28"
		in.Output = vfs.Files{"nul": "\x00\xff"}
		if err := store.Append(t.Context(), in, nil); err != nil {
			t.Fatal(err)
		}
		all, err := store.Interactions(t.Context(), in.Relay)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{all[0].Detail, all[0].Turns[0].Finish, all[0].ToolCalls[0].Error, all[0].Output["nul"]}
		if diff := cmp.Diff([]string{"a\ufffdb", "\ufffd", "c\ufffd(", "\x00\xff"}, got); diff != "" {
			t.Error(diff)
		}
	})
}

// SQL's JSON functions and other readers take a blob for another encoding.
func TestColumnsOfJSONAreText(t *testing.T) {
	t.Parallel()
	store := create(t)
	in := typical(plan(t, store, "m")[0].ID, 2)
	in.Score, in.Strays = &Score{Components: map[string]float64{"coverage": 0.5}}, []string{"x"}
	if err := store.Append(t.Context(), in, nil); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"SELECT manifest ->> '$.version', typeof(manifest) FROM experiments":              "1",
		"SELECT schedule ->> '$[1]', typeof(schedule) FROM relays":                        "merge",
		"SELECT components ->> '$.coverage', typeof(components) FROM interactions":        "0.5",
		"SELECT strays ->> '$[0]', typeof(strays) FROM interactions":                      "x",
		"SELECT length(output ->> '$.\"a.ledger\"'), typeof(output) FROM interactions":    "64",
		"SELECT arguments ->> '$[0]', typeof(arguments) FROM tool_calls WHERE number = 1": "content",
	} {
		var got, kind string
		if err := store.SQLite().QueryRow(query).Scan(&got, &kind); err != nil || got != want || kind != "text" {
			t.Errorf("%s: %q as %s, %v; want %q as text", query, got, kind, err, want)
		}
	}
}

func TestARelayGoesOnFromItsLastInteraction(t *testing.T) {
	onEach(t, func(t *testing.T, store *Store) {
		relays := plan(t, store, "m", "other")
		if last, err := store.Last(t.Context(), relays[0].ID); last.Number != 0 || last.Documents != nil || err != nil {
			t.Errorf("before any interaction: %+v, %v", last, err)
		}
		// Number 11 is larger than 9, though not as text, and is stored before it.
		for _, number := range []int{1, 11, 9} {
			if err := store.Append(t.Context(), typical(relays[0].ID, number), nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := store.Append(t.Context(), typical(relays[1].ID, 20), nil); err != nil {
			t.Fatal(err)
		}
		last, err := store.Last(t.Context(), relays[0].ID)
		if last.Number != 11 || err != nil {
			t.Fatalf("last is %d, %v; want 11", last.Number, err)
		}
		if diff := cmp.Diff(typical(0, 11).Output, last.Documents); diff != "" {
			t.Error(diff)
		}
	})
}

func TestEqualContentsAreStoredOnce(t *testing.T) {
	onEach(t, func(t *testing.T, store *Store) {
		relays := plan(t, store, "m", "other")
		if err := store.PutContents(t.Context(), []string{text(5000, 0), "environment", "environment"}); err != nil {
			t.Fatal(err)
		}
		for _, r := range relays {
			for number := 1; number <= 3; number++ {
				if err := store.Append(t.Context(), typical(r.ID, number), nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		// The environment, the two files that never change, and one a number.
		if got := count(t, store, "contents"); got != 1+2+3 {
			t.Errorf("%d contents, want 6", got)
		}
		sum := sha256.Sum256([]byte("environment"))
		if content, err := store.Content(t.Context(), hex.EncodeToString(sum[:])); content != "environment" || err != nil {
			t.Errorf("by its hash: %q, %v", content, err)
		}
	})
}

func count(t *testing.T, store *Store, table string) int {
	t.Helper()
	var n int
	if err := row(t.Context(), store.db, "SELECT count(*) FROM "+table, nil, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

var tables = []string{"experiments", "arms", "relays", "interactions", "turns", "tool_calls", "reads", "contents"}

func counts(t *testing.T, store *Store) map[string]int {
	all := map[string]int{}
	for _, table := range tables {
		all[table] = count(t, store, table)
	}
	return all
}

func TestAppendStoresAllOrNothing(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*Store, *Interaction) error{
		"the number is taken": func(_ *Store, in *Interaction) error { in.Number, in.Duration = 1, 7; return nil },
		"no such relay":       func(_ *Store, in *Interaction) error { in.Relay = 99; return nil },
		"the last read is refused": func(s *Store, _ *Interaction) error {
			_, err := s.SQLite().Exec(`CREATE TRIGGER refuse BEFORE INSERT ON reads WHEN NEW.number = 8
				BEGIN SELECT RAISE(ABORT, 'refused'); END`)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := create(t)
			relay := plan(t, store, "m")[0]
			if err := store.Append(t.Context(), typical(relay.ID, 1), nil); err != nil {
				t.Fatal(err)
			}
			before := counts(t, store)
			in := typical(relay.ID, 2)
			if err := spoil(store, in); err != nil {
				t.Fatal(err)
			}
			if err := store.Append(t.Context(), in, nil); err == nil {
				t.Fatal("it was stored")
			}
			if diff := cmp.Diff(before, counts(t, store)); diff != "" {
				t.Errorf("something was left:\n%s", diff)
			}
			if _, err := store.SQLite().Exec("DROP TRIGGER IF EXISTS refuse"); err != nil {
				t.Fatal(err)
			}
			if err := store.Append(t.Context(), typical(relay.ID, 2), nil); err != nil {
				t.Errorf("the next try: %v", err)
			}
		})
	}
}

func TestBeginTwice(t *testing.T) {
	t.Parallel()
	manifest := func() Manifest {
		return Manifest{
			Version: "1", Models: []Model{{Name: "m", Spec: []byte(`{"temperature": 1}`)}}, Policies: []string{"agentic"},
			Environments: map[string]string{"books1": "ab", "books2": "cd"}, WithoutOracle: 3,
			RoundTrips: 10, Seed: 1<<63 + 1, Limits: []byte(`{ "turns": 25 }`),
		}
	}
	for name, c := range map[string]struct {
		change func(*Manifest)
		named  string // what differs; empty if nothing does
	}{
		"an equal manifest is the same experiment":   {func(*Manifest) {}, ""},
		"spaces in JSON are no difference":           {func(m *Manifest) { m.Limits = []byte(`{"turns":25}`) }, ""},
		"a large seed is compared to its last digit": {func(m *Manifest) { m.Seed++ }, "seed"},
		"all that differs is named": {
			func(m *Manifest) { m.RoundTrips, m.Policies, m.Limits = 5, nil, []byte("{}") }, "limits (turns), policies (agentic), round_trips",
		},
		"the edits of a schedule":          {func(m *Manifest) { m.ScheduleEdits = []string{"split"} }, "schedule_edits (split)"},
		"the content of an environment":    {func(m *Manifest) { m.Environments["books2"] = "ce" }, "environments (books2)"},
		"a field that is left out if zero": {func(m *Manifest) { m.WithoutOracle = 0 }, "without_oracle"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := create(t)
			first, err := store.Begin(t.Context(), "test", manifest(), nil, false)
			if err != nil {
				t.Fatal(err)
			}
			again := manifest()
			c.change(&again)
			second, err := store.Begin(t.Context(), "test", again, nil, false)
			if c.named == "" {
				if err != nil || second.ID != first.ID {
					t.Errorf("%q after %q: %v", second.ID, first.ID, err)
				}
				return
			}
			wantError(t, err, ErrDiffers, `"test" was begun with other `+c.named+"; give this run another --name")
			if other, err := store.Begin(t.Context(), "another", again, nil, false); err != nil || other.ID == first.ID {
				t.Errorf("under another name: %q, %v", other.ID, err)
			}
		})
	}
}

func TestPlanTwiceGivesTheSameRelays(t *testing.T) {
	onEach(t, func(t *testing.T, store *Store) {
		first := plan(t, store, "m", "n")
		// The order asked for is the order given, known relays and new ones mixed.
		again := plan(t, store, "new", "n", "m")
		ids := []int64{again[2].ID, again[1].ID}
		if diff := cmp.Diff([]int64{first[0].ID, first[1].ID}, ids); diff != "" {
			t.Error(diff)
		}
		all, err := store.Relays(t.Context(), first[0].Experiment)
		if diff := cmp.Diff([]Relay{again[2], again[1], again[0]}, all); diff != "" || err != nil {
			t.Errorf("%v\n%s", err, diff)
		}
		for _, r := range all {
			if one, err := store.Relay(t.Context(), r.ID); err != nil || !cmp.Equal(r, one) {
				t.Errorf("relay %d alone: %v, %v", r.ID, one, err)
			}
		}
	})
}

func TestToolUseCountsWhatChangedFilesAndEachDistractorOnce(t *testing.T) {
	onEach(t, func(t *testing.T, store *Store) {
		relays := plan(t, store, "m", "n")
		in := &Interaction{
			Relay: relays[0].ID, Number: 1,
			ToolCalls: []record.Call{
				{Tool: "read_file"}, {Tool: "run_python", Changed: 3, Way: record.ByScript}, {Tool: "run_python"}, {Tool: "run_python", Error: "timed out"},
				{Tool: "write_file", Changed: 1, Way: record.ByWriting}, {Tool: "write_file", Changed: 1, Way: record.ByWriting}, {Tool: "write_file", Error: "bad path"}, {Tool: "finish"},
			},
			Reads: []record.Read{
				{File: "d.md", Origin: "distractor", Tool: "read_file", ByScript: false}, {File: "d.md", Origin: "distractor", Tool: "run_python", ByScript: true}, {File: "e.md", Origin: "distractor", Tool: "run_python", ByScript: true},
				{File: "a.ledger", Origin: "document", Tool: "read_file", ByScript: false},
			},
		}
		edits := &Interaction{
			Relay: relays[1].ID, Number: 3, Turns: []record.Turn{{Changed: 2, Way: record.ByEditing}, {}},
			ToolCalls: []record.Call{{Turn: 2, Tool: "exec_command", Changed: 1, Way: record.ByPatch}, {Turn: 2, Tool: "rename", Changed: 1}},
		}
		onlyReads := &Interaction{Relay: relays[1].ID, Number: 1, Reads: []record.Read{{File: "d.md", Origin: "distractor", Tool: "direct", ByScript: false}}}
		idle := &Interaction{Relay: relays[1].ID, Number: 2}
		for _, in := range []*Interaction{in, onlyReads, idle, edits} {
			if err := store.Append(t.Context(), in, nil); err != nil {
				t.Fatal(err)
			}
		}
		all, err := store.Summaries(t.Context(), relays[0].Experiment)
		if err != nil {
			t.Fatal(err)
		}
		var got []ToolUse
		for _, in := range all {
			got = append(got, in.Use)
		}
		want := []ToolUse{
			{
				Calls: 8, Scripts: 1, Writes: 2, DistractorsRead: 2, ReadByTools: 1, ReadByScripts: 2,
				Tools: "read_file run_python run_python run_python write_file write_file write_file finish",
			},
			{DistractorsRead: 1, ReadByTools: 1}, {}, {Calls: 2, Edits: 2, Patches: 1, Tools: "exec_command rename"},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

// Reports read every interaction of one experiment; what other experiments have
// stored in the same file must not cost them anything.
func TestReportsSearchByIndex(t *testing.T) {
	t.Parallel()
	store := create(t)
	for _, query := range []string{
		"SELECT * FROM interactions WHERE " + ofExperiment, "SELECT * FROM relays WHERE experiment = $1",
	} {
		rows, err := store.SQLite().Query("EXPLAIN QUERY PLAN "+query, "x")
		if err != nil {
			t.Fatal(err)
		}
		var plan []string
		for rows.Next() {
			var id, parent, unused int
			var detail string
			if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
				t.Fatal(err)
			}
			plan = append(plan, detail)
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
		if len(plan) == 0 || slices.ContainsFunc(plan, func(step string) bool { return strings.HasPrefix(step, "SCAN") }) {
			t.Errorf("%s\n%s", query, strings.Join(plan, "\n"))
		}
	}
}
