package exec

import (
	_ "embed"
	"fmt"
	"io"
	"net/http"
	"sync"

	"agentd/models/gateway"
	"agentd/policies"
)

// sessionPath is where a command keeps what it needs to go on with its conversation.
const sessionPath = "/session"

// maxSession bounds what is kept of a session, in bytes.
const maxSession = 16 << 20

// sessionTool is the program of AGENTD_SESSION.
//
//go:embed session.py
var sessionTool string

// goesOn reports whether the command's conversation goes on in a later run.
func (p *Policy) goesOn() bool { return p.options.Resumes && p.options.Dialogue.Continues }

// kept is what a command keeps of its session. It is safe for concurrent use.
type kept struct {
	talk func() *policies.Conversation // the conversation, with what the last run kept
	mu   sync.Mutex
	data []byte // nil if this run has kept nothing
}

// ServeHTTP gives back what the command kept in its last run, and takes what it keeps in
// this one.
func (k *kept) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet:
		if k.talk().Session == nil {
			gateway.Fail(w, http.StatusNotFound, "not_found_error", "no session is kept yet")
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = w.Write(k.talk().Session) // a command that has gone away needs no answer
	case http.MethodPut:
		data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxSession))
		if err != nil {
			gateway.Fail(w, http.StatusRequestEntityTooLarge, "invalid_request_error", fmt.Sprintf("a session may have %d MiB: %v", maxSession>>20, err))
			return
		}
		k.mu.Lock()
		k.data = data
		k.mu.Unlock()
	default:
		gateway.Fail(w, http.StatusMethodNotAllowed, "invalid_request_error", "GET gives back what was kept, PUT keeps it")
	}
}

// keepSession leaves the command's session in the conversation. A command that has ended well
// without keeping one has lost the conversation.
func (s *server) keepSession(ended error) error {
	if !s.policy.goesOn() {
		return ended
	}
	s.keeps.mu.Lock()
	defer s.keeps.mu.Unlock()
	switch {
	case s.keeps.data != nil:
		s.task.Talk().Session = s.keeps.data
	case ended == nil:
		s.task.Trace.Ending = policies.Failed
		return policies.Failf(policies.CommandFailure, "the command kept no session at AGENTD_SESSION_URL, so that its conversation cannot go on")
	}
	return ended
}
