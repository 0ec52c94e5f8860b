// Package programs runs the documents that are scored by running them, in a
// sandbox, for domains that know of none.
package programs

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"agentd/domains"
	"agentd/sandbox"
	"agentd/vfs"
)

// Programs is a domains.Programs that uses a sandbox. It reuses its runners, and has as many as
// there are concurrent calls.
type Programs struct {
	open  func() (sandbox.Backend, error)
	owner bool // whether Close closes the back end

	mu      sync.Mutex
	backend sandbox.Backend // nil until the first run
	idle    []sandbox.Runner
	closed  bool

	transformed *lru.Cache[[sha256.Size]byte, vfs.Files]
}

var _ domains.Programs = (*Programs)(nil)

// New returns what runs programs in the sandbox. It must be closed before that.
func New(backend sandbox.Backend) *Programs {
	return newPrograms(func() (sandbox.Backend, error) { return backend, nil }, false)
}

// Opening returns a Programs with a sandbox of its own, opened for the first program. If that
// fails, every run fails.
func Opening(open func() (sandbox.Backend, error)) *Programs {
	return newPrograms(sync.OnceValues(open), true)
}

func newPrograms(open func() (sandbox.Backend, error), owner bool) *Programs {
	transformed, err := lru.New[[sha256.Size]byte, vfs.Files](mostTransformed)
	if err != nil {
		panic(err) // it fails for a size below 1 alone
	}
	return &Programs{open: open, owner: owner, transformed: transformed}
}

// Limits returns the limits of one run. The tests of an environment set shorter limits for each
// program that they start.
func Limits() sandbox.Limits {
	limits := sandbox.DefaultLimits()
	limits.WallTime = 2 * time.Minute
	limits.OutputChars = 16 << 20
	return limits
}

// tries is how often a run is tried if the sandbox itself fails.
const tries = 3

// RunPython implements domains.Programs. A run ends only by its limits and not by a context,
// because what is scored has been paid for.
func (p *Programs) RunPython(files vfs.Files, script string) (domains.Outcome, error) {
	outcome, _, err := p.run(files, script)
	return outcome, err
}

// Transform implements domains.Programs. It caches the most recent results by script and files.
func (p *Programs) Transform(files vfs.Files, script string) (vfs.Files, error) {
	key := transformation(files, script)
	if after, known := p.transformed.Get(key); known {
		return after.Clone(), nil
	}
	outcome, after, err := p.run(files, script)
	switch {
	case err != nil:
		return nil, err
	case outcome.Ended != "":
		return nil, fmt.Errorf("the script was ended by the limit on %s", outcome.Ended)
	case outcome.ExitCode != 0:
		return nil, fmt.Errorf("the script failed with status %d: %s", outcome.ExitCode, lastLine(outcome.Stderr))
	}
	p.transformed.Add(key, after.Clone())
	return after, nil
}

// mostTransformed is how many results of scripts are kept: those of all edits of a few
// environments, of some 20 kB each.
const mostTransformed = 256

// transformation identifies a script and the files that it works on.
func transformation(files vfs.Files, script string) [sha256.Size]byte {
	h := sha256.New()
	part := func(text string) { fmt.Fprintf(h, "%d %s", len(text), text) }
	part(script)
	for _, name := range files.Names() {
		part(name)
		part(files[name])
	}
	return [sha256.Size]byte(h.Sum(nil))
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// run runs a script and returns its outcome and the files that it left.
func (p *Programs) run(files vfs.Files, script string) (domains.Outcome, vfs.Files, error) {
	var failed error
	for range tries {
		workspace, err := vfs.New(files, nil)
		if err != nil {
			return domains.Outcome{Stderr: err.Error(), ExitCode: 1, Ended: "files"}, nil, nil
		}
		runner, err := p.take()
		if err != nil {
			return domains.Outcome{}, nil, err
		}
		result, err := runner.RunPython(context.Background(), workspace, sandbox.Script{Code: script, Cwd: sandbox.InWorkspace})
		if err == nil {
			p.give(runner)
			after, err := workspace.Output()
			return domains.Outcome{
				Stdout: result.Stdout, Stderr: result.Stderr, ExitCode: result.ExitCode, Ended: string(result.Limit),
			}, after, err
		}
		failed = errors.Join(err, runner.Close())
	}
	return domains.Outcome{}, nil, fmt.Errorf("the sandbox failed %d times: %w", tries, failed)
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

// Close closes the runners, and the sandbox if Programs opened it.
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
