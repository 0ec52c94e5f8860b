package exec

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net/http"

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

// serveSession gives back what the command kept in its last run, and takes what it keeps
// in this one.
func (s *server) serveSession(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet:
		if s.task.Talk().Session == nil {
			fail(w, http.StatusNotFound, "not_found_error", "no session is kept yet")
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = w.Write(s.task.Talk().Session) // a command that has gone away needs no answer
	case http.MethodPut:
		kept, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxSession))
		if err != nil {
			fail(w, http.StatusRequestEntityTooLarge, "invalid_request_error", fmt.Sprintf("a session may have %d MiB: %v", maxSession>>20, err))
			return
		}
		s.mu.Lock()
		s.keeps = kept
		s.mu.Unlock()
	default:
		fail(w, http.StatusMethodNotAllowed, "invalid_request_error", "GET gives back what was kept, PUT keeps it")
	}
}

// keepSession leaves the command's session in the conversation. A command that has ended well
// without keeping one has lost the conversation.
func (s *server) keepSession(ended error) error {
	if !s.policy.goesOn() {
		return ended
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keeps != nil {
		s.task.Talk().Session = s.keeps
		return ended
	}
	var failure *policies.Failure
	if ended != nil && !errors.As(ended, &failure) {
		return ended
	}
	if ended == nil {
		s.task.Trace.Ending = policies.Failed
		return policies.Failf(policies.CommandFailure, "the command kept no session at AGENTD_SESSION_URL, so that its conversation cannot go on")
	}
	return ended
}
