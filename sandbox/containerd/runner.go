package containerd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"agentd/sandbox"
	"agentd/sandbox/internal/folder"
	"agentd/sandbox/internal/output"
	"agentd/sandbox/internal/session"
	"agentd/vfs"
)

// runner runs the scripts of one interaction, one at a time.
type runner struct {
	backend *Backend
	limits  sandbox.Limits

	mu        sync.Mutex
	container *container // nil before the first script, and after trouble
	closed    bool
	closing   sync.WaitGroup // watches, which are slow to close
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
	before, err := ws.Snapshot()
	if err != nil {
		return sandbox.Result{}, err
	}
	if err := r.prepare(ctx, before, code); err != nil {
		return sandbox.Result{}, errors.Join(err, r.end())
	}
	result, visit, err := r.run(ctx, before)
	if err != nil {
		return sandbox.Result{}, errors.Join(err, r.end())
	}
	visit.Apply(ws, &result)
	return result, nil
}

// prepare sees to it that there is a container with room for the files, and
// the script in it.
func (r *runner) prepare(ctx context.Context, files vfs.Files, code string) error {
	room := room(files, r.limits)
	if r.container != nil && (r.container.room < room || r.container.keeper.script(code) != nil) {
		if err := r.end(); err != nil {
			return err
		}
	}
	if r.container != nil {
		return nil
	}
	var err error
	if r.container, err = r.backend.newContainer(ctx, room, r.limits); err != nil {
		return err
	}
	return r.container.keeper.script(code)
}

// room is how large a workspace may become: what is there already, and as much
// again as a script may write. It grows in steps, lest an interaction that adds
// to its files need a new container for each script.
func room(files vfs.Files, limits sandbox.Limits) int64 {
	const page, step = 4096, 8 << 20 // a file takes whole pages
	var held int64
	for _, content := range files {
		held += (int64(len(content)) + page - 1) / page * page
	}
	return limits.DiskBytes + (held+step-1)/step*step
}

// run brings the files in, runs the script and looks at what it left. Then
// only the keeper is left in the container, with nothing to remember the script
// by, or there is no container any more.
func (r *runner) run(ctx context.Context, files vfs.Files) (result sandbox.Result, visit *session.Visit, err error) {
	path := fmt.Sprintf("/proc/self/fd/%d", r.container.workspace.Fd())
	var tree *folder.Tree
	err = r.backend.identity.do(func() (err error) {
		if tree, err = folder.OpenTree(path, nil); err == nil {
			visit, err = session.Enter(session.Script, tree, path, files)
		}
		return err
	})
	if tree != nil {
		defer tree.Close()
	}
	if err != nil {
		return result, nil, err
	}
	defer r.closing.Go(visit.Close)
	if result, err = r.execute(ctx); err != nil {
		return result, nil, err
	}
	if err := r.backend.identity.do(func() error { return visit.Look(r.limits) }); err != nil {
		return result, nil, err
	}
	if r.container != nil && r.container.keeper.clear() != nil {
		return result, visit, r.end()
	}
	return result, visit, nil
}

// execute runs the script and tells what ended it. No process of it is left.
func (r *runner) execute(ctx context.Context) (sandbox.Result, error) {
	budget := output.NewBudget(r.limits.OutputChars)
	c := r.container
	s := &script{stdout: output.NewStream(budget), stderr: output.NewStream(budget)}
	defer s.close(&c.closing)
	if err := s.start(r.backend, c, r.limits); err != nil {
		return sandbox.Result{}, fmt.Errorf("starting a script in the container: %w", err)
	}
	began := time.Now()
	stopped := s.await(ctx, r.limits.WallTime)
	end := ending{full: c.full(), stopped: stopped}
	if err := c.keeper.kill(); err != nil {
		// Only the kernel can have ended the keeper, when memory ran out. With
		// its first process, every other of the container has ended.
		end.keeperGone = true
		if err := c.stop(); err != nil {
			return sandbox.Result{}, err
		}
	}
	var err error
	if end.exitCode, err = s.finish(); err != nil {
		return sandbox.Result{}, err
	}
	if stopped && ctx.Err() != nil {
		return sandbox.Result{}, ctx.Err()
	}
	end.stderr = s.stderr.Tail()
	end.oomKilled = c.hadOOMKills(end.keeperGone)
	result := sandbox.Result{
		Stdout: s.stdout.Text(), Stderr: s.stderr.Text(), Truncated: budget.Truncated(),
		ExitCode: end.exitCode, Limit: end.limit(), Duration: time.Since(began),
	}
	if stopped {
		result.ExitCode = killedExit
	}
	result.TimedOut, result.OOMKilled = result.Limit == sandbox.LimitTime, result.Limit == sandbox.LimitMemory
	return result, nil
}

// end removes the container, and with it all that runs.
func (r *runner) end() error {
	if r.container == nil {
		return nil
	}
	c := r.container
	r.container = nil
	return c.remove()
}

// Close waits for a script that still runs, which its wall time or context
// ends, and removes the container.
func (r *runner) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closing.Wait()
	r.closed = true
	return r.end()
}
