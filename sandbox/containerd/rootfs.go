package containerd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/opencontainers/runtime-spec/specs-go"
)

// Where things are inside of a container.
const (
	scriptAt = "/run/script.py"
	siteAt   = "/run/site" // see keeper.py
)

// devices are all that scripts find in /dev, besides links.
var devices = []string{"null", "zero", "full", "random", "urandom"}

// deviceLinks are the links in /dev. Semaphores of multiprocessing lie in shm.
var deviceLinks = map[string]string{
	"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2",
	"shm": "/tmp",
}

// mountPoints are the folders that every root file system must have, with
// their permissions: the runtime makes none, since the root is read-only, and
// not its own in a user namespace. runc gives a tmpfs the permissions of what it
// is mounted on.
var mountPoints = map[string]os.FileMode{
	"proc": 0o755, "dev": 0o755, "run": 0o755, "tmp": 0o777 | os.ModeSticky, "work": 0o755,
	"agent": 0o755, // empty but for commands that bring files along
}

// system is what a container's root file system is made of.
type system struct {
	root   string        // path of the root file system, "" for that of an image
	mounts []specs.Mount // of the host's folders, for a root that is not of an image
	python string        // path of the interpreter inside
	path   string        // the variable PATH inside
}

// hostSystem makes an empty root file system in a folder, onto which the
// host's /usr and what belongs to it are mounted.
func hostSystem(folder string) (*system, error) {
	python, err := findProgram("/usr/bin/python3", "/usr/local/bin/python3")
	if err != nil {
		return nil, err
	}
	s := &system{root: filepath.Join(folder, baseName), python: python, path: "/usr/local/bin:/usr/bin:/bin"}
	if err := s.lay("usr", true); err != nil {
		return nil, err
	}
	// Folders of their own on some systems, links into /usr on others.
	for _, name := range []string{"bin", "sbin", "lib", "lib32", "lib64", "libx32"} {
		target, linkErr := os.Readlink("/" + name)
		info, statErr := os.Stat("/" + name)
		switch {
		case linkErr == nil:
			err = os.Symlink(target, filepath.Join(s.root, name))
		case statErr == nil && info.IsDir():
			err = s.lay(name, true)
		}
		if err != nil {
			return nil, err
		}
	}
	// The two things in /etc that programs in /usr are reached through.
	if err := makeFolders(filepath.Join(s.root, "etc"), 0o755); err != nil {
		return nil, err
	}
	for name, isFolder := range map[string]bool{"etc/ld.so.cache": false, "etc/alternatives": true} {
		if _, err := os.Stat("/" + name); err == nil {
			if err := s.lay(name, isFolder); err != nil {
				return nil, err
			}
		}
	}
	for name, mode := range mountPoints {
		if err := makeFolders(filepath.Join(s.root, name), mode); err != nil {
			return nil, err
		}
	}
	return s, os.Chmod(s.root, 0o755)
}

// makeFolders makes a folder, and those above it if need be. It has the
// permissions wanted, whatever agentd's umask is.
func makeFolders(at string, mode os.FileMode) error {
	return errors.Join(os.MkdirAll(at, 0o755), os.Chmod(at, mode))
}

// lay mounts a folder or file of the host at its own path.
func (s *system) lay(name string, isFolder bool) error {
	at := filepath.Join(s.root, name)
	s.mounts = append(s.mounts, bind("/"+name, "/"+name, "ro"))
	if isFolder {
		return makeFolders(at, 0o755)
	}
	return errors.Join(makeFolders(filepath.Dir(at), 0o755), touch(at))
}

// makeDevices makes the folder that is mounted at /dev.
func makeDevices(folder string) error {
	if err := makeFolders(folder, 0o755); err != nil {
		return err
	}
	for _, name := range devices {
		if err := touch(filepath.Join(folder, name)); err != nil {
			return err
		}
	}
	for name, target := range deviceLinks {
		if err := os.Symlink(target, filepath.Join(folder, name)); err != nil {
			return err
		}
	}
	return nil
}

func touch(name string) error {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	return file.Close()
}

// bind returns a mount of something on the host, "ro" or "rw".
func bind(source, destination, access string) specs.Mount {
	options := []string{"rbind", "nosuid", access}
	if !strings.HasPrefix(destination, "/dev/") {
		options = append(options, "nodev")
	}
	return specs.Mount{Type: "bind", Source: source, Destination: destination, Options: options}
}

// findProgram returns the first candidate that is a program of the system once
// its links are resolved. Those elsewhere (of pyenv, conda, a user's home) are
// not used: the container does not hold them.
func findProgram(candidates ...string) (string, error) {
	for _, candidate := range candidates {
		real, err := filepath.EvalSymlinks(candidate)
		if err != nil || !strings.HasPrefix(real, "/usr/") && !strings.HasPrefix(real, "/bin/") {
			continue
		}
		if info, err := os.Stat(real); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return candidate, nil
		}
	}
	return "", fmt.Errorf("no Python interpreter at %s; install it with: apt-get install python3, or use an image that has one",
		strings.Join(candidates, " or "))
}
