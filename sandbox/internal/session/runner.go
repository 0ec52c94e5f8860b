//go:build linux

// Package session runs scripts and commands in sandboxes of any kind: it writes their files,
// watches what they read, limits their time, collects what they print and leave, and
// answers commands.
package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"agentd/sandbox"
	"agentd/sandbox/internal/reads"
	"agentd/vfs"
)

// Runner is a sandbox.Runner whose sandboxes an engine makes.
type Runner struct {
	engine Engine
	as     As
	reads  *reads.Pool
	limits sandbox.Limits // of scripts

	mu      sync.Mutex
	closed  bool
	closing sync.WaitGroup // visits, which take long to close
}

// NewRunner returns a runner whose scripts have the limits and whose files belong to the user of
// as. Runners of one back end share a pool of watches. It fails if nothing can run within the
// limits.
func NewRunner(engine Engine, as As, watches *reads.Pool, limits sandbox.Limits) (*Runner, error) {
	return &Runner{engine: engine, as: as, reads: watches, limits: limits}, limits.Check()
}

// RunPython implements sandbox.Runner.
func (r *Runner) RunPython(ctx context.Context, ws *vfs.Workspace, script sandbox.Script) (sandbox.Result, error) {
	return r.run(ctx, ws, Job{Script: script, Limits: r.limits})
}

// RunCommand implements sandbox.Runner.
func (r *Runner) RunCommand(ctx context.Context, ws *vfs.Workspace, c sandbox.Command) (sandbox.Result, error) {
	if err := c.Check(); err != nil {
		return sandbox.Result{}, err
	}
	return r.run(ctx, ws, Job{Command: &c, Limits: c.Limits})
}

func (r *Runner) run(ctx context.Context, ws *vfs.Workspace, job Job) (sandbox.Result, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return sandbox.Result{}, fmt.Errorf("running in the sandbox: %w", os.ErrClosed)
	}
	if err := ctx.Err(); err != nil {
		return sandbox.Result{}, err
	}
	before, err := ws.Snapshot()
	if err != nil {
		return sandbox.Result{}, err
	}
	job.Room = room(before, job.Limits)
	result, visit, err := r.try(ctx, ws, before, job)
	if errors.Is(err, ErrLost) && ctx.Err() == nil {
		job.Again = true
		result, visit, err = r.try(ctx, ws, before, job)
	}
	if err != nil {
		return sandbox.Result{}, err
	}
	visit.Apply(ws, &result)
	return result, nil
}

// try runs a job once, and collects what it left.
func (r *Runner) try(ctx context.Context, ws *vfs.Workspace, before vfs.Files, job Job) (result sandbox.Result, visit *Visit, err error) {
	p, err := r.start(ctx, job)
	if err != nil {
		return result, nil, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	visit, err = Enter(job, p.Open().Above, before, r.as, r.reads)
	if err != nil {
		return result, nil, err
	}
	exchange := func(do func() error) error { return visit.Exchange(ws, job.Limits, do) }
	stop, err := serve(job.Command, p.Open().Listener, exchange)
	if err == nil {
		result, err = perform(ctx, p, job.Limits)
		if late := stop(); late != nil {
			return result, nil, errors.Join(err, late) // the visit is still in use
		}
	}
	defer r.closing.Go(visit.Close)
	if err == nil {
		err = visit.Look(job.Limits)
	}
	return result, visit, err
}

// starting limits how many sandboxes of commands are made at the same time. They share the
// processors with running commands: if a hundred sandboxes were made at once, each would take as
// long as all of them together.
var starting = make(chan struct{}, 2*runtime.NumCPU())

// start makes a sandbox. One for a command waits for its turn.
func (r *Runner) start(ctx context.Context, job Job) (Process, error) {
	if job.Command == nil {
		return r.engine.Start(ctx, job)
	}
	select {
	case starting <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-starting }()
	return r.engine.Start(ctx, job)
}

// perform releases a process, waits for its end, and determines what ended it. The fields of the
// result about files are not set yet.
func perform(ctx context.Context, p Process, limits sandbox.Limits) (sandbox.Result, error) {
	began := time.Now()
	stopped, err := await(ctx, p, limits)
	if err != nil {
		return sandbox.Result{}, err
	}
	printed := p.Open().Streams
	result := sandbox.Result{
		Stdout: printed.Out.Text(), Stderr: printed.Err.Text(), Truncated: printed.Truncated(),
		Limit: stopped, ExitCode: KilledExit, Duration: time.Since(began),
	}
	if stopped == sandbox.NoLimit {
		end, err := p.Ending()
		if err != nil {
			return sandbox.Result{}, err
		}
		aboveFull, _ := usage(p.Open().Above)
		tmpFull, _ := usage(p.Open().Tmp)
		result.ExitCode, result.Limit = end.ExitCode, end.limit(printed.Err.Tail(), aboveFull || tmpFull)
	}
	result.TimedOut, result.OOMKilled = result.Limit == sandbox.LimitTime, result.Limit == sandbox.LimitMemory
	return result, nil
}

// await releases a process and waits until nothing of it runs any more. It returns the
// limit for which it stopped the process, or the error of a context that ended.
func await(ctx context.Context, p Process, limits sandbox.Limits) (stopped sandbox.Limit, err error) {
	done, over := make(chan struct{}), make(chan sandbox.Limit, 1)
	var cancelled error
	var watching sync.WaitGroup
	// watch has a goroutine of its own: even if it blocks, the wall time ends the process.
	watching.Go(func() { watch(p.Open(), limits, done, over) })
	watching.Go(func() {
		timeout := time.NewTimer(limits.WallTime)
		defer timeout.Stop()
		select {
		case <-done:
			return
		case <-ctx.Done():
			cancelled = ctx.Err()
		case <-timeout.C:
			stopped = sandbox.LimitTime
		case stopped = <-over:
		}
		p.Kill()
	})
	err = p.Release()
	if err != nil {
		p.Kill()
	}
	err = errors.Join(err, p.Wait())
	close(done)
	watching.Wait()
	return stopped, errors.Join(cancelled, err)
}

// watchEvery is how often a running script's use of memory and files is checked.
const watchEvery = 50 * time.Millisecond

// watch checks the limits that the kernel does not enforce, and sends the first one that a sandbox
// exceeds.
func watch(s *Sandbox, limits sandbox.Limits, done <-chan struct{}, over chan<- sandbox.Limit) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		_, aboveOver := usage(s.Above)
		_, tmpOver := usage(s.Tmp)
		switch {
		case aboveOver || tmpOver:
			over <- sandbox.LimitDisk
			return
		case s.Uncounted != 0 && memoryAbove(s.Uncounted, limits.MemoryBytes):
			over <- sandbox.LimitMemory
			return
		}
	}
}

// Close waits for a running script, and ends the sandbox.
func (r *Runner) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closing.Wait()
	if r.closed {
		return nil
	}
	r.closed = true
	return r.engine.End()
}
