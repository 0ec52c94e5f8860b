package exec

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"agentd/models"
	"agentd/policies"
	"agentd/tools"
	"agentd/vfs"
)

// desk is a server without a command.
type desk struct {
	*server
	web http.Handler
}

func newDesk(t testing.TB, m models.Model) desk {
	t.Helper()
	policy, err := New(m, &models.Price{Input: 10, Output: 10}, Options{Program: Program{Args: []string{"x"}}, OwnSettings: true, Turns: 1000, Tokens: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	ws, err := vfs.New(vfs.Files{"a.txt": "seed"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	running, end := context.WithCancelCause(t.Context())
	task := &policies.Task{Workspace: ws, Seed: 7, Trace: &policies.Trace{}}
	s := newServer(policy, task, tools.NewSession(ws, nil, tools.All()), running, end)
	s.exchange = func(f func() error) error { return f() }
	return desk{s, s.handler()}
}

// Routes of the dialects.
const (
	toMessages = "POST /v1/messages?beta=true"
	toGemini   = "POST /v1beta/models/m:generateContent"
	toChat     = "POST /v1/chat/completions"
	toResponse = "POST /v1/responses"
)

// request sends a request to any route and returns the status and the answer as it came.
func (d desk) request(t testing.TB, route, body string) (int, string) {
	t.Helper()
	method, path, _ := strings.Cut(route, " ")
	w := httptest.NewRecorder()
	d.web.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body)))
	return w.Code, w.Body.String()
}
