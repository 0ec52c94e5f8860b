package bwrap

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"agentd/sandbox"
)

const install = "install it with: apt-get install bubblewrap python3"

// nobody is who scripts run as where agentd runs as root.
const nobody = 65534

// host is what New found on this machine.
type host struct {
	bwrap   string // path of the program
	version string // of bwrap, such as 0.8.0
	python  string // path of the interpreter, here and in the sandbox
	prlimit string // path of the program that sets limits, likewise
	mounts  []string
}

// identity is the user that bwrap runs as. The zero value is agentd's own.
type identity struct{ *syscall.Credential }

// identities lists whom scripts may run as, best first. The second choice of
// root is for a root that is not the real one, as in a user namespace with a
// single uid: there it cannot become nobody, and need not.
func identities() []identity {
	if os.Geteuid() != 0 {
		return []identity{{}}
	}
	return []identity{{&syscall.Credential{Uid: nobody, Gid: nobody}}, {}}
}

// do calls f with the rights of the identity over files, and only those: what
// lies in a sandbox belongs to it, and cannot even be made by root.
func (who identity) do(f func() error) error {
	if who.Credential == nil {
		return f()
	}
	runtime.LockOSThread()
	uid, gid := os.Geteuid(), os.Getegid()
	errs := []error{unix.Setfsgid(int(who.Gid)), unix.Setfsuid(int(who.Uid))}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	failed := f()
	errs = []error{unix.Setfsuid(uid), unix.Setfsgid(gid)}
	if err := errors.Join(errs...); err != nil {
		return errors.Join(failed, err) // and the thread is never used again
	}
	runtime.UnlockOSThread()
	return failed
}

func userName(who identity) string {
	if who.Credential == nil {
		return "agentd's own user"
	}
	return fmt.Sprintf("uid %d", who.Uid)
}

// findHost looks for the programs and lays out the read-only system.
func findHost(ctx context.Context) (*host, error) {
	bwrap, err := exec.LookPath("bwrap")
	if err != nil {
		return nil, fmt.Errorf("%w: bwrap (bubblewrap) is not installed; %s", sandbox.ErrUnavailable, install)
	}
	out, err := exec.CommandContext(ctx, bwrap, "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s --version: %w", sandbox.ErrUnavailable, bwrap, err)
	}
	python, err := findProgram("Python interpreter", "/usr/bin/python3", "/usr/local/bin/python3")
	if err != nil {
		return nil, fmt.Errorf("%w: %w; %s", sandbox.ErrUnavailable, err, install)
	}
	prlimit, err := findProgram("prlimit", "/usr/bin/prlimit", "/bin/prlimit")
	if err != nil {
		return nil, fmt.Errorf("%w: %w; install it with: apt-get install util-linux", sandbox.ErrUnavailable, err)
	}
	h := &host{bwrap: bwrap, python: python, prlimit: prlimit, mounts: systemMounts()}
	h.version = strings.TrimPrefix(strings.TrimSpace(string(out)), "bubblewrap ")
	if !atLeast(h.version, 0, 7) {
		return nil, fmt.Errorf("%w: bubblewrap %s cannot limit the disk space of scripts; 0.7 or later is needed", sandbox.ErrUnavailable, h.version)
	}
	return h, nil
}

// findProgram returns the first candidate that is a program of the system once
// its links are resolved. Those elsewhere (of pyenv, conda, a user's home) are
// not used: the sandbox does not contain them.
func findProgram(what string, candidates ...string) (string, error) {
	for _, candidate := range candidates {
		real, err := filepath.EvalSymlinks(candidate)
		if err != nil || !strings.HasPrefix(real, "/usr/") && !strings.HasPrefix(real, "/bin/") {
			continue
		}
		if info, err := os.Stat(real); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return candidate, nil
		}
	}
	return "", fmt.Errorf("no %s at %s", what, strings.Join(candidates, " or "))
}

// systemMounts returns the bwrap arguments for the read-only system: /usr, the
// folders that are links into it on a merged-usr system and folders of their
// own on others, and the two things in /etc that programs in /usr are reached
// through.
func systemMounts() []string {
	mounts := []string{"--ro-bind", "/usr", "/usr"}
	for _, dir := range []string{"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"} {
		if target, err := os.Readlink(dir); err == nil {
			mounts = append(mounts, "--symlink", target, dir)
		} else if info, err := os.Stat(dir); err == nil && info.IsDir() {
			mounts = append(mounts, "--ro-bind", dir, dir)
		}
	}
	for _, file := range []string{"/etc/ld.so.cache", "/etc/alternatives"} {
		if _, err := os.Stat(file); err == nil {
			mounts = append(mounts, "--ro-bind", file, file)
		}
	}
	return mounts
}

// atLeast reports whether a version like 0.8.0 is major.minor or later.
func atLeast(version string, major, minor int) bool {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return false
	}
	gotMajor, err1 := strconv.Atoi(parts[0])
	gotMinor, err2 := strconv.Atoi(parts[1])
	if err := errors.Join(err1, err2); err != nil {
		return false
	}
	return gotMajor > major || gotMajor == major && gotMinor >= minor
}

// advice says what keeps bwrap from working, going by the kernel's settings.
func advice() string {
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
