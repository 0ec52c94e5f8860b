package exec

import (
	"path"
	"slices"
	"strings"
	"time"

	"agentd/policies"
	"agentd/policies/exec/acp"
	"agentd/results/record"
	"agentd/tools"
)

// ReadFile returns the text of a file to an agent of the Agent Client Protocol.
func (s *server) ReadFile(r acp.Request) (text string, err error) {
	err = s.forAgent(r, func(name string) (tools.Outcome, error) {
		content, err := s.task.Workspace.Read(r.Tool, name)
		text = r.Of(content)
		return tools.Outcome{Text: text}, err
	})
	return text, err
}

// WriteFile writes a file for an agent.
func (s *server) WriteFile(r acp.Request, content string) error {
	return s.forAgent(r, func(name string) (tools.Outcome, error) {
		before, there := s.task.Workspace.Peek(name)
		if there == nil && before == content {
			return tools.Outcome{}, nil
		}
		return tools.Outcome{Changed: 1}, s.task.Workspace.Write(name, content)
	})
}

// forAgent handles an agent's file request and records it.
func (s *server) forAgent(r acp.Request, do func(name string) (tools.Outcome, error)) error {
	if s.tooMany() {
		return errTooManyCalls
	}
	began := time.Now()
	var outcome tools.Outcome
	name, err := r.Name()
	if err == nil {
		err = s.exchange(func() (err error) {
			s.compare()
			if outcome, err = do(name); err == nil {
				s.forget()
			}
			return err
		})
	}
	if err != nil {
		outcome = tools.Outcome{Failed: true, Text: "Error: " + err.Error()}
	}
	outcome.ArgNames = argumentNames(r.Arguments)
	s.recordFile(r.Path, policies.NewCall(0, r.Tool, r.Arguments, outcome, time.Since(began)))
	return err
}

// recordFile records a file request. If the model asked for a call that names the file, the
// request counts as that call; otherwise it becomes a call of its own.
func (l *ledger) recordFile(file string, call record.Call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, a := range slices.Backward(l.asked) {
		if made := &l.trace.Calls[a.record]; strings.Contains(*made.Arguments, path.Base(file)) {
			made.Changed += call.Changed
			return
		}
	}
	l.trace.Calls = append(l.trace.Calls, l.retained(call))
}
