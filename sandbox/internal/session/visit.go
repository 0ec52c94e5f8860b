//go:build linux

package session

import (
	"maps"
	"os"
	"slices"
	"sync"

	"agentd/sandbox"
	"agentd/sandbox/internal/folder"
	"agentd/sandbox/internal/reads"
	"agentd/vfs"
)

// As calls a function with the rights that scripts have over files.
type As func(func() error) error

// Visit follows the files of one script or command: their content before it, its reads, and what
// it left.
type Visit struct {
	tool   string
	as     As
	tree   *folder.Tree
	watch  *reads.Watch
	before vfs.Files
	read   map[string]bool
	left   *folder.Collection

	mu sync.Mutex // held during an exchange
	// What exchanges have already taken back.
	changed vfs.Files
	deleted map[string]bool
}

// Enter writes the files into the workspace folder of a job and begins to watch reads, which are logged
// under the name of its tool. The caller must close the visit.
func Enter(job Job, above *os.File, files vfs.Files, as As, watches *reads.Pool) (*Visit, error) {
	v := &Visit{
		tool: job.tool(), as: as, before: files,
		read: map[string]bool{}, changed: vfs.Files{}, deleted: map[string]bool{},
	}
	err := as(func() (err error) {
		if v.tree, err = folder.OpenTree(above); err != nil {
			return err
		}
		if v.watch, err = watches.New(); err != nil {
			return err
		}
		if err := v.tree.Fill(files, v.watch.Add); err != nil || job.Command == nil {
			return err
		}
		return v.tree.LetExecute(job.Command.Executable)
	})
	if err != nil {
		v.Close()
		return nil, err
	}
	return v, nil
}

// Look finds out what was read and what was left.
func (v *Visit) Look(limits sandbox.Limits) error {
	return v.as(func() error {
		read, err := v.watch.Take() // before we read the files ourselves
		if err != nil {
			return err
		}
		maps.Copy(v.read, read)
		v.left, err = v.tree.Collect(v.before, limits)
		return err
	})
}

// Apply applies what Look found to the workspace and adds it to the result.
func (v *Visit) Apply(ws *vfs.Workspace, result *sandbox.Result) {
	result.Reads = slices.Sorted(maps.Keys(v.read))
	for _, name := range result.Reads { // while those deleted since are still known
		ws.RecordRead(v.tool, name)
	}
	v.left.Apply(ws, result)
	v.merge(*result)
	result.Changed, result.Deleted = v.changed, slices.Sorted(maps.Keys(v.deleted))
}

// merge adds what was changed and deleted to what was before.
func (v *Visit) merge(r sandbox.Result) {
	for name, content := range r.Changed {
		v.changed[name] = content
		delete(v.deleted, name)
	}
	for _, name := range r.Deleted {
		if _, replaced := r.Changed[name]; !replaced {
			delete(v.changed, name)
			v.deleted[name] = true
		}
	}
}

// Exchange is a sandbox.Exchange with the workspace. Concurrent calls wait for each other.
// What a command writes during a call may be seen in part or by the next call, and what it
// reads then is not recorded.
func (v *Visit) Exchange(ws *vfs.Workspace, limits sandbox.Limits, do func() error) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := v.Look(limits); err != nil {
		return err
	}
	var found sandbox.Result
	v.left.Apply(ws, &found)
	v.merge(found)
	failed := do()
	now, err := ws.Snapshot()
	if err != nil {
		return err
	}
	v.before = now
	err = v.as(func() error {
		inTheWay := v.tree.Update(v.left, now)
		if err := v.watch.Reset(); err != nil { // we have read the files as well
			return err
		}
		if err := v.tree.Watch(now, v.watch.Add); err != nil {
			return err
		}
		return inTheWay
	})
	if failed != nil {
		return failed
	}
	return err
}

// Close ends the visit. It is slow, and may be called during the next one.
func (v *Visit) Close() {
	if v.tree != nil {
		v.tree.Close()
	}
	if v.watch != nil {
		v.watch.Close()
	}
}
