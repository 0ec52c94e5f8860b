//go:build linux

// Package system is what sandboxes show of the host's system to scripts: programs, folders,
// the environment, and the user that scripts run as.
package system

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"

	"agentd/sandbox"
)

// Where scripts, and what Python imports first, lie in a sandbox.
const (
	ScriptAt = "/run/script.py"
	SiteAt   = "/run/site"
)

// Path is the variable PATH where the host's system is shown.
const Path = "/usr/local/bin:/usr/bin:/bin"

// Environment is all that a script finds in os.environ except for PWD, as name and value.
func Environment(path string) [][2]string {
	return [][2]string{
		{"PATH", path},
		{"HOME", "/tmp"},
		{"LANG", "C.UTF-8"},
		// The script does not lie in a folder that it can write to, so this is how it
		// imports modules that do. Those that every interpreter imports as it starts
		// must not be planted there, so they are found before.
		{"PYTHONPATH", SiteAt + ":" + sandbox.Workspace + ":" + sandbox.Above},
		{"PYTHONDONTWRITEBYTECODE", "1"}, // or they would leave a __pycache__
		{"PYTHONHASHSEED", "0"},          // the same script does the same again
		// glibc and BLAS would reserve much address space for each thread or core,
		// and address space is limited.
		{"MALLOC_ARENA_MAX", "2"},
		{"OPENBLAS_NUM_THREADS", "1"},
		{"OMP_NUM_THREADS", "1"},
	}
}

// Devices are all that scripts find in /dev, except for links.
var Devices = [...]string{"null", "zero", "full", "random", "urandom"}

// DeviceLinks are the links in /dev, as name and target. Semaphores of multiprocessing
// lie in shm.
var DeviceLinks = [...][2]string{
	{"fd", "/proc/self/fd"}, {"stdin", "/proc/self/fd/0"}, {"stdout", "/proc/self/fd/1"}, {"stderr", "/proc/self/fd/2"},
	{"shm", "/tmp"},
}

// Part is a part of the host's system that scripts see, read-only.
type Part struct {
	Path   string
	Link   string // what it links to; "" for a folder or file
	Folder bool
}

// Parts are /usr, the folders that are links into it on a merged-usr system, and the two
// entries of /etc that programs in /usr need.
func Parts() []Part {
	var parts []Part
	for _, path := range []string{
		"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/ld.so.cache", "/etc/alternatives",
	} {
		if target, err := os.Readlink(path); err == nil {
			parts = append(parts, Part{Path: path, Link: target})
		} else if info, err := os.Stat(path); err == nil {
			parts = append(parts, Part{Path: path, Folder: info.IsDir()})
		}
	}
	return parts
}

// Program returns the first candidate that is a program of the system once its links are
// resolved. Programs elsewhere (of pyenv, conda, a user's home) are not in the sandbox.
func Program(what string, candidates ...string) (string, error) {
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

// AtLeast reports whether a version such as 0.8.0 is major.minor or later, and whether it is
// a version at all.
func AtLeast(version string, major, minor int) (atLeast, known bool) {
	var gotMajor, gotMinor int
	read, _ := fmt.Sscanf(strings.TrimPrefix(version, "v"), "%d.%d", &gotMajor, &gotMinor)
	return gotMajor > major || gotMajor == major && gotMinor >= minor, read == 2
}

// Nobody is the number of the user that scripts run as where agentd runs as root.
const Nobody = 65534

// User is who scripts run as, seen from the host.
type User struct{ UID, GID int }

// Self is the user that agentd runs as.
func Self() User { return User{os.Geteuid(), os.Getegid()} }

// As calls f with the user's rights over files: what lies in a sandbox belongs to that user,
// and not even root could make files there.
func (u User) As(f func() error) error {
	self := Self()
	if u == self {
		return f()
	}
	runtime.LockOSThread() // it holds for this thread alone
	errs := []error{unix.Setfsgid(u.GID), unix.Setfsuid(u.UID)}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	failed := f()
	errs = []error{unix.Setfsuid(self.UID), unix.Setfsgid(self.GID)}
	if err := errors.Join(errs...); err != nil {
		return errors.Join(failed, err) // and the thread is never used again
	}
	runtime.UnlockOSThread()
	return failed
}

func (u User) String() string {
	if u == Self() {
		return "agentd's own user"
	}
	return fmt.Sprintf("uid %d", u.UID)
}
