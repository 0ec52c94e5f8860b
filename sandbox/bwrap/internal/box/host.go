//go:build linux

package box

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/sys/unix"

	"agentd/sandbox"
	"agentd/sandbox/internal/cgroup"
	"agentd/sandbox/internal/seccomp"
	"agentd/sandbox/internal/system"
)

const install = "install it with: apt-get install bubblewrap python3"

// Host is the part of this machine that sandboxes need: programs, mounts, user and cgroups.
type Host struct {
	Program string // path of bwrap
	Version string // of bwrap, such as 0.8.0
	Python  string // path of the interpreter, here and in the sandbox
	Filter  []byte // of system calls
	User    system.User
	Cgroups *cgroup.Parent // where cgroups are made; nil if none can be made

	prlimit string   // path of the program that sets limits, here and in the sandbox
	mounts  []string // bwrap's options for the read-only system
}

// Find looks for the programs and determines the mounts of the read-only system. The caller sets
// User and Cgroups.
func Find(ctx context.Context) (*Host, error) {
	bwrap, err := exec.LookPath("bwrap")
	if err != nil {
		return nil, fmt.Errorf("%w: bwrap (bubblewrap) is not installed; %s", sandbox.ErrUnavailable, install)
	}
	out, err := exec.CommandContext(ctx, bwrap, "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s --version: %w", sandbox.ErrUnavailable, bwrap, err)
	}
	python, err := system.Program("Python interpreter", "/usr/bin/python3", "/usr/local/bin/python3")
	if err != nil {
		return nil, fmt.Errorf("%w: %w; %s", sandbox.ErrUnavailable, err, install)
	}
	prlimit, err := system.Program("prlimit", "/usr/bin/prlimit", "/bin/prlimit")
	if err != nil {
		return nil, fmt.Errorf("%w: %w; install it with: apt-get install util-linux", sandbox.ErrUnavailable, err)
	}
	h := &Host{Program: bwrap, Python: python, prlimit: prlimit, mounts: systemMounts()}
	h.Version = strings.TrimPrefix(strings.TrimSpace(string(out)), "bubblewrap ")
	if recent, _ := system.AtLeast(h.Version, 0, 7); !recent {
		return nil, fmt.Errorf("%w: bubblewrap %s cannot limit the disk space of scripts; 0.7 or later is needed", sandbox.ErrUnavailable, h.Version)
	}
	// Sandboxes must not inherit files that agentd's parent left open. Files that Go opens are
	// never inherited.
	if err := unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return nil, fmt.Errorf("%w: keeping open files to agentd: %w; Linux 5.14 or later is needed", sandbox.ErrUnavailable, err)
	}
	h.Filter, err = seccomp.Program()
	return h, err
}

// systemMounts returns bwrap's options for the read-only system.
func systemMounts() []string {
	var mounts []string
	for _, part := range system.Parts() {
		if part.Link != "" {
			mounts = append(mounts, "--symlink", part.Link, part.Path)
		} else {
			mounts = append(mounts, "--ro-bind", part.Path, part.Path)
		}
	}
	return mounts
}

// Advice says what keeps bwrap from working, going by the kernel's settings.
func Advice() string {
	for _, setting := range []struct{ file, forbids, allow string }{
		{"kernel/unprivileged_userns_clone", "0", "1"},
		{"user/max_user_namespaces", "0", "10000"},
		{"kernel/apparmor_restrict_unprivileged_userns", "1", "0"},
	} {
		value, err := os.ReadFile("/proc/sys/" + setting.file)
		if err == nil && strings.TrimSpace(string(value)) == setting.forbids {
			name := strings.ReplaceAll(setting.file, "/", ".")
			return fmt.Sprintf("unprivileged user namespaces are off; allow them with: sysctl -w %s=%s", name, setting.allow)
		}
	}
	return "it needs unprivileged user namespaces, Linux 5.14 or later and a temporary folder (TMPDIR) that every user can reach; " +
		"in Docker, run the container as an ordinary user with " +
		"--security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined"
}
