// Package programs runs the documents that are scored by running them, in a
// sandbox, for domains that know of none.
package programs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"agentd/domains"
	"agentd/sandbox"
	"agentd/vfs"
)

// Programs is a domains.Programs over a sandbox. Its runners are used one after
// the other, as many at a time as are asked for at a time.
type Programs struct {
	open  func() (sandbox.Backend, error)
	owner bool // of what open returns

	mu      sync.Mutex
	backend sandbox.Backend // nil until it is needed
	idle    []sandbox.Runner
	closed  bool
}

var _ domains.Programs = (*Programs)(nil)

// New returns what runs programs in the sandbox. It must be closed before that.
func New(backend sandbox.Backend) *Programs {
	return &Programs{open: func() (sandbox.Backend, error) { return backend, nil }}
}

// Opening returns what runs programs in a sandbox of its own, which it opens for
// the first of them. Where that fails, so does each.
func Opening(open func() (sandbox.Backend, error)) *Programs {
	return &Programs{open: sync.OnceValues(open), owner: true}
}

// Limits are those of one run. The tests of an environment have limits of their
// own for each program that they start, which are shorter.
func Limits() sandbox.Limits {
	limits := sandbox.DefaultLimits()
	limits.WallTime = 2 * time.Minute
	limits.OutputChars = 16 << 20
	return limits
}

// tries is how often a run is tried where the sandbox itself does not work.
const tries = 3

// RunPython implements domains.Programs. A run ends by its limits and not
// before, since what is scored has been paid for.
func (p *Programs) RunPython(files vfs.Files, script string) (domains.Outcome, error) {
	var failed error
	for range tries {
		workspace, err := vfs.New(files, nil)
		if err != nil {
			return domains.Outcome{Stderr: err.Error(), ExitCode: 1, Ended: "files"}, nil
		}
		runner, err := p.take()
		if err != nil {
			return domains.Outcome{}, err
		}
		result, err := runner.RunPython(context.Background(), workspace, sandbox.Script{Code: script, Cwd: sandbox.InWorkspace})
		if err == nil {
			p.give(runner)
			return domains.Outcome{
				Stdout: result.Stdout, Stderr: result.Stderr, ExitCode: result.ExitCode, Ended: string(result.Limit),
			}, nil
		}
		failed = errors.Join(err, runner.Close())
	}
	return domains.Outcome{}, fmt.Errorf("the sandbox failed %d times: %w", tries, failed)
}

func (p *Programs) take() (sandbox.Runner, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errors.New("running a program: the sandbox is closed")
	}
	if last := len(p.idle) - 1; last >= 0 {
		runner := p.idle[last]
		p.idle = slices.Delete(p.idle, last, last+1)
		return runner, nil
	}
	if p.backend == nil {
		backend, err := p.open()
		if err != nil {
			return nil, err
		}
		p.backend = backend
	}
	return p.backend.NewRunner(Limits())
}

func (p *Programs) give(runner sandbox.Runner) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		_ = runner.Close() // its caller is gone
		return
	}
	p.idle = append(p.idle, runner)
}

// Close ends the runners, and the sandbox if it is its own.
func (p *Programs) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	var failed []error
	for _, runner := range p.idle {
		failed = append(failed, runner.Close())
	}
	p.idle = nil
	if p.owner && p.backend != nil {
		failed = append(failed, p.backend.Close())
	}
	return errors.Join(failed...)
}
