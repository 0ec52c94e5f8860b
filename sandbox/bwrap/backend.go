package bwrap

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"agentd/sandbox"
	"agentd/sandbox/internal/cgroup"
	"agentd/sandbox/internal/living"
	"agentd/sandbox/internal/output"
	"agentd/sandbox/internal/seccomp"
	"agentd/vfs"
)

// Backend makes runners that use bubblewrap. It is safe for concurrent use.
type Backend struct {
	host     *host
	identity identity
	pool     *pool             // of warm interpreters; nil where each script has a sandbox of its own
	fresh    bool              // each script has an interpreter of its own
	filter   []byte            // of system calls
	parent   cgroup.Parent     // where cgroups are made; nil where none can be
	groupErr error             // why not
	facts    map[string]string // what probe.py saw from inside
}

var _ sandbox.Backend = (*Backend)(nil)

//go:embed probe.py
var probe string

// probeProcesses is the limit under which the probe tries to fork.
const probeProcesses = 8

// Option changes how a Backend works.
type Option func(*Backend)

// WithPool has so many warm interpreters started ahead of the runners that will
// use them, with the limits of the last that did. Without it, a runner starts
// its own with its first script. Close ends them.
func WithPool(size int) Option { return func(b *Backend) { b.pool = newPool(b, size) } }

// Cold has each script start an interpreter of its own, in namespaces that were
// prepared before it came.
func Cold() Option { return func(b *Backend) { b.fresh = true } }

// New finds bwrap and Python and tries them out: it runs a script that looks
// at its surroundings, and fails unless they are as isolated as the package
// promises. Errors wrap sandbox.ErrUnavailable and say what to install or to
// allow, unless ctx ended.
func New(ctx context.Context, options ...Option) (*Backend, error) {
	if _, err := living.Prefix(); err != nil {
		return nil, fmt.Errorf("%w: %w", sandbox.ErrUnavailable, err)
	}
	found, err := findHost(ctx)
	if err != nil {
		return nil, err
	}
	// What agentd was started with, by a shell that is not careful, must not be
	// inherited further. What Go opens itself never is.
	if err := unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return nil, fmt.Errorf("%w: keeping open files to agentd: %w; Linux 5.14 or later is needed", sandbox.ErrUnavailable, err)
	}
	filter, err := seccomp.Program()
	if err != nil {
		return nil, err
	}
	parent, groupErr := cgroup.Find()
	sweep(parent)
	var failures []error
	for _, candidate := range identities() {
		b := &Backend{host: found, identity: candidate, filter: filter, parent: parent, groupErr: groupErr}
		if err = b.tryOut(ctx); err == nil {
			b.pool = newPool(b, 0)
			for _, option := range options {
				option(b)
			}
			return b, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		failures = append(failures, fmt.Errorf("as %s: %w", userName(candidate), err))
	}
	return nil, fmt.Errorf("%w: %w; %s", sandbox.ErrUnavailable, errors.Join(failures...), advice())
}

// Name is the name of this back end in flags and experiments.
func (b *Backend) Name() string { return "bwrap" }

// NewRunner returns a runner with the given limits. It costs nothing until
// its first script.
func (b *Backend) NewRunner(limits sandbox.Limits) (sandbox.Runner, error) {
	if err := limits.Check(); err != nil {
		return nil, err
	}
	return &runner{backend: b, limits: limits}, nil
}

// Close ends the warm interpreters that no runner has taken.
func (b *Backend) Close() error {
	if b.pool == nil {
		return nil
	}
	return b.pool.close()
}

// Describe tells what isolation scripts get on this machine, a line each, as
// found out by trying.
func (b *Backend) Describe() []string {
	lines := []string{
		fmt.Sprintf("bubblewrap %s at %s", b.host.version, b.host.bwrap),
		fmt.Sprintf("Python %s at %s", b.facts["python"], b.host.python),
		fmt.Sprintf("scripts run as %s, inside as uid %s without capabilities", userName(b.identity), b.facts["uid"]),
		fmt.Sprintf("scripts see only: %s", strings.ReplaceAll(b.facts["root"], ",", " ")),
		fmt.Sprintf("network: only its own %s", b.facts["interfaces"]),
		fmt.Sprintf("system calls: filtered, %d refused", len(seccomp.Rules())),
		"disk: /tmp and " + sandbox.Above + " are limited in size, each for itself",
	}
	switch {
	case b.parent != nil && b.parent.LimitsCPU():
		return append(lines, fmt.Sprintf("memory, processes and CPU time: limited in sum (%s)", b.parent.Describe()))
	case b.parent != nil:
		return append(lines,
			fmt.Sprintf("memory and processes: limited in sum (%s)", b.parent.Describe()),
			"CPU time: WEAKER, not limited: the controller cpu was not delegated")
	}
	return append(lines,
		"processes: limited in sum",
		"memory: WEAKER, limited for each process, and in sum only by looking 20 times a second",
		"CPU time: WEAKER, not limited",
		fmt.Sprintf("the reason: %v", b.groupErr))
}

// tryOut runs the probe and checks that what must hold does.
func (b *Backend) tryOut(ctx context.Context) error {
	limits := sandbox.DefaultLimits()
	limits.Processes = probeProcesses
	run, err := b.NewRunner(limits)
	if err != nil {
		return err
	}
	defer run.Close()
	ws, err := vfs.New(nil, nil)
	if err != nil {
		return err
	}
	result, err := run.RunPython(ctx, ws, sandbox.Script{Code: probe})
	if err != nil {
		return err
	}
	if result.ExitCode != 0 || result.TimedOut {
		return fmt.Errorf("the trial script failed with exit code %d: %s", result.ExitCode, output.LastLine(result.Stderr))
	}
	b.facts = make(map[string]string)
	for line := range strings.Lines(result.Stdout) {
		fact, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		b.facts[fact] = value
	}
	return b.checkFacts()
}

// checkFacts refuses a sandbox that runs but does not isolate.
func (b *Backend) checkFacts() error {
	for fact, want := range map[string]string{
		"uid":          strconv.Itoa(insideUID),
		"capabilities": "0",
		"interfaces":   "lo",
		"descriptors":  "0,1,2",
		"forks":        strconv.Itoa(probeProcesses - 1),
	} {
		if got := b.facts[fact]; got != want {
			return fmt.Errorf("the sandbox does not hold: %s is %q inside, not %q", fact, got, want)
		}
	}
	return nil
}
