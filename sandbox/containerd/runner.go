package containerd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/opencontainers/runtime-spec/specs-go"

	"agentd/sandbox"
	"agentd/sandbox/internal/output"
	"agentd/sandbox/internal/session"
	"agentd/vfs"
)

// runner runs the scripts and commands of one interaction, one at a time.
type runner struct {
	backend *Backend
	limits  sandbox.Limits

	mu        sync.Mutex
	container *container // nil before the first script, and after trouble
	closed    bool
	closing   sync.WaitGroup // watches, which are slow to close
}

// RunPython implements sandbox.Runner.
func (r *runner) RunPython(ctx context.Context, ws *vfs.Workspace, script sandbox.Script) (sandbox.Result, error) {
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
	if err := r.prepare(ctx, before, script.Code); err != nil {
		return sandbox.Result{}, errors.Join(err, r.end())
	}
	v, err := r.enter(session.Script, r.container, before)
	if err != nil {
		return sandbox.Result{}, errors.Join(err, r.end())
	}
	defer v.leave()
	result, err := v.run(ctx, r.backend.scriptProcess(r.limits, script.Cwd))
	if err == nil {
		err = v.look()
	}
	if err != nil {
		return sandbox.Result{}, errors.Join(err, r.end())
	}
	if r.container.keeper.clear() != nil {
		if err := r.end(); err != nil {
			return sandbox.Result{}, err
		}
	}
	v.Apply(ws, &result)
	return result, nil
}

// prepare sees to it that there is a container with room for the files, and
// the script in it.
func (r *runner) prepare(ctx context.Context, files vfs.Files, code string) error {
	room := room(files, r.limits)
	if r.container != nil && (r.container.stay.room < room || r.container.keeper.write(scriptAt, code) != nil) {
		if err := r.end(); err != nil {
			return err
		}
	}
	if r.container != nil {
		return nil
	}
	var err error
	if r.container, err = r.backend.newContainer(ctx, stay{room: room, limits: r.limits}); err != nil {
		return err
	}
	return r.container.keeper.write(scriptAt, code)
}

// room is how large the workspace and the folder above may become together: what is
// there already, and what a script may add. It grows in steps, lest an interaction that adds
// to its files need a new container for each script.
func room(files vfs.Files, limits sandbox.Limits) int64 {
	const page, step = 4096, 8 << 20 // a file takes whole pages
	var held int64
	for _, content := range files {
		held += (int64(len(content)) + page - 1) / page * page
	}
	return limits.DiskBytes + (held+step-1)/step*step
}

// visit is a visit to a container.
type visit struct {
	*session.Visit
	runner    *runner
	container *container
}

// enter brings the files into a container. The caller must leave.
func (r *runner) enter(tool string, c *container, files vfs.Files) (*visit, error) {
	v, err := session.Enter(tool, c.above, files, r.backend.identity.do)
	if err != nil {
		return nil, err
	}
	return &visit{v, r, c}, nil
}

func (v *visit) leave() { v.runner.closing.Go(v.Close) }

// look finds out what was left in the workspace.
func (v *visit) look() error { return v.Look(v.container.stay.limits) }

// run runs a process and tells what ended it. Then only the keeper is left in the
// container, or nothing.
func (v *visit) run(ctx context.Context, process *specs.Process) (sandbox.Result, error) {
	c := v.container
	budget := output.NewBudget(c.stay.limits.OutputChars)
	s := &script{stdout: output.NewStream(budget), stderr: output.NewStream(budget)}
	defer s.close(&c.closing)
	if err := s.start(v.runner.backend, c, process); err != nil {
		return sandbox.Result{}, fmt.Errorf("starting a process in the container: %w", err)
	}
	began := time.Now()
	stopped := s.await(ctx, c.stay.limits.WallTime)
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
