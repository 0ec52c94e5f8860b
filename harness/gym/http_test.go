package gym

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

func TestRoutes(t *testing.T) {
	t.Parallel()
	g := serve(t, Options{Version: "1.2.3"}, "accounting1", "calendar1")
	for path, want := range map[string]string{
		"/health": `{"status":"healthy"}`, "/metadata": `"name":"gym"`, "/schema": `"additionalProperties":false`, "/state": `{"episode_id":null,"step_count":0,"done":false}`,
		"/list_environments": `["gym"]`, "/gym/splits": `{"name":"train","type":"train"}`, "/GYM/splits": "test",
	} {
		if status, body := g.get(t, path); status != http.StatusOK || !strings.Contains(body, want) || !json.Valid([]byte(body)) {
			t.Errorf("%s: %d %s, want %s", path, status, body, want)
		}
	}
	for _, c := range []struct {
		path, body string
		status     int
		want       string
	}{
		{"/gym/num_tasks", `{"split":"train"}`, 200, `{"num_tasks":`},
		{"/gym/tasks", `{"split":"train"}`, 200, `"env_name":"gym"`},
		{"/gym/task", `{"split":"train","index":0}`, 200, `"task":{"split":"train","index":0,`},
		{"/gym/task", `{"split":"train","index":100000}`, 400, "invalid task index"},
		{"/gym/task", `{"split":"train"}`, 400, "invalid task index"},
		{"/gym/task_range", `{"split":"train","start":1,"stop":3}`, 200, `"index":2`},
		{"/gym/task_range", `{"split":"train","start":9,"stop":3}`, 200, `{"tasks":[]}`},
		{"/gym/tasks", `{"split":"other"}`, 422, "there is no split"},
		{"/other/tasks", `{"split":"train"}`, 404, "unknown environment"},
		{"/reset", `{"env":"accounting1","seed":4}`, 200, `"reward":null,"done":false`},
		{"/reset", ``, 200, `"instruction"`},
		{"/reset", `{"env":"nowhere"}`, 422, "no task fits"},
		{"/step", `{"action":{"type":"list_tools"}}`, 200, `"read_file"`},
		{"/step", `{"action":{"type":"answer","text":"I will not."},"reset":{"env":"accounting1"}}`, 200, `"reward":0,"done":true`},
		{"/step", `{"action":{"type":"jump"}}`, 422, "the type of an action"},
		{"/step", `{"actions":{}}`, 422, "actions"},
	} {
		if status, body := g.post(t, c.path, c.body); status != c.status || !strings.Contains(body, c.want) {
			t.Errorf("%s %s: %d %.300s, want %d %s", c.path, c.body, status, body, c.status, c.want)
		}
	}
	if n := g.active(); n != 0 {
		t.Errorf("%d sessions are left", n)
	}
}

func TestProductionControlsNothingOverHTTP(t *testing.T) {
	t.Parallel()
	g := serve(t, Options{Production: true}, "accounting1")
	for _, path := range []string{"/reset", "/step"} {
		if status, _ := g.post(t, path, "{}"); status != http.StatusNotFound && status != http.StatusMethodNotAllowed {
			t.Errorf("%s has the status %d", path, status)
		}
	}
	if status, _ := g.get(t, "/state"); status != http.StatusNotFound {
		t.Errorf("/state has the status %d", status)
	}
	if status, _ := g.get(t, "/health"); status != http.StatusOK {
		t.Errorf("/health has the status %d", status)
	}
	g.dial(t, "/ws").reset(nil)
}

// rpcReply is an answer by JSON-RPC.
type rpcReply struct {
	ID     any
	Result struct {
		Session string `json:"session_id"`
		Tools   []struct {
			Name        string
			InputSchema json.RawMessage
		}
		Data            string
		IsError         bool
		Closed, Closing bool
		Step            shown
		Reset           shown
	}
	Error *struct {
		Code    int
		Message string
	}
}

func (g *gym) rpcByPost(t *testing.T, method string, params m) (r rpcReply) {
	t.Helper()
	raw, err := json.Marshal(m{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	status, body := g.post(t, "/mcp", string(raw))
	if err := json.Unmarshal([]byte(body), &r); err != nil || status != http.StatusOK || r.ID != 1.0 {
		t.Fatalf("%d %s: %v", status, body, err)
	}
	return r
}

func TestMCP(t *testing.T) {
	t.Parallel()
	g := serve(t, Options{}, "accounting1")
	if r := g.rpcByPost(t, "tools/list", nil); len(r.Result.Tools) < 5 || len(r.Result.Tools[0].InputSchema) == 0 {
		t.Errorf("%+v", r)
	}
	id := g.rpcByPost(t, "openenv/session/create", nil).Result.Session
	if r := g.rpcByPost(t, "tools/call", m{"name": "list", "session_id": id}); r.Error == nil {
		t.Errorf("a call before a reset: %+v", r)
	}
	// A WebSocket shares the session, as OpenEnv's client does.
	c := g.dial(t, "/ws?session_id="+id)
	s := c.reset(m{"env": "accounting1", "direction": "forward"})
	if r := g.rpcByPost(t, "tools/call", m{"name": "read_file", "arguments": m{"path": s.Observation.Files[0]}, "session_id": id}); r.Result.Data != s.Observation.Documents[s.Observation.Files[0]] {
		t.Errorf("%+v", r)
	}
	if code := g.dial(t, "/ws?session_id="+id).code(`{"type":"state"}`); code != sessionError {
		t.Errorf("a second connection: %s", code)
	}
	if r := g.rpcByPost(t, "openenv/session/close", m{"session_id": id}); !r.Result.Closing {
		t.Errorf("%+v", r)
	}
	eventually(t, "the session is closed", func() bool { return g.active() == 0 })

	r := g.rpcByPost(t, "openenv/session/create", m{"reset": m{"env": "accounting1", "direction": "forward", "seed": 1}})
	if r.Result.Reset.Observation.Instruction == "" {
		t.Errorf("%+v", r)
	}
	exact := g.exact(t, r.Result.Reset)
	for name, text := range exact {
		g.rpcByPost(t, "tools/call", m{"name": "write_file", "arguments": m{"path": name, "content": text}, "session_id": r.Result.Session})
	}
	if _, stays := exact["makerspace.ledger"]; !stays {
		g.rpcByPost(t, "tools/call", m{"name": "delete_file", "arguments": m{"path": "makerspace.ledger"}, "session_id": r.Result.Session})
	}
	if r := g.rpcByPost(t, "tools/call", m{"name": "finish", "session_id": r.Result.Session}); r.Result.IsError || !r.Result.Step.Done || *r.Result.Step.Reward != 1 {
		t.Errorf("%+v", r)
	}
	if r := g.rpcByPost(t, "openenv/session/close", m{"session_id": r.Result.Session}); !r.Result.Closed {
		t.Errorf("%+v", r)
	}
	ws := g.dial(t, "/mcp")
	for text, code := range map[string]int{
		`{`: parseError, `{"method":"tools/list"}`: invalidRequest, `{"jsonrpc":"2.0","id":"a","method":"initialize"}`: noMethod,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"x":1}}`: invalidParams, `{"jsonrpc":"2.0","id":2,"method":"openenv/session/close","params":{"session_id":"x"}}`: invalidParams,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list"}}`: serverError,
	} {
		var r rpcReply
		if err := json.Unmarshal(ws.raw(text), &r); err != nil || r.Error == nil || r.Error.Code != code {
			t.Errorf("%s: %+v, %v", text, r, err)
		}
	}
	var made rpcReply
	if err := json.Unmarshal(ws.raw(`{"jsonrpc":"2.0","id":2,"method":"openenv/session/create","params":{"reset":{"env":"accounting1"}}}`), &made); err != nil || made.Result.Reset.Observation.Instruction == "" {
		t.Errorf("%+v, %v", made, err)
	}
	wrapped := g.dial(t, "/ws").say(`{"type":"mcp","data":{"jsonrpc":"2.0","id":3,"method":"tools/list"}}`)
	if wrapped.Type != "mcp" || !strings.Contains(string(wrapped.Data), "read_file") {
		t.Errorf("%+v", wrapped)
	}
	if slices.Contains([]string{"reset", "step", "state", "close"}, allTools()[0].Name) {
		t.Error("a tool has a reserved name")
	}
}

// active is how many sessions are open.
func (s *Server) active() int {
	s.sessions.mu.Lock()
	defer s.sessions.mu.Unlock()
	return len(s.sessions.all)
}
