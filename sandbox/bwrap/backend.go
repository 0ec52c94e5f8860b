//go:build linux

package bwrap

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"agentd/sandbox"
	"agentd/sandbox/bwrap/internal/box"
	"agentd/sandbox/bwrap/internal/warm"
	"agentd/sandbox/internal/cgroup"
	"agentd/sandbox/internal/owner"
	"agentd/sandbox/internal/reads"
	"agentd/sandbox/internal/seccomp"
	"agentd/sandbox/internal/session"
	"agentd/sandbox/internal/system"
)

// Backend makes runners that use bubblewrap. It is safe for concurrent use.
type Backend struct {
	host     *box.Host
	pool     *warm.Pool // warm interpreters; nil if each script has a sandbox of its own
	groupErr error      // why there are no cgroups
	facts    session.Facts
	reads    reads.Pool
}

// Option changes how a Backend works.
type Option func(*options)

type options struct{ ready int }

// WithPool keeps this many warm interpreters ready for later runners, with the limits of the last
// runner. Without it, a runner starts its own interpreter for its first script.
func WithPool(size int) Option { return func(o *options) { o.ready = size } }

// New finds bwrap and Python and runs a trial script. It fails unless the script is isolated as
// the package promises. Errors wrap sandbox.ErrUnavailable and say what to install or allow,
// unless ctx ended.
func New(ctx context.Context, choices ...Option) (*Backend, error) {
	if _, err := owner.Prefix(); err != nil {
		return nil, fmt.Errorf("%w: %w", sandbox.ErrUnavailable, err)
	}
	found, err := box.Find(ctx)
	if err != nil {
		return nil, err
	}
	var groupErr error
	found.Cgroups, groupErr = cgroup.Find()
	sweep()
	var o options
	for _, choice := range choices {
		choice(&o)
	}
	b := &Backend{host: found, groupErr: groupErr}
	err = session.ChooseUser(ctx, users(), func(user system.User) (err error) {
		found.User = user
		b.facts, err = session.TryOut(ctx, b, session.Facts{"uid": strconv.Itoa(box.InsideUID), "forks": session.ExactForks})
		return err
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w; %s", sandbox.ErrUnavailable, err, box.Advice())
	}
	b.pool = warm.NewPool(b.host, o.ready, false)
	return b, nil
}

// sweep removes what killed runs of agentd left: cgroups, and processes of a bwrap that was
// killed before its first child had asked to die with it.
func sweep() {
	owner.KillLeft(func(args []string) string {
		if !strings.HasSuffix(args[0], "-"+box.ProcessName) {
			return ""
		}
		return args[0]
	})
	cgroup.Sweep()
}

// users lists the users that scripts may run as, best first. If agentd is root, the second choice
// is root itself: in a user namespace with a single uid, it cannot become nobody, and need not.
func users() []system.User {
	if os.Geteuid() != 0 {
		return []system.User{system.Self()}
	}
	return []system.User{{UID: system.Nobody, GID: system.Nobody}, system.Self()}
}

// Name is the name of this back end in flags and experiments.
func (b *Backend) Name() string { return "bwrap" }

// NewRunner returns a runner with the given limits. It costs nothing before its first
// script.
func (b *Backend) NewRunner(limits sandbox.Limits) (sandbox.Runner, error) {
	r := &runner{host: b.host}
	if b.pool != nil {
		r.warm = b.pool.Scripts()
	}
	var err error
	r.Runner, err = session.NewRunner(r, b.host.User.As, &b.reads, limits)
	return r, err
}

// runner is a session.Engine for one interaction.
type runner struct {
	*session.Runner
	host *box.Host
	warm *warm.Scripts // nil if each script has a sandbox of its own
}

// Start implements session.Engine. It runs a script in the warm interpreter if possible, and
// everything else in a new sandbox.
func (r *runner) Start(ctx context.Context, job session.Job) (session.Process, error) {
	if r.warm != nil && warm.Suits(job) {
		p, err := r.warm.Start(ctx, job)
		if !errors.Is(err, session.ErrLost) {
			return p, err
		}
	}
	return r.host.Open(ctx, job)
}

// End implements session.Engine.
func (r *runner) End() error {
	if r.warm == nil {
		return nil
	}
	return r.warm.End()
}

// Close ends the warm interpreters that no runner has taken.
func (b *Backend) Close() error {
	if b.pool == nil {
		return nil
	}
	return b.pool.Close()
}

// Describe implements sandbox.Backend.
func (b *Backend) Describe() []string {
	lines := []string{
		fmt.Sprintf("bubblewrap %s at %s", b.host.Version, b.host.Program),
		fmt.Sprintf("Python %s at %s, %s", b.facts["python"], b.host.Python, b.facts.Pillow()),
		fmt.Sprintf("scripts run as %s, inside as uid %s without capabilities", b.host.User, b.facts["uid"]),
		fmt.Sprintf("scripts see only: %s", strings.ReplaceAll(b.facts["root"], ",", " ")),
		fmt.Sprintf("network: only its own %s", b.facts["interfaces"]),
		fmt.Sprintf("system calls: filtered, %d refused", len(seccomp.Rules())),
		"disk: /tmp and " + sandbox.Above + " each have a size limit",
	}
	switch groups := b.host.Cgroups; {
	case groups != nil && groups.LimitsCPU():
		return append(lines, fmt.Sprintf("memory, processes and CPU time: limited in sum (%s)", groups.Describe()))
	case groups != nil:
		return append(lines,
			fmt.Sprintf("memory and processes: limited in sum (%s)", groups.Describe()),
			"CPU time: WEAKER, not limited: the controller cpu was not delegated")
	}
	return append(lines,
		"processes: limited in sum",
		"memory: WEAKER, limited for each process, and in sum only by looking 20 times a second",
		"CPU time: WEAKER, not limited",
		fmt.Sprintf("the reason: %v", b.groupErr))
}
