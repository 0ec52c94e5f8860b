package export

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/environments"
	"agentd/models"
	"agentd/policies"
	"agentd/results"
	"agentd/results/record"
	"agentd/vfs"
)

// spoke is an interaction in which a model has read a file, written it and said so, and what was
// kept of it.
func spoke(relay int64, number int, before *policies.Conversation) (results.Interaction, *policies.Conversation) {
	in := results.Interaction{
		Relay: relay, Number: number, Edit: "rename", Direction: results.Forward, Started: began, Ending: "stopped",
		Usage:  record.Usage{Tokens: record.Tokens{Prompt: 30, Completion: 3, Cached: 2}},
		Turns:  []record.Turn{{Finish: "error: overloaded"}, {Finish: "tool_calls", Usage: record.Usage{Tokens: record.Tokens{Prompt: 10, Completion: 1}}, Text: ptr(""), UserTurn: 1}, {Finish: "stop", Usage: record.Usage{Tokens: record.Tokens{Prompt: 20, Completion: 2, Cached: 2}}, Text: ptr("Done."), Thought: ptr("So."), UserTurn: 1}},
		Output: vfs.Files{"b.txt": "seed\n"}, Executed: ptr(true),
		ToolCalls: []record.Call{
			{Turn: 2, Tool: "read_file", Arguments: ptr(`{"path":"a.txt"}`), Answer: ptr("seed\n")},
			{Turn: 2, Tool: "read_file", Arguments: ptr(`{"path":`), Answer: ptr("Error: no JSON")},
		},
	}
	if number%2 == 0 {
		in.Direction, in.Executed, in.Score = results.Backward, nil, &results.Score{RS: 1, Strict: 1}
	}
	c := &policies.Conversation{Tools: []models.Tool{{Name: "read_file", Description: "Reads.", Parameters: json.RawMessage(`{"type":"object"}`)}}}
	if len(before.Messages) == 0 {
		c.Messages = []models.Message{{Role: models.System, Content: "You edit."}}
	}
	c.Messages = append(append(c.Messages, before.Messages...),
		models.Message{Role: models.User, Content: "Rename a.txt."},
		models.Message{Role: models.Assistant, ToolCalls: []models.ToolCall{{ID: "1", Name: "read_file", Arguments: `{"path":"a.txt"}`}, {ID: "1", Name: "read_file", Arguments: `{"path":`}}},
		models.Message{Role: models.ToolRole, ToolCallID: "1", Content: "seed\n"},
		models.Message{Role: models.ToolRole, ToolCallID: "1", Content: "Error: no JSON"},
		models.Message{Role: models.Assistant, Content: "Done.", Reasoning: "So."},
		models.Message{Role: models.ToolRole, ToolCallID: "2", Content: "after the end"})
	return in, c
}

// relayOf stores a relay whose interactions change has changed, and returns its experiment.
func relayOf(t *testing.T, m results.Manifest, interactions int, change func(*results.Interaction, *policies.Conversation)) (*results.Store, results.Experiment) {
	t.Helper()
	env := environments.Environment{Name: "tiny1", Domain: "tiny", Seed: vfs.Files{"a.txt": "seed\n"}, Edits: []environments.Edit{{Name: "rename", Forward: "Rename a.txt to b.txt.", Backward: "Name it a.txt."}}}
	m.Version, m.Policies, m.Environments = "1.2.3", []string{"agentic"}, map[string]string{"tiny1": env.Hash()}
	store, record := fillOf(t, m, nil)
	if err := store.PutContents(t.Context(), []string{env.Encode()}); err != nil {
		t.Fatal(err)
	}
	relays, err := store.Plan(t.Context(), []results.Relay{{Experiment: record.ID, Model: "m/1", Policy: "agentic", Environment: "tiny1", Domain: "tiny", Repeat: 1, Schedule: []string{"rename"}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	before := &policies.Conversation{}
	for number := 1; number <= interactions; number++ {
		in, c := spoke(relays[0].ID, number, before)
		change(&in, c)
		text, err := c.Since(before.Messages)
		if err != nil {
			t.Fatal(err)
		}
		if c.Messages != nil {
			in.Conversation = &text
		}
		if err := store.Append(t.Context(), &in, nil); err != nil {
			t.Fatal(err)
		}
		if m.Conversation == carried {
			before = c
		}
	}
	return store, record
}

func asItIs(*results.Interaction, *policies.Conversation) {}

func notKept(in *results.Interaction, c *policies.Conversation) { c.Messages = nil }

func trajectories(t *testing.T, store *results.Store, record results.Experiment) ([]trajectory, Counts) {
	t.Helper()
	var b bytes.Buffer
	counts, err := WriteTrajectories(t.Context(), &b, store, record)
	if err != nil {
		t.Fatal(err)
	}
	return lines[trajectory](t, b.Bytes()), counts
}

// shape is the steps of a trajectory in a few letters: source, calls, results, and whether copied.
func shape(steps []atifStep) string {
	var b strings.Builder
	for i, s := range steps {
		if s.ID != i+1 {
			b.WriteByte('!')
		}
		b.WriteByte(s.Source[0])
		b.WriteString(strings.Repeat("c", len(s.Calls)))
		if s.Observation != nil {
			b.WriteString(strings.Repeat("r", len(s.Observation.Results)))
		}
		if s.Copied {
			b.WriteByte('-')
		}
		if s.Metrics != nil {
			b.WriteByte('m')
		}
		b.WriteByte(' ')
	}
	return strings.TrimSpace(b.String())
}

func TestATrajectoryIsTheConversation(t *testing.T) {
	t.Parallel()
	store, record := relayOf(t, results.Manifest{}, 2, asItIs)
	got, counts := trajectories(t, store, record)
	if counts != (Counts{Written: 2}) || len(got) != 2 {
		t.Fatalf("%+v, %d lines", counts, len(got))
	}
	first := got[0]
	if want := "s u accrrm arm"; shape(first.Steps) != want {
		t.Errorf("steps %q, want %q", shape(first.Steps), want)
	}
	calls, answers := first.Steps[2].Calls, first.Steps[2].Observation.Results
	want := []atifCall{{ID: "1", Name: "read_file", Arguments: map[string]any{"path": "a.txt"}}, {ID: "1#2", Name: "read_file", Arguments: map[string]any{}, Extra: map[string]string{"arguments_text": `{"path":`}}}
	if diff := cmp.Diff(want, calls, cmp.AllowUnexported(atifCall{})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]atifResult{{"1", "seed\n"}, {"1#2", "Error: no JSON"}}, answers); diff != "" {
		t.Error(diff)
	}
	if last := first.Steps[3]; last.Message != "Done." || last.Reasoning != "So." || last.Metrics.Prompt != 20 || last.Metrics.Cached != 2 || last.Extra.Turn != 3 || last.Observation.Results[0].Call != "" {
		t.Errorf("the last step: %+v", last)
	}
	if first.Agent.Name != "agentic" || first.Agent.Version != "1.2.3" || first.Agent.Model != "m/1" || len(first.Agent.Tools) != 1 || first.Agent.Tools[0].Function.Name != "read_file" {
		t.Errorf("the agent: %+v", first.Agent)
	}
	if first.Session != got[1].Session || first.Trajectory == got[1].Trajectory || first.Final.Prompt != 30 || first.Final.Steps != 4 || first.Extra.Interaction.Number != 1 {
		t.Errorf("%s of %s, %+v", first.Trajectory, first.Session, first.Final)
	}
	if first.Steps[0].Timestamp != "2026-11-21T08:00:00Z" || first.Steps[1].Timestamp != "" || first.Notes != "" {
		t.Errorf("%q, %q, notes %q", first.Steps[0].Timestamp, first.Steps[1].Timestamp, first.Notes)
	}
}

func TestTrajectoriesOfOtherConversations(t *testing.T) {
	t.Parallel()
	shorter := func(in *results.Interaction, c *policies.Conversation) {
		in.Turns = append(in.Turns, record.Turn{Finish: "stop", Text: ptr("in short")})
		in.Turns[2].Compacted = "summary"
	}
	aside := func(_ *results.Interaction, c *policies.Conversation) {
		messages := c.Messages
		c.Messages = messages[:4:4]
		c.Asides = []policies.Aside{{After: 4, Messages: messages[4:], Tools: []models.Tool{{Name: "finish", Parameters: json.RawMessage(`{}`)}}}}
	}
	for name, c := range map[string]struct {
		manifest results.Manifest
		change   func(*results.Interaction, *policies.Conversation)
		want     []string // shapes
		note     string
	}{
		"that were not kept":     {results.Manifest{}, notKept, []string{"u accrrm am", "u accrrm am"}, noteRebuilt},
		"that go on":             {results.Manifest{Conversation: carried}, asItIs, []string{"s u accrrm arm", "s- u- accrr- ar- u accrrm arm"}, ""},
		"that were made shorter": {results.Manifest{}, shorter, []string{"s u accrr ar", "s u accrr ar"}, noteShorter},
		"with an aside":          {results.Manifest{}, aside, []string{"s u accrrm arm", "s u accrrm arm"}, ""},
		"of user turns": {results.Manifest{}, func(in *results.Interaction, c *policies.Conversation) {
			c.Messages, in.UserTurns, in.Turns[2].UserTurn = nil, []results.UserTurn{{Text: "Rename"}, {Text: "it."}}, 2
		}, []string{"u accrrm u am", "u accrrm u am"}, noteRebuilt},
		"of calls without a turn": {results.Manifest{}, func(in *results.Interaction, c *policies.Conversation) {
			c.Messages, in.ToolCalls[0].Turn, in.ToolCalls[1].Turn = nil, 0, 0
		}, []string{"u am am accrr", "u am am accrr"}, noteRebuilt},
	} {
		store, record := relayOf(t, c.manifest, 2, c.change)
		got, counts := trajectories(t, store, record)
		if counts.Written != 2 {
			t.Fatalf("%s: %+v", name, counts)
		}
		for i, want := range c.want {
			if shape(got[i].Steps) != want || got[i].Notes != c.note {
				t.Errorf("%s: interaction %d has steps %q, want %q; notes %q", name, i+1, shape(got[i].Steps), want, got[i].Notes)
			}
		}
	}
}

func TestTheRequestOfARebuiltTrajectoryIsTheInstruction(t *testing.T) {
	t.Parallel()
	store, record := relayOf(t, results.Manifest{}, 2, notKept)
	got, _ := trajectories(t, store, record)
	if got[0].Steps[0].Message != "Rename a.txt to b.txt." || got[1].Steps[0].Message != "Name it a.txt." {
		t.Errorf("%q, %q", got[0].Steps[0].Message, got[1].Steps[0].Message)
	}
}

func TestWhatWasNotKeptIsCounted(t *testing.T) {
	t.Parallel()
	nothing := func(in *results.Interaction, c *policies.Conversation) {
		c.Messages = nil
		for i := range in.Turns {
			in.Turns[i].Text, in.Turns[i].Thought = nil, nil
		}
	}
	store, record := relayOf(t, results.Manifest{}, 2, nothing)
	if got, counts := trajectories(t, store, record); counts != (Counts{NotKept: 2}) || len(got) != 0 {
		t.Errorf("%+v", counts)
	}
	var b bytes.Buffer
	if counts, err := WriteConversations(t.Context(), &b, store, record); err != nil || counts != (Counts{NotKept: 2, Trips: 1, Exact: 1}) || b.Len() > 0 {
		t.Errorf("%+v, %v", counts, err)
	}
	store, record = relayOf(t, results.Manifest{}, 2, func(in *results.Interaction, c *policies.Conversation) { in.Turns, c.Messages = nil, nil })
	if _, counts := trajectories(t, store, record); counts != (Counts{}) {
		t.Errorf("of a policy without a model: %+v", counts)
	}
}

func TestConversationsOfExactRoundTripsAlone(t *testing.T) {
	t.Parallel()
	at := func(number int, change func(*results.Interaction)) func(*results.Interaction, *policies.Conversation) {
		return func(in *results.Interaction, _ *policies.Conversation) {
			if in.Number == number {
				change(in)
			}
		}
	}
	for name, c := range map[string]struct {
		manifest results.Manifest
		change   func(*results.Interaction, *policies.Conversation)
		want     []int // interactions that are written, of four
		exact    int
	}{
		"all exact":          {results.Manifest{}, asItIs, []int{1, 2, 3, 4}, 2},
		"damaged":            {results.Manifest{}, at(2, func(in *results.Interaction) { in.Score.Strict = 0.999 }), []int{3, 4}, 1},
		"without a score":    {results.Manifest{}, at(4, func(in *results.Interaction) { in.Score = nil }), []int{1, 2}, 1},
		"nothing done":       {results.Manifest{}, at(1, func(in *results.Interaction) { *in.Executed = false }), []int{3, 4}, 1},
		"failed":             {results.Manifest{}, at(4, func(in *results.Interaction) { in.Failure = "stray file" }), []int{1, 2}, 1},
		"made shorter":       {results.Manifest{}, at(3, func(in *results.Interaction) { in.Turns[2].Compacted = "summary" }), []int{1, 2}, 1},
		"a picture":          {results.Manifest{}, at(1, func(in *results.Interaction) { in.Output = vfs.Files{"a.png": "P"} }), []int{3, 4}, 1},
		"not kept":           {results.Manifest{}, notKept, nil, 2},
		"one conversation":   {results.Manifest{Conversation: carried}, asItIs, []int{4}, 2},
		"one, first damaged": {results.Manifest{Conversation: carried}, at(2, func(in *results.Interaction) { in.Score.Strict = 0 }), nil, 0},
		"one, later damaged": {results.Manifest{Conversation: carried}, at(4, func(in *results.Interaction) { in.Score.Strict = 0 }), []int{2}, 1},
	} {
		store, record := relayOf(t, c.manifest, 4, c.change)
		var b bytes.Buffer
		counts, err := WriteConversations(t.Context(), &b, store, record)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, line := range lines[chatLine](t, b.Bytes()) {
			got = append(got, line.Source.Number)
			if last := line.Messages[len(line.Messages)-1]; last.Role != models.Assistant || last.Content != "Done." {
				t.Errorf("%s: the last message is %+v", name, last)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" || counts.Trips != 2 || counts.Exact != c.exact || counts.Written != len(c.want) {
			t.Errorf("%s: %+v %s", name, counts, diff)
		}
	}
}

// A round trip that lost a comment is not exact, although Strict is 1, so it is no example to learn from.
func TestARoundTripThatLostACommentIsNotRestored(t *testing.T) {
	t.Parallel()
	const text = "hull = oak # from the old pier\n\nboat:\n\tcc -o boat\n"
	env := &environments.Environment{Name: "boat1", Domain: "makefile", Seed: vfs.Files{"Makefile": text}}
	for output, want := range map[string]bool{
		text: true,
		strings.Replace(text, "hull = oak", "hull  =  oak", 1): true,
		strings.Replace(text, " # from the old pier", "", 1):   false,
	} {
		in := &results.Interaction{Output: vfs.Files{"Makefile": output}, Score: &results.Score{Strict: 1}}
		if got := restored(env, in); got != want {
			t.Errorf("%q is restored: %t", output, got)
		}
	}
}

func TestAConversationIsInTheFormatOfChatCompletions(t *testing.T) {
	t.Parallel()
	store, record := relayOf(t, results.Manifest{}, 2, asItIs)
	var b bytes.Buffer
	if _, err := WriteConversations(t.Context(), &b, store, record); err != nil {
		t.Fatal(err)
	}
	got := lines[map[string]any](t, b.Bytes())[0]
	call := func(id, arguments string) any {
		return map[string]any{"id": id, "type": "function", "function": map[string]any{"name": "read_file", "arguments": arguments}}
	}
	want := []any{
		map[string]any{"role": "system", "content": "You edit."},
		map[string]any{"role": "user", "content": "Rename a.txt."},
		map[string]any{"role": "assistant", "content": "", "tool_calls": []any{call("1", `{"path":"a.txt"}`), call("1", `{"path":`)}},
		map[string]any{"role": "tool", "content": "seed\n", "tool_call_id": "1"},
		map[string]any{"role": "tool", "content": "Error: no JSON", "tool_call_id": "1"},
		map[string]any{"role": "assistant", "content": "Done.", "reasoning_content": "So."},
	}
	if diff := cmp.Diff(want, got["messages"]); diff != "" {
		t.Error(diff)
	}
	tools := []any{map[string]any{"type": "function", "function": map[string]any{"name": "read_file", "description": "Reads.", "parameters": map[string]any{"type": "object"}}}}
	if diff := cmp.Diff(any(tools), got["tools"]); diff != "" {
		t.Error(diff)
	}
}
