package exec

import (
	"path"
	"slices"
	"strings"

	"agentd/policies"
	"agentd/results/record"
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

// compare notes what changed in the workspace since it was last seen.
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

// forget has what one of our tools changed not taken for the command's doing.
func (l *ledger) forget() {
	if now, err := l.workspace.Snapshot(); err == nil {
		l.mu.Lock()
		l.changed.files = now
		l.mu.Unlock()
	}
}

// callOf is the call of the last turn that is most likely to have changed a file: of those
// that name it the last one of a tool that only writes and edits, since a script may just
// read it; else the last script that names it; else the last call. It is -1 if there is
// none. l.mu is held.
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
