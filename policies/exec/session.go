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

// sessionPath is where a command stores what it needs to continue its conversation.
const sessionPath = "/session"

// maxSession is the largest size of stored session data, in bytes.
const maxSession = 16 << 20

// sessionTool is the program of AGENTD_SESSION.
//
//go:embed session.py
var sessionTool string

// goesOn reports whether the command's conversation is continued in a later run.
func (p *Policy) goesOn() bool { return p.options.Resumes && p.options.Dialogue.Continues }

// kept is a command's session data. It is safe for concurrent use.
type kept struct {
	talk func() *policies.Conversation // returns the conversation, with the last run's data
	mu   sync.Mutex
	data []byte // nil if this run has stored nothing
}

// ServeHTTP returns the data stored by the command's last run, and stores the data of this one.
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

// keepSession saves the session data in the conversation. It is an error if a command succeeded
// without storing any, because the conversation cannot be continued.
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
