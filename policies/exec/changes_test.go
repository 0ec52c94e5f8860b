package exec

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/models"
)

// In every dialect the trace has an agent's own calls, with the names of their arguments,
// the sizes of arguments and answers, their order, and the files that changed between two
// questions to the model.
func TestAnAgentsOwnCallsInEveryDialect(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ route, first, second string }{
		"chat": {toChat, `{"messages":[{"role":"user","content":"x"}]}`, `{"messages":[{"role":"user","content":"x"},
			{"role":"assistant","content":"yes","tool_calls":[{"id":"1","type":"function","function":{"name":"Edit","arguments":"{}"}},{"id":"2","type":"function","function":{"name":"Bash","arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"1","content":"edited"},{"role":"tool","tool_call_id":"2","content":"ok"}]}`},
		"Responses": {toResponse, `{"input":"x"}`, `{"input":[{"role":"user","content":"x"},
			{"type":"function_call","call_id":"1","name":"Edit","arguments":"{}"},{"type":"function_call","call_id":"2","name":"Bash","arguments":"{}"},
			{"type":"function_call_output","call_id":"1","output":"edited"},{"type":"function_call_output","call_id":"2","output":"ok"}]}`},
		"Messages": {toMessages, `{"messages":[{"role":"user","content":"x"}]}`, `{"messages":[{"role":"user","content":"x"},
			{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"Edit","input":{}},{"type":"tool_use","id":"2","name":"Bash","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"edited"},{"type":"tool_result","tool_use_id":"2","content":"ok"}]}]}`},
		"generateContent": {toGemini, `{"contents":[{"role":"user","parts":[{"text":"x"}]}]}`, `{"contents":[{"role":"user","parts":[{"text":"x"}]},
			{"role":"model","parts":[{"functionCall":{"id":"1","name":"Edit","args":{}}},{"functionCall":{"id":"2","name":"Bash","args":{}}}]},
			{"role":"user","parts":[{"functionResponse":{"id":"1","name":"Edit","response":{"output":"edited"}}},{"functionResponse":{"id":"2","name":"Bash","response":{"output":"ok"}}}]}]}`},
	} {
		m := &model{answer: models.Message{ToolCalls: []models.ToolCall{
			{ID: "1", Name: "Edit", Arguments: `{"file_path":"a.txt","old":"seed","new":"changed"}`}, {ID: "2", Name: "Bash", Arguments: `{"command":"cp a.txt c.csv"}`},
		}}}
		s := newDesk(t, m)
		s.forget()
		for _, step := range []struct {
			request string
			writes  []string
		}{{c.first, []string{"a.txt", "c.csv", "d.csv"}}, {c.second, nil}} {
			if status, answer := s.request(t, c.route, step.request); status != http.StatusOK {
				t.Fatalf("%s: %d %s", name, status, answer)
			}
			for _, file := range step.writes {
				if err := s.task.Workspace.Write(file, "changed"); err != nil {
					t.Fatal(err)
				}
			}
		}
		s.compare()
		var got []string
		for _, call := range s.task.Trace.Calls {
			got = append(got, fmt.Sprintf("turn %d %s %v, %d in, %d out, %d changed", call.Turn, call.Tool, call.ArgNames, call.In, call.Out, call.Changed))
		}
		want := []string{
			"turn 1 Edit [file_path new old], 50 in, 8 out, 1 changed", // with its quotation marks
			"turn 1 Bash [command], 28 in, 4 out, 2 changed",
			"turn 2 Edit [file_path new old], 50 in, 0 out, 0 changed",
			"turn 2 Bash [command], 28 in, 0 out, 0 changed",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Files that change after an answer without calls were changed by its text, as those of an
// agent that has no tools. Not so if the answer had calls, whoever carried them out.
func TestAnswersWithoutCallsChangeFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer models.Message
		turn   int // files that changed
		call   int
	}{
		"a text": {models.Message{Content: "a.txt\n<<<<<<< SEARCH"}, 2, 0},
		"a call": {models.Message{Content: "text", ToolCalls: []models.ToolCall{{ID: "1", Name: "Bash"}}}, 0, 2},
	} {
		s := newDesk(t, &model{answer: c.answer})
		s.forget()
		if status, answer := s.request(t, toChat, `{"messages":[{"role":"user","content":"x"}]}`); status != http.StatusOK {
			t.Fatalf("%d %s", status, answer)
		}
		for _, file := range []string{"a.txt", "b"} {
			if err := s.task.Workspace.Write(file, "changed"); err != nil {
				t.Fatal(err)
			}
		}
		s.compare()
		call := 0
		for _, one := range s.task.Trace.Calls {
			call += one.Changed
		}
		if got := s.task.Trace.Turns[0].Changed; got != c.turn || call != c.call {
			t.Errorf("%s: %d by the answer and %d by calls, want %d and %d", name, got, call, c.turn, c.call)
		}
	}
}
