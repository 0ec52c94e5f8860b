package harness_test

import (
	"strings"
	"testing"

	"agentd/environments"
	"agentd/harness"
	"agentd/models"
	"agentd/policies"
	"agentd/results"
)

// firstBuiltin is the first built-in environment.
func firstBuiltin(t *testing.T) environments.Environment {
	t.Helper()
	all, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return all[0]
}

// saidIn carries the relays out and returns, by policy, what each interaction has kept of its
// conversation, and the interactions.
func saidIn(t *testing.T, k talk, full bool) (map[string][]results.Said, map[string][]results.Interaction) {
	t.Helper()
	x, store, relays := k.open(t)
	x.FullTrace = full
	worker, said, all := harness.NewWorker(x), map[string][]results.Said{}, map[string][]results.Interaction{}
	for _, relay := range relays {
		if _, err := worker.Work(t.Context(), store, relay, harness.Hooks{}); err != nil {
			t.Fatalf("%s: %v", relay.Policy, err)
		}
		var err error
		if said[relay.Policy], err = store.Conversation(t.Context(), relay.ID); err != nil {
			t.Fatal(err)
		}
		if all[relay.Policy], err = store.Interactions(t.Context(), relay.ID); err != nil {
			t.Fatal(err)
		}
	}
	return said, all
}

func TestAFullTraceKeepsTheConversation(t *testing.T) {
	t.Parallel()
	env := firstBuiltin(t)
	asked := []string{"agentic", "direct", "verify(direct)", "noop"}
	said, all := saidIn(t, talk{env: env, policies: asked, trips: 1}, true)
	if got := said["noop"]; len(got) != 0 {
		t.Errorf("without a model: %v", got)
	}
	for _, policy := range asked[:3] {
		if len(said[policy]) != 2 {
			t.Fatalf("%s: %d conversations of two interactions", policy, len(said[policy]))
		}
		for i, one := range said[policy] {
			talk, err := policies.Restore([]string{one.Text})
			if err != nil {
				t.Fatal(err)
			}
			in := all[policy][i]
			if one.Number != in.Number {
				t.Errorf("%s: the conversation of interaction %d stands at %d", policy, one.Number, in.Number)
			}
			messages, tools := talk.Messages, talk.Tools
			for _, aside := range talk.Asides {
				if aside.After != len(talk.Messages) {
					t.Errorf("%s: an aside after %d of %d messages", policy, aside.After, len(talk.Messages))
				}
				messages, tools = append(messages, aside.Messages...), append(tools, aside.Tools...)
			}
			if wants := policy != "direct"; wants != (len(tools) > 0) || wants != (messages[0].Role == models.System || len(talk.Asides) > 0) {
				t.Errorf("%s: %d tools, the first message is the %s's", policy, len(tools), messages[0].Role)
			}
			compareWithTrace(t, policy, messages, &in)
			instruction := env.Edits[0].Forward
			for _, edit := range env.Edits {
				if edit.Name == in.Edit {
					instruction = edit.Forward
					if in.Direction == results.Backward {
						instruction = edit.Backward
					}
				}
			}
			if !strings.Contains(messages[0].Content+messages[1].Content, instruction) {
				t.Errorf("%s: the first messages do not ask for the edit", policy)
			}
		}
	}
}

// compareWithTrace compares messages with the turns and tool calls of an interaction.
func compareWithTrace(t *testing.T, policy string, messages []models.Message, in *results.Interaction) {
	t.Helper()
	turn, answer := 0, 0
	for _, m := range messages {
		switch m.Role {
		case models.Assistant:
			if m.Content != *in.Turns[turn].Text {
				t.Errorf("%s: message of turn %d: %q", policy, turn+1, m.Content)
			}
			turn++
		case models.ToolRole:
			if m.Content != *in.ToolCalls[answer].Answer {
				t.Errorf("%s: answer %d: %q", policy, answer+1, m.Content)
			}
			answer++
		}
	}
	if turn != len(in.Turns) || answer != len(in.ToolCalls) {
		t.Errorf("%s: messages of %d turns and %d calls, the trace has %d and %d", policy, turn, answer, len(in.Turns), len(in.ToolCalls))
	}
}

func TestAnOrdinaryTraceKeepsNoConversation(t *testing.T) {
	t.Parallel()
	k := talk{env: firstBuiltin(t), policies: []string{"direct", "verify(direct)"}, trips: 1}
	said, _ := saidIn(t, k, false)
	for policy, kept := range said {
		if len(kept) > 0 {
			t.Errorf("%s: %d conversations", policy, len(kept))
		}
	}
	k.turns.Carried = true
	said, _ = saidIn(t, k, false)
	for policy, kept := range said {
		if len(kept) != 2 {
			t.Errorf("%s: a conversation that goes on has %d additions of two interactions", policy, len(kept))
		}
		for _, one := range kept {
			if strings.Contains(one.Text, `"asides"`) || strings.Contains(one.Text, `"tools":`) {
				t.Errorf("%s: it keeps more than what goes on: %.200s", policy, one.Text)
			}
		}
	}
}
