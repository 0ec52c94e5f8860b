// Package session is the stay of a script or a command in a sandbox: the files that
// it is given, what it reads, and what it leaves.
package session

import (
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"agentd/sandbox"
	"agentd/sandbox/internal/folder"
	"agentd/sandbox/internal/reads"
	"agentd/vfs"
)

// Names that reads are recorded under.
const (
	Script  = "run_python"
	Command = "exec"
)

// Visit is the stay of a script or a command in a folder: what was there before it
// came, what it read, and what it left.
type Visit struct {
	tool   string
	tree   *folder.Tree
	before vfs.Files
	watch  *reads.Watch
	read   map[string]bool
	left   *folder.Collection

	// What exchanges have brought over already.
	changed vfs.Files
	deleted map[string]bool
	closing sync.WaitGroup // watches, which are slow to close
}

// Enter writes the files into the empty tree, whose folder above lies at path, and
// begins to watch which are read; reads are recorded under the tool's name.
func Enter(tool string, tree *folder.Tree, path string, files vfs.Files) (*Visit, error) {
	if err := tree.Fill(files); err != nil {
		return nil, err
	}
	watch, err := reads.Start(filepath.Join(path, sandbox.WorkspaceName), files)
	if err != nil {
		return nil, err
	}
	return &Visit{
		tool: tool, tree: tree, before: files, watch: watch,
		read: map[string]bool{}, changed: vfs.Files{}, deleted: map[string]bool{},
	}, nil
}

// Look finds out what the script read and left. No process of it may run any
// more.
func (v *Visit) Look(limits sandbox.Limits) (err error) {
	read, err := v.watch.Files() // before we read them ourselves
	if err != nil {
		return err
	}
	for _, name := range read {
		v.read[name] = true
	}
	v.left, err = v.tree.Collect(v.before, limits)
	return err
}

// Apply tells the workspace and the result what Look found.
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

// Exchanges returns the sandbox.Exchange with the workspace, for use while the command
// runs, one call at a time. inside calls what works on its files. The command waits
// for what it has asked for, or should: what it writes meanwhile may be seen in part or
// next time, and what it reads meanwhile is not recorded.
func (v *Visit) Exchanges(ws *vfs.Workspace, limits sandbox.Limits, inside func(func() error) error) sandbox.Exchange {
	var mu sync.Mutex
	return func(do func() error) error {
		mu.Lock()
		defer mu.Unlock()
		return v.exchange(ws, limits, inside, do)
	}
}

func (v *Visit) exchange(ws *vfs.Workspace, limits sandbox.Limits, inside func(func() error) error, do func() error) error {
	if err := inside(func() error { return v.Look(limits) }); err != nil {
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
	err = inside(func() error {
		inTheWay := v.tree.Update(v.left, now)
		watch, err := reads.StartLive(now, v.tree.Locate)
		if err != nil {
			return err
		}
		v.closing.Go(v.watch.Close)
		v.watch = watch
		return inTheWay
	})
	if failed != nil {
		return failed
	}
	return err
}

// Close ends the watch. It is slow, and may be called beside the next visit.
func (v *Visit) Close() {
	v.watch.Close()
	v.closing.Wait()
}
