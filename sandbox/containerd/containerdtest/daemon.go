// Package containerdtest starts a containerd for tests.
package containerdtest

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// Daemon is a containerd that the tests have started.
type Daemon struct {
	Address string // its socket
	folder  string
	process *exec.Cmd
	log     bytes.Buffer
}

// GuestGroup is the ID of a group whose members may connect to the daemon.
const GuestGroup = 64123

// ErrNotRoot is the error of Start for ordinary users.
var ErrNotRoot = errors.New("starting containerd and runc takes root")

// Start starts a daemon that keeps all its data in a temporary folder. Stop ends it.
func Start() (*Daemon, error) {
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
		return nil, ErrNotRoot
	}
	folder, err := os.MkdirTemp("/tmp", "ctrd-test-")
	if err != nil {
		return nil, err
	}
	d := &Daemon{folder: folder, Address: filepath.Join(folder, "containerd.sock")}
	config := fmt.Sprintf("version = 2\n"+
		"disabled_plugins = [\"io.containerd.grpc.v1.cri\", \"io.containerd.internal.v1.opt\"]\n"+
		"[grpc]\n  gid = %d\n", GuestGroup)
	if err := os.Chmod(folder, 0o711); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(folder, "config.toml"), []byte(config), 0o600); err != nil {
		return nil, err
	}
	d.process = exec.Command(program, "--root", filepath.Join(folder, "root"), "--state", filepath.Join(folder, "state"),
		"--address", d.Address, "--config", filepath.Join(folder, "config.toml"))
	d.process.Stdout, d.process.Stderr = &d.log, &d.log
	d.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // not our terminal's signals
	d.process.Env = append(os.Environ(), "PATH="+filepath.Dir(program)+":/usr/sbin:"+os.Getenv("PATH"))
	if err := d.process.Start(); err != nil {
		return nil, err
	}
	for range 200 {
		if conn, err := net.Dial("unix", d.Address); err == nil {
			return d, conn.Close()
		}
		time.Sleep(50 * time.Millisecond)
	}
	d.Stop()
	return nil, fmt.Errorf("containerd does not start:\n%s", d.log.String())
}

// installed returns the path of a program, which may be in a folder that only root searches.
func installed(program string) (string, error) {
	if path, err := exec.LookPath("/usr/sbin/" + program); err == nil {
		return path, nil
	}
	return exec.LookPath(program)
}

// Stop ends the daemon and removes what it has left.
func (d *Daemon) Stop() error {
	if d.process == nil { // another process has started it
		return nil
	}
	d.process.Process.Signal(syscall.SIGTERM)
	d.process.Wait()
	return os.RemoveAll(d.folder)
}
