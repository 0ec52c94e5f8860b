package exec

import (
	"path"
	"slices"
	"strings"

	"agentd/policies"
	"agentd/vfs"
)

// changes tells which calls of a command's own tools changed files, or which answer without
// calls did. The command carries them out between two questions to the model, so what
// changed in between is theirs.
type changes struct {
	files vfs.Files // as they were last seen
	calls []int     // of the last turn, by their places in the trace, less those that came by MCP
	said  int       // the last turn, from 1, if it had no calls; else 0
}

// look takes over what the command has done to the files, and notes what changed in the
// calls that the model asked for last.
func (s *server) look() {
	_ = s.exchange(func() error { // what is in the way is seen when the command ends
		s.compare()
		return nil
	})
}

// compare notes what changed in the workspace since it was last seen.
func (s *server) compare() {
	now, err := s.task.Workspace.Snapshot()
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range differing(s.changed.files, now) {
		switch at := s.callOf(name); {
		case at >= 0:
			s.task.Trace.Calls[at].Changed++
		case s.changed.said > 0:
			s.task.Trace.Turns[s.changed.said-1].Changed++
		}
	}
	s.changed.files = now
}

// forget has what one of our tools changed not taken for the command's doing.
func (s *server) forget() {
	if now, err := s.task.Workspace.Snapshot(); err == nil {
		s.mu.Lock()
		s.changed.files = now
		s.mu.Unlock()
	}
}

// callOf is the call of the last turn that is most likely to have changed a file: of those
// that name it the last one of a tool that only writes and edits, since a script may just
// read it; else the last script that names it; else the last call. It is -1 if there is
// none. s.mu is held.
func (s *server) callOf(name string) int {
	calls, script := s.changed.calls, -1
	for _, at := range slices.Backward(calls) {
		call := &s.task.Trace.Calls[at]
		if !strings.Contains(call.Arguments, path.Base(name)) {
			continue
		}
		switch policies.WayOf(call.Tool, call.Arguments) {
		case policies.ByWriting, policies.ByEditing, policies.ByPatch:
			return at
		}
		if script < 0 {
			script = at
		}
	}
	switch {
	case script >= 0:
		return script
	case len(calls) == 0:
		return -1
	}
	return calls[len(calls)-1]
}

// differing names the files that are in one of two states alone, or differ.
func differing(before, after vfs.Files) []string {
	var names []string
	for name, content := range after {
		if was, there := before[name]; !there || was != content {
			names = append(names, name)
		}
	}
	for name := range before {
		if _, there := after[name]; !there {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
