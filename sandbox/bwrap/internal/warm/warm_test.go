//go:build linux

package warm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentd/sandbox"
	"agentd/sandbox/bwrap/internal/box"
	"agentd/sandbox/internal/cgroup"
	"agentd/sandbox/internal/passing"
	"agentd/sandbox/internal/reads"
	"agentd/sandbox/internal/session"
	"agentd/sandbox/internal/system"
	"agentd/sandbox/sandboxtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var found = sync.OnceValues(func() (*box.Host, error) {
	host, err := box.Find(context.Background())
	if err != nil {
		return nil, err
	}
	host.User = system.Self()
	if os.Geteuid() == 0 {
		host.User = system.User{UID: system.Nobody, GID: system.Nobody}
	}
	host.Cgroups, _ = cgroup.Find() // limits are no matter here
	return host, nil
})

func newPool(t testing.TB, size int) *Pool {
	t.Helper()
	host, err := found()
	if err != nil {
		t.Fatal(err)
	}
	p := NewPool(host, size, false)
	t.Cleanup(func() {
		if err := p.Close(); err != nil || len(p.ready) != 0 {
			t.Errorf("%v, %d are ready", err, len(p.ready))
		}
	})
	return p
}

// newRunner returns a runner with interpreters of the pool. Its engine is closed with it.
func newRunner(t testing.TB, p *Pool) (sandbox.Runner, *Scripts) {
	t.Helper()
	e := p.Scripts()
	run, err := session.NewRunner(e, p.host.User.As, &reads.Pool{}, sandbox.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := run.Close(); err != nil {
			t.Error(err)
		}
	})
	return run, e
}

func prints1(t *testing.T, run sandbox.Runner, code string) {
	t.Helper()
	if got := sandboxtest.MustRun(t, run, sandboxtest.Workspace(t, nil), code); got.Stdout != "1\n" || got.ExitCode != 0 {
		t.Errorf("got %+v", got)
	}
}

// What goes wrong with an interpreter or a zygote is told as such, and the next script
// has another.
func TestLost(t *testing.T) {
	t.Parallel()
	p := newPool(t, 2)
	run, e := newRunner(t, p)
	prints1(t, run, "print(1)")

	spoiled := e.Current
	if err := passing.Send(spoiled.connection, "no size"); err != nil { // for the next workspace
		t.Fatal(err)
	}
	prints1(t, run, "print(1)") // the second time
	if e.Current == spoiled {
		t.Error("the interpreter was not replaced")
	}

	z := p.zygote
	time.AfterFunc(300*time.Millisecond, z.box.Kill)
	prints1(t, run, "import time; time.sleep(1); print(1)")
	prints1(t, run, "print(1)")
	if p.zygote == z {
		t.Error("the zygote was not replaced")
	}

	host := *p.host
	host.Python = "/bin/false"
	broken := NewPool(&host, 0, false)
	defer broken.Close()
	if _, err := broken.take(sandbox.DefaultLimits()); !errors.Is(err, session.ErrLost) {
		t.Errorf("with no Python: %v", err)
	}
}

// The next script is prepared for before it comes only while interpreters are few. In
// any case the last one's files take no memory any more.
func TestPreparedAhead(t *testing.T) {
	t.Parallel()
	p := newPool(t, 0)
	run, e := newRunner(t, p)
	for _, others := range []int32{0, 1000, 0} {
		if e.Current != nil {
			e.Current.zygote.forks.Store(1 + others)
		}
		prints1(t, run, "print(1)")
		if e.Current.asked != (others == 0) {
			t.Errorf("beside %d, the next is prepared: %v", others, e.Current.asked)
		}
		if others > 0 {
			sandboxtest.Eventually(t, "its files are gone", func() bool {
				return !strings.Contains(mountsOf(t, e.Current), " "+sandbox.Above+" ")
			})
		}
	}
	z := e.Current.zygote
	z.forks.Store(1)
	if err := run.Close(); err != nil || z.forks.Load() != 0 {
		t.Errorf("%d are left: %v", z.forks.Load(), err)
	}
}

func mountsOf(t *testing.T, w *Interpreter) string {
	t.Helper()
	mounts, err := os.ReadFile(fmt.Sprintf("/proc/%d/mountinfo", processID(w.pidfd)))
	if err != nil {
		t.Fatal(err)
	}
	return string(mounts)
}

func TestPool(t *testing.T) {
	t.Parallel()
	p := newPool(t, 2)
	for range 3 {
		run, _ := newRunner(t, p)
		prints1(t, run, "import sys; print(1); sys.path.append('left')")
		if err := run.Close(); err != nil {
			t.Error(err)
		}
		p.filling.Wait()
		if len(p.ready) != 2 {
			t.Errorf("%d are ready", len(p.ready))
		}
	}
}

// alone has a sandbox built for each script.
type alone struct{ host *box.Host }

func (a alone) Start(ctx context.Context, job session.Job) (session.Process, error) {
	return a.host.Open(ctx, job)
}

func (a alone) End() error { return nil }

// BenchmarkFirst is the first script of a runner: with a sandbox for it alone,
// with an interpreter started for the runner, and with one from the pool.
func BenchmarkFirst(b *testing.B) {
	own, pooled := newPool(b, 0), newPool(b, 4)
	script := sandboxtest.BenchScripts[0]
	first := func(start func() session.Engine) func() time.Duration {
		return func() time.Duration {
			pooled.filling.Wait()
			run, err := session.NewRunner(start(), own.host.User.As, &reads.Pool{}, sandbox.DefaultLimits())
			if err != nil {
				b.Fatal(err)
			}
			defer run.Close()
			return script.Timed(b, run)()
		}
	}
	sandboxtest.InTurns(b, map[string]func() time.Duration{
		"alone-ms":  first(func() session.Engine { return alone{own.host} }),
		"own-ms":    first(func() session.Engine { return own.Scripts() }),
		"pooled-ms": first(func() session.Engine { return pooled.Scripts() }),
	})
}
