package bwrap

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"agentd/sandbox"
	"agentd/vfs"
)

// tool is the name that reads are recorded under.
const tool = "run_python"

// runner runs the scripts of one interaction, one at a time.
type runner struct {
	backend *Backend
	limits  sandbox.Limits

	mu      sync.Mutex
	folder  *folder // nil before the first script
	closed  bool
	closing sync.WaitGroup // watches, which are slow to close
}

// RunPython implements sandbox.Runner.
func (r *runner) RunPython(ctx context.Context, ws *vfs.Workspace, code string) (sandbox.Result, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return sandbox.Result{}, fmt.Errorf("running a script: the sandbox: %w", os.ErrClosed)
	}
	if err := ctx.Err(); err != nil {
		return sandbox.Result{}, err
	}
	if r.folder == nil {
		made, err := newFolder(r.backend.identity)
		if err != nil {
			return sandbox.Result{}, err
		}
		r.folder = made
	}
	result, err := r.run(ctx, ws, code)
	if err != nil {
		return sandbox.Result{}, errors.Join(err, r.folder.reset())
	}
	return result, nil
}

// run does what the package comment lists.
func (r *runner) run(ctx context.Context, ws *vfs.Workspace, code string) (sandbox.Result, error) {
	before, err := ws.Snapshot()
	if err != nil {
		return sandbox.Result{}, err
	}
	if err := r.folder.sync(before); err != nil {
		return sandbox.Result{}, err
	}
	if err := r.folder.write(r.folder.top, scriptName, code); err != nil {
		return sandbox.Result{}, fmt.Errorf("copying the script into the sandbox: %w", err)
	}
	watch, err := watchReads(r.folder.workspace(), before)
	if err != nil {
		return sandbox.Result{}, err
	}
	defer r.closing.Go(watch.close)

	result, err := r.backend.execute(ctx, r.folder.workspace(), r.folder.script(), r.limits)
	if err != nil {
		return sandbox.Result{}, err
	}
	if result.Reads, err = watch.read(); err != nil { // before we read them ourselves
		return sandbox.Result{}, err
	}
	for _, name := range result.Reads { // while those deleted since are still known
		ws.RecordRead(tool, name)
	}
	left, err := collect(r.folder.files, before, r.limits)
	if err != nil {
		return sandbox.Result{}, err
	}
	if err := r.folder.settle(left.taken, left.clean()); err != nil {
		return sandbox.Result{}, err
	}
	left.apply(ws, &result)
	return result, nil
}

// apply brings the workspace up to what the script left. A change that the
// workspace refuses is skipped.
func (c *collection) apply(ws *vfs.Workspace, result *sandbox.Result) {
	result.Deleted = c.deleted()
	for _, name := range result.Deleted { // first, they may be in the way
		if err := ws.Delete(name); err != nil && !errors.Is(err, vfs.ErrNotExist) {
			c.skipped.add(name, err.Error())
		}
	}
	for _, name := range c.changed.Names() {
		if err := ws.Write(name, c.changed[name]); err != nil {
			c.skipped.add(name, err.Error())
			delete(c.changed, name)
		}
	}
	result.Changed, result.Skipped = c.changed, c.skipped.list()
}

// Close waits for a script that still runs, which its wall time or context
// ends, and removes the folder.
func (r *runner) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closing.Wait()
	if r.closed || r.folder == nil {
		r.closed = true
		return nil
	}
	r.closed = true
	if err := r.folder.remove(); err != nil {
		return fmt.Errorf("removing the sandbox's folder: %w", err)
	}
	return nil
}
