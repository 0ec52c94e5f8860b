//go:build linux

package containerd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"agentd/sandbox"
	"agentd/sandbox/containerd/containerdtest"
	"agentd/sandbox/sandboxtest"
)

// startDaemon starts a daemon, or returns that of the process that has started this one.
func startDaemon() (*containerdtest.Daemon, error) {
	if address := os.Getenv(addressVariable); address != "" {
		return &containerdtest.Daemon{Address: address}, nil
	}
	return containerdtest.Start()
}

var (
	daemon = sync.OnceValues(startDaemon)
	shared = sync.OnceValues(func() (*Backend, error) {
		d, err := daemon()
		if err != nil {
			return nil, err
		}
		return New(context.Background(), Options{Address: d.Address})
	})
)

// TestMain stops what the tests started, and then looks for what is left.
func TestMain(m *testing.M) {
	if marker := os.Getenv(victimVariable); marker != "" {
		victim(os.Getenv(addressVariable), marker)
	}
	goleak.VerifyTestMain(testsWithDaemon{m})
}

type testsWithDaemon struct{ *testing.M }

func (t testsWithDaemon) Run() int {
	code := t.M.Run()
	if d, err := daemon(); err == nil {
		if b, err := shared(); err == nil {
			if err := b.Close(); err != nil {
				fmt.Fprintln(os.Stderr, err)
				code = 1
			}
		}
		if err := d.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	return code
}

// theDaemon returns the tests' daemon. Only root can start one; what an ordinary
// user meets instead, TestUserWithoutPermission checks.
func theDaemon(t testing.TB) *containerdtest.Daemon {
	t.Helper()
	d, err := daemon()
	if errors.Is(err, containerdtest.ErrNotRoot) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func backend(t testing.TB) *Backend {
	t.Helper()
	theDaemon(t)
	b, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// newRunner returns a runner with default limits, changed by adjust.
func newRunner(t testing.TB, adjust func(*sandbox.Limits)) sandbox.Runner {
	t.Helper()
	return sandboxtest.NewRunner(t, backend(t), adjust)
}
