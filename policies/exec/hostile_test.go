package exec

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"agentd/models"
	"agentd/policies"
	"agentd/tools"
)

// callTool posts a call of a tool by MCP and returns the status and the answer.
func (s desk) callTool(t testing.TB, body string) (int, string) {
	t.Helper()
	s.session = tools.NewSession(s.task.Workspace, nil, tools.All())
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, mcpPath, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	w := httptest.NewRecorder()
	s.web.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// calling is a call of a tool by MCP.
func calling(tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
}

func TestCallsByMCPAreBounded(t *testing.T) {
	t.Parallel()
	write := func(size int) string {
		return calling("write_file", `{"path":"b.csv","content":"`+strings.Repeat("x", size)+`"}`)
	}
	const most = 16 << 20 / mcpFactor
	for name, c := range map[string]struct {
		body   string
		before int // calls
		status int
		says   string
		traced int // calls
	}{
		"a call":                {write(1), 0, 200, "Wrote b.csv", 1},
		"a large one":           {write(most - 200), 0, 200, "Wrote b.csv", 1},
		"one that is too large": {write(most), 0, 413, "more than 2097152", 0},
		"values":                {calling("view", `{"path":[`+strings.Repeat("1,", 200_000)+`1]}`), 0, 400, "more than 200000 values", 0},
		"a batch":               {"[" + strings.Repeat(write(1)+",", 10) + write(1) + "]", 0, 400, "no JSON object", 0},
		"the last":              {write(1), maxRequests - 1, 200, "Wrote b.csv", 1},
		"one too many":          {write(1), maxRequests, 200, "no more are possible", 0},
	} {
		s := newDesk(t, &model{})
		s.requests = c.before
		status, answer := s.callTool(t, c.body)
		if status != c.status || !strings.Contains(answer, c.says) || len(s.task.Trace.Calls) != c.traced {
			t.Errorf("%s: %d %.300s; %d calls in the trace", name, status, answer, len(s.task.Trace.Calls))
		}
	}
}

// A trace is kept in memory until the interaction ends.
func TestATraceHoldsOnlySoMuch(t *testing.T) {
	t.Parallel()
	m := &model{answer: models.Message{ToolCalls: []models.ToolCall{{ID: "1", Name: "mine", Arguments: "{}"}}}}
	s := newDesk(t, m)
	s.traced = maxTraced - 10
	for _, body := range []string{`{"messages":[{"role":"user","content":"x"}]}`, `{"messages":[{"role":"tool","tool_call_id":"1","content":"something long"}]}`} {
		if status, answer := s.request(t, toChat, body); status != http.StatusOK {
			t.Fatalf("%d %s", status, answer)
		}
	}
	if _, answer := s.callTool(t, calling("write_file", `{"path":"b.csv","content":"x"}`)); !strings.Contains(answer, "Wrote") {
		t.Fatal(answer)
	}
	calls := s.task.Trace.Calls
	if first := calls[0]; *first.Arguments != "{}" || *first.Answer != "" || first.Out != len(`"something long"`) {
		t.Errorf("the first call: %+v", first)
	}
	if last := calls[len(calls)-1]; *last.Arguments != "" || last.In == 0 || last.Changed != 1 {
		t.Errorf("the last call: %+v", last)
	}
	if s.traced > maxTraced {
		t.Errorf("%d bytes are held", s.traced)
	}
}

// Of an answer with too many calls the command gets as many as are carried out.
func TestOneAnswersCallsAreBounded(t *testing.T) {
	t.Parallel()
	const all = 10_000
	for _, dialect := range []string{toChat, toResponse} {
		m := &model{answer: models.Message{ToolCalls: slices.Repeat([]models.ToolCall{{ID: "1", Name: "mine", Arguments: `{"b":1,"a":2}`}}, all)}}
		s := newDesk(t, m)
		status, answer := s.request(t, dialect, `{"messages":[{"role":"user","content":"x"}],"input":"x"}`)
		if n := strings.Count(answer, `"mine"`); status != http.StatusOK || n != policies.MaxCalls {
			t.Errorf("%s: %d, %d calls", dialect, status, n)
		}
		calls := s.task.Trace.Calls
		if len(calls) != all {
			t.Fatalf("%s: %d calls in the trace", dialect, len(calls))
		}
		for i, call := range calls {
			if (call.Error != "") != (i >= policies.MaxCalls) || call.Error != "" && call.Error != policies.TooManyCalls || !slices.Equal(call.ArgNames, []string{"a", "b"}) {
				t.Fatalf("%s: call %d is %+v", dialect, i, call)
			}
		}
	}
}

// A request by MCP never ends the command, and is in the trace at most once.
func FuzzMCP(f *testing.F) {
	for _, body := range []string{
		calling("write_file", `{"path":"b.csv","content":"x"}`), calling("view", `{"path":5}`), calling("no_such", `[]`), calling("finish", `{}`),
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, `[]`, `{}`, ``, `{"jsonrpc":"2.0","id":{},"method":"x"}`,
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		s := newDesk(t, &model{})
		if strings.Contains(body, "run_python") { // there is no sandbox here
			return
		}
		status, got := s.callTool(t, body)
		if status >= 500 || s.running.Err() != nil || len(s.task.Trace.Calls) > 1 {
			t.Errorf("%q: %d %s; %d calls", body, status, got, len(s.task.Trace.Calls))
		}
	})
}
