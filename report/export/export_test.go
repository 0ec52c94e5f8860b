package export

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"go.uber.org/goleak"

	"agentd/results"
	"agentd/results/record"
	"agentd/vfs"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func ptr[T any](v T) *T { return &v }

var began = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)

// fill stores a round trip of an agentic and of a direct relay.
func fill(t *testing.T) (*results.Store, results.Experiment) {
	t.Helper()
	relay := results.Relay{Model: "m/1", Policy: "agentic", Environment: "tiny1", Domain: "tiny"}
	direct := relay
	direct.Policy = "direct"
	return fillWith(t, relay, direct)
}

// fillWith stores a round trip of each relay.
func fillWith(t *testing.T, relays ...results.Relay) (*results.Store, results.Experiment) {
	t.Helper()
	var m results.Manifest
	for _, r := range relays {
		m.Policies = append(m.Policies, r.Policy)
	}
	return fillOf(t, m, relays)
}

// fillOf stores an experiment with a round trip of each relay.
func fillOf(t *testing.T, m results.Manifest, relays []results.Relay) (*results.Store, results.Experiment) {
	t.Helper()
	store, err := results.Open(filepath.Join(t.TempDir(), "x.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	record, err := store.Begin(t.Context(), "x", m, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	for i := range relays {
		relays[i].Experiment, relays[i].Repeat, relays[i].Schedule = record.ID, 1, []string{"rename"}
	}
	relays, err = store.Plan(t.Context(), relays, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range relays {
		for _, in := range roundTrip(r.ID) {
			if err := store.Append(t.Context(), &in, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	return store, record
}

func roundTrip(relay int64) []results.Interaction {
	forward := results.Interaction{
		Relay: relay, Number: 1, Edit: "rename", Direction: results.Forward, Started: began, Duration: 3 * time.Second,
		Ending: "finished", Usage: record.Usage{Tokens: record.Tokens{Prompt: 100, Cached: 40, Completion: 10, Reasoning: 5}, Cost: ptr(0.25)},
		Turns: []record.Turn{{
			Usage: record.Usage{Tokens: record.Tokens{Prompt: 100, Cached: 40, Completion: 10, Reasoning: 5}, Cost: ptr(0.25)}, Duration: 2 * time.Second,
			Finish: "tool_calls", AsText: true, Retries: 2, WastedPrompt: 90, WastedCompletion: 3, UnknownAttempts: 1, Text: ptr("I go, <b>")},
		},
		ToolCalls: []record.Call{
			{Turn: 1, Tool: "read_file", ArgNames: []string{"path"}, In: 10, Out: 5, Duration: time.Millisecond, Arguments: ptr(`{"path":"a"}`), Answer: ptr("seed\n")},
			{Turn: 1, Tool: "finish", Error: "not yet"},
		},
		Reads:   []record.Read{{File: "a.txt", Origin: "document", Tool: "read_file"}},
		Forward: ptr(0.5), ForwardOpinion: &results.Opinion{Judge: "critic", Ratings: []int{1}}, Output: vfs.Files{"b.txt": "a seed\n"}, Distractors: 1, UnknownAttempts: 1,
	}
	backward := results.Interaction{
		Relay: relay, Number: 2, Edit: "rename", Direction: results.Backward, Started: began.Add(time.Minute), Ending: "failed",
		Failure: "model error", Detail: "no answer", Strays: []string{"c.txt"}, Output: vfs.Files{"a.txt": "a seed"},
		Score: &results.Score{RS: 0.75, Strict: 0.5, Components: map[string]float64{"coverage": 1}, Reference: 4, Candidate: 3, Problem: "odd"},
	}
	return []results.Interaction{forward, backward}
}

func written(t *testing.T, o Options) []byte {
	t.Helper()
	store, record := fill(t)
	var b bytes.Buffer
	if err := Write(t.Context(), &b, store, record, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func lines[T any](t *testing.T, raw []byte) []T {
	t.Helper()
	var all []T
	scanner := bufio.NewScanner(bytes.NewReader(raw))
	for scanner.Scan() {
		var one T
		if err := json.Unmarshal(scanner.Bytes(), &one); err != nil {
			t.Fatalf("%v in %s", err, scanner.Text())
		}
		all = append(all, one)
	}
	return all
}

func TestAnInteractionHasItsWholeTrace(t *testing.T) {
	t.Parallel()
	got := lines[map[string]any](t, written(t, Options{Format: JSONL, Kind: Interactions, Contents: true}))
	if len(got) != 4 {
		t.Fatalf("%d lines, want 4", len(got))
	}
	for name, want := range map[string]any{
		"gen_ai.request.model": "m/1", "gen_ai.agent.name": "agentic", "gen_ai.usage.input_tokens": 100.0,
		"gen_ai.usage.cache_read.input_tokens": 40.0, "gen_ai.usage.output_tokens": 10.0, "gen_ai.usage.reasoning.output_tokens": 5.0,
		"cost_usd": 0.25, "unknown_attempts": 1.0, "started": "2026-11-21T08:00:00Z", "duration_s": 3.0, "forward": 0.5, "forward_judged": 0.25, "judge": "critic", "rs": nil,
		"operations": []any{"read_file", "finish"}, "documents": map[string]any{"b.txt": "a seed\n"},
	} {
		if diff := cmp.Diff(want, got[0][name]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if got[1]["cost_usd"] != nil || got[1]["rs"] != 0.75 || got[1]["error.type"] != "model error" {
		t.Errorf("the backward step: %v", got[1])
	}
	turn := got[0]["turns"].([]any)[0].(map[string]any)
	call := got[0]["tool_calls"].([]any)[0].(map[string]any)
	if turn["text"] != "I go, <b>" || turn["wasted_input_tokens"] != 90.0 || turn["calls_as_text"] != true || call["gen_ai.tool.call.result"] != "seed\n" {
		t.Errorf("turn %v, call %v", turn, call)
	}
	plain := written(t, Options{Format: JSONL, Kind: Interactions})
	if bytes.Contains(plain, []byte("seed")) || bytes.Contains(plain, []byte("I go")) {
		t.Errorf("contents that were not asked for: %s", plain)
	}
}

func TestCSVHasTheSameRows(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]int{Interactions: 4, Turns: 2, Calls: 4, Reads: 2} {
		table, err := csv.NewReader(bytes.NewReader(written(t, Options{Format: CSV, Kind: kind}))).ReadAll()
		if err != nil || len(table) != want+1 {
			t.Fatalf("%s: %d lines, want %d and a header; %v", kind, len(table), want, err)
		}
		for name, value := range map[string]string{
			"experiment": "x", "relay": "1", "interaction": "1", "cost_usd": "0.25", "rs": "", "gen_ai.tool.name": "read_file",
			"operations": `["read_file","finish"]`, "argument_names": `["path"]`, "error.type": "",
		} {
			if at := slices.Index(table[0], name); at >= 0 && table[1][at] != value {
				t.Errorf("%s, %s: %q, want %q", kind, name, table[1][at], value)
			}
		}
	}
}

func TestNoCellIsAFormula(t *testing.T) {
	t.Parallel()
	store, record := fillWith(t, results.Relay{Model: "=cmd|' /C calc'!A0", Policy: "@SUM(A1)", Environment: "-2+3", Domain: "+tiny"})
	var b bytes.Buffer
	if err := Write(t.Context(), &b, store, record, Options{Format: CSV, Kind: Interactions, Contents: true}); err != nil {
		t.Fatal(err)
	}
	table, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range map[string]string{
		"gen_ai.request.model": "'=cmd|' /C calc'!A0", "gen_ai.agent.name": "'@SUM(A1)", "environment": "'-2+3", "domain": "'+tiny",
	} {
		if got := table[1][slices.Index(table[0], k)]; got != want {
			t.Errorf("%s: %q, want %q", k, got, want)
		}
	}
}

func TestNumbersStayNumbers(t *testing.T) {
	t.Parallel()
	type row struct {
		Text   string   `json:"text"`
		Number float64  `json:"number"`
		Cost   *float64 `json:"cost"`
		Count  int      `json:"count"`
	}
	var b bytes.Buffer
	out, err := newSink[row](&b, CSV)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(out.add(row{"-1", -1.5, ptr(-2.5), -3}), out.close()); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), "text,number,cost,count\n'-1,-1.5,-2.5,-3\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestParquetIsReadBack(t *testing.T) {
	t.Parallel()
	readBack[Interaction](t, Interactions)
	readBack[Turn](t, Turns)
	readBack[Call](t, Calls)
	readBack[Read](t, Reads)
}

// readBack compares the rows of a Parquet file with those of JSON lines.
func readBack[T any](t *testing.T, kind string) {
	t.Helper()
	raw := written(t, Options{Format: Parquet, Kind: kind, Contents: true})
	got, err := parquet.Read[any](bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	var want []any
	for _, row := range lines[T](t, written(t, Options{Format: JSONL, Kind: kind, Contents: true})) {
		want = append(want, row)
	}
	if diff := cmp.Diff(present(t, want), present(t, got)); diff != "" {
		t.Errorf("%s: %s", kind, diff)
	}
}

// present are rows as JSON has them, without what is missing: Parquet knows no
// difference between none and empty.
func present(t *testing.T, rows any) []map[string]any {
	t.Helper()
	raw, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	var all []map[string]any
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	for _, row := range all {
		maps.DeleteFunc(row, func(_ string, value any) bool {
			return value == nil || slices.Contains([]string{"[]", "map[]"}, fmt.Sprint(value))
		})
		if row["instruction"] == "" { // JSON leaves it out
			delete(row, "instruction")
		}
		if documents, ok := row["documents"].(map[string]any); ok { // Parquet has them as bytes
			for name, content := range documents {
				if text, err := base64.StdEncoding.DecodeString(content.(string)); err == nil {
					documents[name] = string(text)
				}
			}
		}
	}
	return all
}

func TestThePublishedLayoutStaysInItsFolder(t *testing.T) {
	t.Parallel()
	for name, relay := range map[string]results.Relay{
		"a domain that leads out":  {Model: "m", Policy: "direct", Environment: "e", Domain: "../../x"},
		"a domain with a folder":   {Model: "m", Policy: "direct", Environment: "e", Domain: "a/b"},
		"a policy with an escape":  {Model: "m", Policy: "\x1b[2J", Environment: "e", Domain: "tiny"},
		"a model with a long name": {Model: strings.Repeat("m", 300), Policy: "direct", Environment: "e", Domain: "tiny"},
	} {
		store, record := fillWith(t, relay)
		above := t.TempDir()
		dir := filepath.Join(above, "a", "b")
		if err := WritePublished(t.Context(), dir, store, record); !errors.Is(err, vfs.ErrPath) {
			t.Errorf("%s: %v, want ErrPath", name, err)
		}
		if err := filepath.WalkDir(above, func(file string, entry os.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				t.Errorf("%s: %s was written", name, file)
			}
			return err
		}); err != nil {
			t.Error(err)
		}
	}
}

func TestThePublishedLayoutOverwritesNothing(t *testing.T) {
	t.Parallel()
	store, record := fill(t)
	dir, victim := t.TempDir(), filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("as it was"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(victim, filepath.Join(dir, "results_tiny_m1.jsonl")); err != nil {
		t.Fatal(err)
	}
	if err := WritePublished(t.Context(), dir, store, record); !errors.Is(err, fs.ErrExist) {
		t.Errorf("%v, want fs.ErrExist", err)
	}
	if text, err := os.ReadFile(victim); string(text) != "as it was" || err != nil {
		t.Errorf("the file behind a link: %q, %v", text, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestThePublishedLayout(t *testing.T) {
	t.Parallel()
	store, record := fill(t)
	dir := filepath.Join(t.TempDir(), "logs", "relay")
	if err := WritePublished(t.Context(), dir, store, record); err != nil {
		t.Fatal(err)
	}
	read := func(name string) []map[string]any {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return lines[map[string]any](t, raw)
	}
	rows := read("results_tiny_agentic-m1.jsonl")
	if len(rows) != 2 {
		t.Fatalf("%d rows, want 2", len(rows))
	}
	ids := []any{rows[0]["response_id"], rows[1]["response_id"]}
	for name, want := range map[string]any{
		"sample_id": "tiny1", "sample_type": "tiny", "model_name": "agentic-m/1", "target_state_id": "basic_state", "initial_state_id": "basic_state",
		"state_chain": []any{"rename", "basic_state"}, "rid_chain": ids, "round_trip_num": 1.0, "round_trip_direction": "backward",
		"evaluation": map[string]any{"score": 0.75, "coverage": 1.0, "error": "odd"}, "total_usd": nil, "raw_llm_response": "```a.txt\na seed```",
		"distractor_included": false, "agentic_finished_cleanly": false,
	} {
		if diff := cmp.Diff(want, rows[1][name]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if rows[0]["total_tokens"] != 110.0 || rows[0]["llm_latency"] != 2.0 || rows[0]["agentic_num_tool_calls"] != 2.0 {
		t.Errorf("the forward step: %v", rows[0])
	}
	calls := []any{
		map[string]any{"tool": "read_file", "turn": 1.0, "args_keys": []any{"path"}}, map[string]any{"tool": "finish", "turn": 1.0, "args_keys": []any{}},
	}
	for i, want := range []map[string]any{
		{"agentic_tool_calls": calls, "agentic_operation_sequence": []any{"read_file", "finish"}, "agentic_files_read": []any{"a.txt"}},
		{"agentic_tool_calls": []any{}, "agentic_operation_sequence": []any{}, "agentic_files_read": []any{}},
	} {
		for name, list := range want {
			if diff := cmp.Diff(list, rows[i][name]); diff != "" {
				t.Errorf("%s of row %d: %s", name, i, diff)
			}
		}
	}
	if direct := read("results_tiny_m1.jsonl"); direct[0]["agentic_num_turns"] != nil {
		t.Errorf("a direct row has fields of agentic ones: %v", direct[0])
	}
}

// Exported rows are the same under any names of the policies, but for the names.
func TestNoRowDependsOnWhatPoliciesAreCalled(t *testing.T) {
	t.Parallel()
	uses := []string{"direct", "agentic", "noop"}
	export := func(names ...string) string {
		var relays []results.Relay
		m := results.Manifest{Policies: names, Traits: map[string]results.Traits{}}
		for i, name := range names {
			m.Traits[name] = results.Traits{Use: uses[i], Tools: uses[i] == "agentic", Baseline: uses[i] == "direct"}
			relays = append(relays, results.Relay{Model: "m", Policy: name, Environment: "tiny1", Domain: "tiny"})
		}
		store, record := fillOf(t, m, relays)
		var b strings.Builder
		for _, kind := range Kinds() {
			for _, format := range []string{JSONL, CSV} {
				if err := Write(t.Context(), &b, store, record, Options{Kind: kind, Format: format}); err != nil {
					t.Fatal(err)
				}
			}
		}
		dir := t.TempDir()
		if err := WritePublished(t.Context(), dir, store, record); err != nil {
			t.Fatal(err)
		}
		files := []string{"results_tiny_m.jsonl", "results_tiny_" + names[1] + "-m.jsonl", "results_tiny_" + names[2] + "-m.jsonl"}
		for _, file := range files {
			raw, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				t.Fatal(err)
			}
			b.Write(raw)
		}
		own := []string{}
		for i, name := range names {
			for _, around := range []string{`"%s"`, `,%s,`, `"%s-m"`} {
				own = append(own, fmt.Sprintf(around, name), fmt.Sprintf(around, "<"+uses[i]+">"))
			}
		}
		return strings.NewReplacer(own...).Replace(b.String())
	}
	want, got := export("policy-one", "policy-two", "policy-three"), export("agentic", "noop", "direct")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if n := strings.Count(want, "agentic_num_turns"); n != 2 {
		t.Errorf("%d rows have the fields of policies with tools, want the 2 of agentic", n)
	}
}

// A backward step whose forward step was not carried out keeps its published score, and next to it
// has 0.
func TestWorkThatWasNotDoneEarnsNothingInRows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		executed *bool
		change   func(backward *results.Interaction)
		rs       []any // rs, rs_noops_zero, strict_noops_zero
	}{
		"not carried out": {ptr(false), func(*results.Interaction) {}, []any{0.75, 0.0, 0.0}},
		"carried out":     {ptr(true), func(*results.Interaction) {}, []any{0.75, 0.75, 0.5}},
		"not recorded":    {nil, func(*results.Interaction) {}, []any{0.75, 0.75, 0.5}},
		"unscored":        {ptr(false), func(in *results.Interaction) { in.Score, in.Unscored = nil, results.ContextMismatch }, []any{nil, 0.0, 0.0}},
		"no service":      {ptr(false), func(in *results.Interaction) { in.Score, in.Unscored = nil, results.ServiceFault }, []any{nil, nil, nil}},
	} {
		store, record := fillWith(t, results.Relay{Model: "m", Policy: "p", Environment: "tiny1", Domain: "tiny"})
		relay := results.Relay{Experiment: record.ID, Model: "m", Policy: "p", Environment: "tiny2", Domain: "tiny", Repeat: 1, Schedule: []string{"rename"}}
		planned, err := store.Plan(t.Context(), []results.Relay{relay}, nil)
		if err != nil {
			t.Fatal(err)
		}
		steps := roundTrip(planned[0].ID)
		steps[0].Executed = c.executed
		c.change(&steps[1])
		for i := range steps {
			if err := store.Append(t.Context(), &steps[i], nil); err != nil {
				t.Fatal(err)
			}
		}
		var b strings.Builder
		if err := Write(t.Context(), &b, store, record, Options{Format: JSONL, Kind: Interactions}); err != nil {
			t.Fatal(err)
		}
		rows := lines[map[string]any](t, []byte(b.String()))
		got := []any{rows[3]["rs"], rows[3]["rs_noops_zero"], rows[3]["strict_noops_zero"]}
		if diff := cmp.Diff(c.rs, got); diff != "" || rows[2]["rs_noops_zero"] != nil {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
