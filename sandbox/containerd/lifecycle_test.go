//go:build linux

package containerd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	versionapi "github.com/containerd/containerd/api/services/version/v1"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"

	"agentd/sandbox"
	"agentd/sandbox/containerd/containerdtest"
	"agentd/sandbox/sandboxtest"
	"agentd/vfs"
)

// Environment of a copy of the test program that plays another part.
const (
	addressVariable = "AGENTD_TEST_ADDRESS" // of the daemon, which is not its own
	victimVariable  = "AGENTD_TEST_VICTIM"  // run a script that has this in its command line, for ever
)

// copyOfItself puts the test program where other users can run it.
func copyOfItself(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp("/tmp", "ctrd-program-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	program, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "containerd.test")
	if err := errors.Join(os.Chmod(folder, 0o755), os.WriteFile(path, program, 0o755), os.Chmod(path, 0o755)); err != nil {
		t.Fatal(err)
	}
	return path
}

// another returns a command that runs a copy of the test program as a user.
func another(t testing.TB, program string, uid, gid uint32, address string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = filepath.Dir(program)
	cmd.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/nonexistent", "TMPDIR=/tmp", addressVariable + "=" + address, sandboxtest.Again}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: gid}}
	return cmd
}

// TestOrdinaryUser runs the attacks, and most other tests, as a user that the
// daemon lets in.
func TestOrdinaryUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("this is one")
	}
	t.Parallel()
	d := theDaemon(t)
	out, err := another(t, copyOfItself(t), 64001, containerdtest.GuestGroup, d.Address, "-test.parallel=2",
		"-test.run=^Test(Attacks|Commands|Scripts|ChangesComeBack|Reads|TheNext.*|TimeOut|Nothing.*|Memory.*|Process.*|Secrets|ReadOnly.*|NoNetwork|SystemCalls|Describe)$").CombinedOutput()
	if err != nil || strings.Contains(string(out), "no tests to run") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestUserWithoutPermission is what most ordinary users meet.
func TestUserWithoutPermission(t *testing.T) {
	if os.Getuid() != 0 {
		_, err := New(t.Context(), Options{})
		checkUnavailable(t, err, "containerd")
		return
	}
	t.Parallel()
	d := theDaemon(t)
	out, err := another(t, copyOfItself(t), 64002, 64002, d.Address, "-test.v", "-test.run=^TestDescribe$").CombinedOutput()
	if err == nil {
		t.Errorf("it worked:\n%s", out)
	}
	for _, want := range []string{sandbox.ErrUnavailable.Error(), "may not connect to containerd", "run agentd as root, or name a group"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
}

// victim is the part of an agentd that is killed.
func victim(address, marker string) {
	b, err := New(context.Background(), Options{Address: address})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	run, err := b.NewRunner(sandbox.DefaultLimits())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	ws, _ := vfs.New(vfs.Files{"a": "1"}, nil)
	for {
		_, err := run.RunPython(context.Background(), ws, sandboxtest.Inside(fmt.Sprintf(
			"import subprocess\nprint('x' * 100)\nsubprocess.run(['/bin/sh', '-c', 'trap \"\" 1 2 15; sleep 1000; :', %q], start_new_session=True)", marker)))
		fmt.Fprintln(os.Stderr, err)
	}
}

// left lists what names made by a process are still in use for.
func left(t *testing.T, b *Backend, pid int) []string {
	t.Helper()
	mine := func(name string) bool {
		parts := strings.Split(name, "-")
		return strings.HasPrefix(name, "agentd-") && len(parts) > 3 && parts[2] == fmt.Sprint(pid)
	}
	var found []string
	containers, err := b.client.Containers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range containers {
		if mine(c.ID()) {
			found = append(found, "container "+c.ID())
		}
	}
	for _, pattern := range []string{"/tmp/agentd-*", "/sys/fs/cgroup/agentd-*", "/sys/fs/cgroup/*/agentd-*", filepath.Join(filepath.Dir(b.options.Address), "state/*/agentd/*")} {
		paths, _ := filepath.Glob(pattern)
		for _, path := range paths {
			if mine(filepath.Base(path)) {
				found = append(found, path)
			}
		}
	}
	mounts, _ := os.ReadFile("/proc/self/mountinfo")
	for line := range strings.Lines(string(mounts)) {
		if strings.Contains(line, fmt.Sprintf("-%d-", pid)) && strings.Contains(line, "agentd-") {
			found = append(found, line)
		}
	}
	return found
}

// Not parallel: the next New would remove what the other tests' victims left.
func TestKilled(t *testing.T) {
	b := backend(t)
	program := copyOfItself(t)
	for name, wait := range map[string]time.Duration{"in a script": -1, "early": 60 * time.Millisecond, "starting": 150 * time.Millisecond, "later": 400 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			marker := fmt.Sprintf("agentd-victim-%d", time.Now().UnixNano())
			cmd := another(t, program, 0, 0, b.options.Address)
			cmd.Env = append(cmd.Env, victimVariable+"="+marker)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if wait < 0 {
				sandboxtest.Eventually(t, "the script runs", func() bool { return running(marker) })
			} else {
				time.Sleep(wait)
			}
			pid := cmd.Process.Pid
			cmd.Process.Kill()
			cmd.Wait()
			sandboxtest.Eventually(t, "the script is gone", func() bool { return !running(marker) })
			next, err := New(t.Context(), Options{Address: b.options.Address})
			if err != nil {
				t.Fatal(err)
			}
			defer next.Close()
			if found := left(t, b, pid); len(found) > 0 {
				t.Errorf("left behind:\n%s", strings.Join(found, "\n"))
			}
		})
	}
}

// A live process's containers are not touched by another's New.
func TestTheLivingAreLeftAlone(t *testing.T) {
	t.Parallel()
	b := backend(t)
	run, ws := newRunner(t, nil), sandboxtest.Workspace(t, nil)
	sandboxtest.MustRun(t, run, ws, "")
	other, err := New(t.Context(), Options{Address: b.options.Address})
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Close(); err != nil {
		t.Error(err)
	}
	if got := sandboxtest.MustRun(t, run, ws, "import os; print(os.getpid() > 5)"); got.Stdout != "True\n" {
		t.Errorf("the container is another: %+v", got)
	}
}

func checkUnavailable(t *testing.T, err error, parts ...string) {
	t.Helper()
	if !errors.Is(err, sandbox.ErrUnavailable) {
		t.Errorf("got %v", err)
		return
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is missing in: %v", part, err)
		}
	}
}

// oldDaemon answers as one of another version would.
type oldDaemon struct {
	versionapi.UnimplementedVersionServer
	version string
}

func (d oldDaemon) Version(context.Context, *emptypb.Empty) (*versionapi.VersionResponse, error) {
	return &versionapi.VersionResponse{Version: d.version}, nil
}

func TestDaemonsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	try := func(address string) error {
		b, err := New(t.Context(), Options{Address: address})
		if err == nil {
			b.Close()
		}
		return err
	}
	checkUnavailable(t, try(filepath.Join(folder, "none")), "there is no containerd at", "apt-get install containerd runc", "systemctl start containerd")

	dead := filepath.Join(folder, "dead")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: dead})
	if err != nil {
		t.Fatal(err)
	}
	listener.SetUnlinkOnClose(false)
	listener.Close()
	checkUnavailable(t, try(dead), "does not run", "systemctl start containerd")

	old := filepath.Join(folder, "old")
	if listener, err = net.ListenUnix("unix", &net.UnixAddr{Name: old}); err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	versionapi.RegisterVersionServer(server, oldDaemon{version: "1.4.13~ds1"})
	go server.Serve(listener)
	defer server.Stop()
	checkUnavailable(t, try(old), "1.4.13~ds1 is too old", "1.6 or later")

	mute := filepath.Join(folder, "mute")
	if listener, err = net.ListenUnix("unix", &net.UnixAddr{Name: mute}); err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			io.WriteString(conn, "SSH-2.0-OpenSSH\r\n")
			conn.Close()
		}
	}()
	checkUnavailable(t, try(mute), "containerd at")
}

func TestOptionsThatCannotBeHad(t *testing.T) {
	t.Parallel()
	d := theDaemon(t)
	_, err := New(t.Context(), Options{Address: d.Address, Runtime: "io.containerd.nothing.v1"})
	checkUnavailable(t, err, "nothing")
	_, err = New(t.Context(), Options{Address: d.Address, Image: "not an image"})
	checkUnavailable(t, err, "neither a file nor the name of an image")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = New(ctx, Options{Address: d.Address}); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	for version, fine := range map[string]bool{
		"1.6.20~ds1": true, "v2.4.2": true, "2.0.0-rc.1": true, "1.7": true, "dev": true, "": true,
		"1.5.9": false, "v1.4.13~ds1": false, "0.2.1": false,
	} {
		if err := recentEnough(version); (err == nil) != fine {
			t.Errorf("%q: %v", version, err)
		}
	}
}
