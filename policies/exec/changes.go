package exec

import (
	"path"
	"slices"
	"strings"

	"agentd/policies"
	"agentd/results/record"
	"agentd/vfs"
)

// changes determines which calls of a command's own tools, or which answer without calls,
// changed files. The command runs its tools between two requests to the model, so changes in
// between belong to them.
type changes struct {
	files vfs.Files // as last seen
	calls []int     // calls of the last turn except MCP calls, as indexes in the trace
	said  int       // the last turn, from 1, if it had no calls; else 0
}

// compare records what has changed in the workspace since it was last seen.
func (l *ledger) compare() {
	now, err := l.workspace.Snapshot()
	if err != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range differing(l.changed.files, now) {
		switch at := l.callOf(name); {
		case at >= 0:
			l.trace.Calls[at].Changed++
		case l.changed.said > 0:
			l.trace.Turns[l.changed.said-1].Changed++
		}
	}
	l.changed.files = now
}

// forget updates the last seen state, so that changes by agentd's tools are not attributed to
// the command.
func (l *ledger) forget() {
	if now, err := l.workspace.Snapshot(); err == nil {
		l.mu.Lock()
		l.changed.files = now
		l.mu.Unlock()
	}
}

// callOf returns the call of the last turn that most likely changed a file. Among calls that
// name the file, it prefers the last call of a tool that only writes and edits, because a
// script may just read it. Next is the last script that names the file, then the last call of
// all. It is -1 if there are no calls. l.mu must be held.
func (l *ledger) callOf(name string) int {
	calls, script := l.changed.calls, -1
	for _, at := range slices.Backward(calls) {
		call := &l.trace.Calls[at]
		if !strings.Contains(*call.Arguments, path.Base(name)) {
			continue
		}
		switch policies.WayOf(call.Tool, *call.Arguments) {
		case record.ByWriting, record.ByEditing, record.ByPatch:
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

// differing returns the files that exist in only one of two states, or differ.
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
