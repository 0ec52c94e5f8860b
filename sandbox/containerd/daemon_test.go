//go:build linux

package containerd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentd/sandbox"
	"agentd/sandbox/sandboxtest"
)

// testDaemon is a containerd of the tests' own.
type testDaemon struct {
	folder, address string
	process         *exec.Cmd
	log             bytes.Buffer
}

// guestGroup may connect to the tests' daemon.
const guestGroup = 64123

var errNotRoot = errors.New("starting containerd and runc takes root")

// startDaemon starts a daemon that keeps all it has in a temporary folder.
func startDaemon() (*testDaemon, error) {
	if address := os.Getenv(addressVariable); address != "" {
		return &testDaemon{address: address}, nil
	}
	program := os.Getenv("AGENTD_TEST_CONTAINERD") // to test with another version
	if program == "" {
		program = "containerd"
	}
	program, err := installed(program)
	if err == nil {
		_, err = installed("runc")
	}
	if err != nil {
		return nil, fmt.Errorf("these tests need a containerd daemon: %w; apt-get install containerd runc", err)
	}
	if os.Geteuid() != 0 {
		return nil, errNotRoot
	}
	folder, err := os.MkdirTemp("/tmp", "ctrd-test-")
	if err != nil {
		return nil, err
	}
	d := &testDaemon{folder: folder, address: filepath.Join(folder, "containerd.sock")}
	config := fmt.Sprintf("version = 2\n"+
		"disabled_plugins = [\"io.containerd.grpc.v1.cri\", \"io.containerd.internal.v1.opt\"]\n"+
		"[grpc]\n  gid = %d\n", guestGroup)
	if err := os.Chmod(folder, 0o711); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(folder, "config.toml"), []byte(config), 0o600); err != nil {
		return nil, err
	}
	d.process = exec.Command(program, "--root", filepath.Join(folder, "root"), "--state", filepath.Join(folder, "state"),
		"--address", d.address, "--config", filepath.Join(folder, "config.toml"))
	d.process.Stdout, d.process.Stderr = &d.log, &d.log
	d.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // not our terminal's signals
	d.process.Env = append(os.Environ(), "PATH="+filepath.Dir(program)+":/usr/sbin:"+os.Getenv("PATH"))
	if err := d.process.Start(); err != nil {
		return nil, err
	}
	for range 200 {
		if conn, err := net.Dial("unix", d.address); err == nil {
			return d, conn.Close()
		}
		time.Sleep(50 * time.Millisecond)
	}
	d.stop()
	return nil, fmt.Errorf("containerd does not start:\n%s", d.log.String())
}

// installed returns the path of a program, which may lie where only root looks.
func installed(program string) (string, error) {
	if path, err := exec.LookPath("/usr/sbin/" + program); err == nil {
		return path, nil
	}
	return exec.LookPath(program)
}

func (d *testDaemon) stop() error {
	if d.process == nil {
		return nil
	}
	d.process.Process.Signal(syscall.SIGTERM)
	d.process.Wait()
	return os.RemoveAll(d.folder)
}

var (
	daemon = sync.OnceValues(startDaemon)
	shared = sync.OnceValues(func() (*Backend, error) {
		d, err := daemon()
		if err != nil {
			return nil, err
		}
		return New(context.Background(), Options{Address: d.address})
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
		if err := d.stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	return code
}

// theDaemon returns the tests' daemon. Only root can start one; what an ordinary
// user meets instead, TestUserWithoutPermission checks.
func theDaemon(t testing.TB) *testDaemon {
	t.Helper()
	d, err := daemon()
	if errors.Is(err, errNotRoot) {
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
