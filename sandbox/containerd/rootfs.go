//go:build linux

package containerd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/opencontainers/runtime-spec/specs-go"

	"agentd/sandbox/internal/system"
)

// mountPoints are the folders that every root file system must have, with their permissions. runc
// gives these permissions to a tmpfs mounted there. The runtime cannot make the folders: the root
// is read-only and, in a user namespace, belongs to another user.
var mountPoints = map[string]os.FileMode{
	"proc": 0o755, "dev": 0o755, "run": 0o755, "tmp": 0o777 | os.ModeSticky, "work": 0o755,
	"agent": 0o755, // empty except for commands that bring files
}

// files describes a container's root file system.
type files struct {
	root   string        // path of the root file system, "" for that of an image
	mounts []specs.Mount // mounts of the host's folders; none for an image
	python string        // path of the interpreter inside
	path   string        // the variable PATH inside
}

// hostFiles makes an empty root file system in a folder, onto which the host's system is
// mounted.
func hostFiles(folder string) (*files, error) {
	python, err := system.Program("Python interpreter", "/usr/bin/python3", "/usr/local/bin/python3")
	if err != nil {
		return nil, fmt.Errorf("%w; install it with: apt-get install python3, or use an image that has one", err)
	}
	f := &files{root: filepath.Join(folder, baseName), python: python, path: system.Path}
	for _, part := range system.Parts() {
		if err := f.mount(part); err != nil {
			return nil, err
		}
	}
	for name, mode := range mountPoints {
		if err := makeFolders(filepath.Join(f.root, name), mode); err != nil {
			return nil, err
		}
	}
	return f, os.Chmod(f.root, 0o755)
}

// mount mounts a part of the host's system at its own path.
func (f *files) mount(part system.Part) error {
	at := filepath.Join(f.root, part.Path)
	if err := makeFolders(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	if part.Link != "" {
		return os.Symlink(part.Link, at)
	}
	f.mounts = append(f.mounts, bind(part.Path, part.Path, "ro"))
	if part.Folder {
		return makeFolders(at, 0o755)
	}
	return touch(at)
}

// makeFolders makes a folder and its parents. It sets the folder's permissions regardless of the
// umask.
func makeFolders(at string, mode os.FileMode) error {
	return errors.Join(os.MkdirAll(at, 0o755), os.Chmod(at, mode))
}

// makeDevices makes the folder that is mounted at /dev. With terminals, it adds what a command
// needs to have terminals.
func makeDevices(folder string, terminals bool) error {
	if err := makeFolders(folder, 0o755); err != nil {
		return err
	}
	names := system.Devices[:]
	if terminals {
		names = append(names, "tty")
		if err := errors.Join(makeFolders(filepath.Join(folder, "pts"), 0o755), os.Symlink("pts/ptmx", filepath.Join(folder, "ptmx"))); err != nil {
			return err
		}
	}
	for _, name := range names {
		if err := touch(filepath.Join(folder, name)); err != nil {
			return err
		}
	}
	for _, link := range system.DeviceLinks {
		if err := os.Symlink(link[1], filepath.Join(folder, link[0])); err != nil {
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

// bind returns a bind mount of a host path. access is "ro" or "rw".
func bind(source, destination, access string) specs.Mount {
	options := []string{"rbind", "nosuid", access}
	if !strings.HasPrefix(destination, "/dev/") {
		options = append(options, "nodev")
	}
	return specs.Mount{Type: "bind", Source: source, Destination: destination, Options: options}
}
