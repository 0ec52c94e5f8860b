package bwrap

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"agentd/sandbox"
	"agentd/sandbox/internal/cgroup"
	"agentd/sandbox/internal/output"
	"agentd/sandbox/internal/session"
	"agentd/vfs"
)

// runner runs the scripts of one interaction, one at a time.
type runner struct {
	backend *Backend
	limits  sandbox.Limits

	mu      sync.Mutex
	warm    *warm // nil before the first script, and when it was unwell
	closed  bool
	closing sync.WaitGroup // watches, which are slow to close
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
	result, visit, err := r.warmly(ctx, before, script)
	if errors.Is(err, errUnwell) {
		result, visit, err = r.alone(ctx, before, script)
	}
	if err != nil {
		return sandbox.Result{}, err
	}
	visit.Apply(ws, &result)
	return result, nil
}

// script is one script, from when it is held back in its sandbox to when
// nothing of it runs any more. How it is held, let go, ended and waited for is
// what box and fork do in their own ways.
type script struct {
	above, tmp     *os.File // the folders that it can write to
	stdout, stderr *output.Stream
	pid            int // of its first process
	group          *cgroup.Group
	hits           *cgroup.Hits // of the group, until now

	release  func()              // lets it go
	kill     func()              // ends all of it; may be called at any time until close
	wait     func() error        // returns when nothing runs any more and all output is read
	exitCode func() (int, error) // after wait
}

// alone runs a script in a sandbox of its own.
func (r *runner) alone(ctx context.Context, before vfs.Files, s sandbox.Script) (result sandbox.Result, visit *session.Visit, err error) {
	runtime.LockOSThread() // see box
	defer runtime.UnlockOSThread()
	budget := output.NewBudget(r.limits.OutputChars)
	x, err := r.backend.open(s, room(before, r.limits), r.limits, budget)
	defer func() { err = errors.Join(err, x.close()) }()
	if err != nil {
		return result, nil, err
	}
	return r.perform(ctx, x.script(), before, budget)
}

// perform brings the files in, lets the script go, and looks at what it left.
func (r *runner) perform(ctx context.Context, s *script, before vfs.Files, budget *output.Budget) (result sandbox.Result, visit *session.Visit, err error) {
	visit, err = r.enter(session.Script, s, before)
	if err != nil {
		return result, nil, err
	}
	defer r.closing.Go(visit.Close)
	if result, err = s.run(ctx, r.limits); err != nil {
		return result, nil, err
	}
	result.Truncated = budget.Truncated()
	return result, visit, visit.Look(r.limits)
}

// enter brings the files in. After an error the script has ended.
func (r *runner) enter(tool string, s *script, before vfs.Files) (*session.Visit, error) {
	visit, err := session.Enter(tool, s.above, before, r.backend.identity.do)
	if err != nil {
		s.kill()
		return nil, errors.Join(err, s.wait())
	}
	return visit, nil
}

// room is how large the workspace and the folder above may become together: what is
// there already, and what a script may add.
func room(before vfs.Files, limits sandbox.Limits) int64 {
	const page = 4096 // a file takes whole pages
	size := limits.DiskBytes
	for _, content := range before {
		size += (int64(len(content)) + page - 1) / page * page
	}
	return size
}

// run lets the script start, waits for its end, and tells what ended it.
func (s *script) run(ctx context.Context, limits sandbox.Limits) (sandbox.Result, error) {
	began := time.Now()
	stopped, err := s.await(ctx, limits)
	if err != nil {
		return sandbox.Result{}, err
	}
	result := sandbox.Result{
		Stdout: s.stdout.Text(), Stderr: s.stderr.Text(),
		Limit: stopped, ExitCode: killedExit, Duration: time.Since(began),
	}
	hits, err := s.group.Hits()
	if err != nil {
		return sandbox.Result{}, err
	}
	if stopped == sandbox.NoLimit {
		end := ending{stderr: s.stderr.Tail(), grouped: s.group != nil}
		end.hits.OOMKills = hits.OOMKills - s.hits.OOMKills
		end.hits.ForksRefused = hits.ForksRefused - s.hits.ForksRefused
		if end.exitCode, err = s.exitCode(); err != nil {
			return sandbox.Result{}, err
		}
		above, _ := full(s.above.Fd())
		tmp, _ := full(s.tmp.Fd())
		end.full = above || tmp
		result.ExitCode, result.Limit = end.exitCode, end.limit()
	}
	*s.hits = hits
	result.TimedOut, result.OOMKilled = result.Limit == sandbox.LimitTime, result.Limit == sandbox.LimitMemory
	return result, nil
}

// lookEvery is how often a running script is looked at.
const lookEvery = 50 * time.Millisecond

// await lets the script go and waits until nothing runs any more. It returns the
// limit for which it stopped the script, or the error of a context that ended.
func (s *script) await(ctx context.Context, limits sandbox.Limits) (stopped sandbox.Limit, err error) {
	done := make(chan struct{})
	over := make(chan sandbox.Limit, 1)
	var cancelled error
	var watching sync.WaitGroup
	// What looks at the script's processes does nothing else, so that nothing which it
	// might wait for there holds back their end.
	watching.Go(func() {
		look := time.NewTicker(lookEvery)
		defer look.Stop()
		for {
			select {
			case <-done:
				return
			case <-look.C:
				if limit := s.overflow(limits); limit != sandbox.NoLimit {
					over <- limit
					return
				}
			}
		}
	})
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
		s.kill()
	})
	s.release()
	err = s.wait()
	close(done)
	watching.Wait()
	return stopped, errors.Join(err, cancelled)
}

// overflow names a limit that is not the kernel's to enforce and that the
// running script is over.
func (s *script) overflow(limits sandbox.Limits) sandbox.Limit {
	for _, folder := range []*os.File{s.above, s.tmp} {
		if _, entries := full(folder.Fd()); entries {
			return sandbox.LimitDisk
		}
	}
	if s.group == nil && memoryAbove(s.pid, limits.MemoryBytes) {
		return sandbox.LimitMemory
	}
	return sandbox.NoLimit
}

// Close waits for a script that still runs, which its wall time or context
// ends, and ends the sandbox.
func (r *runner) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	err := r.warm.close()
	r.warm = nil
	r.closing.Wait()
	return err
}
