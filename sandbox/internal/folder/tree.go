//go:build linux

// Package folder writes a workspace's files into the folder that a script works in, and reads
// back what the script made of them.
//
// What scripts and commands leave is treated as hostile, and a command may change it during the
// reading. So folders and files are opened by descriptor, starting from the parent's. No link is
// followed, no pipe waited for, and the size of everything read into memory is bounded.
package folder

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"agentd/sandbox"
	"agentd/vfs"
)

// Tree is the folder of a workspace, in the folder above it. A script can write to both, so
// it can also remove or replace the folder of the workspace.
type Tree struct {
	above     *os.File
	workspace dir // none if the folder does not exist
}

// none stands for a folder that does not exist.
const none dir = -1

// Watcher is called for each file that Tree writes or finds, with an open descriptor.
type Watcher func(name string, fd int) error

// OpenTree opens the folder of the workspace, and makes it if need be. The folder above must
// stay open for as long as the tree is used. The caller must close the tree.
func OpenTree(above *os.File) (*Tree, error) {
	t := &Tree{above: above, workspace: none}
	if err := t.makeWorkspace(); err != nil {
		return nil, fmt.Errorf("opening the sandbox's folder: %w", err)
	}
	return t, nil
}

// Close closes the folder of the workspace and leaves what is in it.
func (t *Tree) Close() {
	if t.workspace != none {
		t.workspace.close()
		t.workspace = none
	}
}

// makeWorkspace makes the folder of the workspace if it is not there.
func (t *Tree) makeWorkspace() error {
	err := unix.Mkdirat(int(t.above.Fd()), sandbox.WorkspaceName, 0o755)
	if err != nil && !errors.Is(err, unix.EEXIST) {
		return err
	}
	return t.openWorkspace()
}

// lost says why there is no workspace folder.
type lost string

func (l lost) Error() string { return string(l) }

// openWorkspace opens the current workspace folder. If there is none, the error is a lost.
func (t *Tree) openWorkspace() error {
	t.Close()
	above := dir(t.above.Fd())
	if err := unix.Fchmod(int(above), 0o755); err != nil { // regardless of the permissions that the script set
		return err
	}
	workspace, err := above.openDir(sandbox.WorkspaceName)
	switch {
	case errors.Is(err, unix.ENOENT):
		return lost("the folder was removed")
	case errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.ELOOP):
		return lost("the folder was replaced by a " + above.kind(sandbox.WorkspaceName))
	case err != nil:
		return err
	}
	t.workspace = workspace
	return nil
}

// Fill writes the files into the empty workspace folder and calls watch for each.
func (t *Tree) Fill(files vfs.Files, watch Watcher) error {
	for _, name := range files.Names() {
		if err := t.create(name, files[name], watch); err != nil {
			return fmt.Errorf("copying %s into the sandbox: %w", name, err)
		}
	}
	return nil
}

// LetExecute makes files executable for everybody.
func (t *Tree) LetExecute(names []string) error {
	for _, name := range names {
		err := t.workspace.inParent(name, false, func(at dir, base string) error { return at.letExecute(base) })
		if err != nil {
			return fmt.Errorf("making %s executable in the sandbox: %w", name, err)
		}
	}
	return nil
}

func (t *Tree) create(name, content string, watch Watcher) error {
	return t.workspace.inParent(name, true, func(at dir, base string) error {
		return at.create(base, content, func(fd int) error { return watch(name, fd) })
	})
}

// Update makes the files equal to want, even while a command is running. found is the last
// Collection. It changes all files that it can; the error names the others.
func (t *Tree) Update(found *Collection, want vfs.Files) error {
	if t.workspace == none {
		if err := t.makeWorkspace(); err != nil {
			return err
		}
	}
	var failed []error
	for name := range found.taken {
		if _, wanted := want[name]; !wanted {
			failed = append(failed, t.remove(name))
		}
	}
	for _, name := range want.Names() {
		if content, ok := found.taken[name]; ok && content == want[name] {
			continue
		}
		err := t.remove(name)
		if err == nil {
			err = t.create(name, want[name], func(string, int) error { return nil })
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

func (t *Tree) remove(name string) error {
	err := t.workspace.inParent(name, false, func(at dir, base string) error { return at.remove(base) })
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("removing %s: %w", name, err)
	}
	return nil
}

// Watch calls the watcher for the named files, except those that cannot be opened.
func (t *Tree) Watch(files vfs.Files, watch Watcher) error {
	if t.workspace == none {
		return nil
	}
	for name := range files {
		fd := -1
		err := t.workspace.inParent(name, false, func(at dir, base string) (err error) {
			fd, err = at.openat(base, unix.O_PATH, 0) // to be named: closing it is no read
			return err
		})
		if err != nil {
			continue
		}
		err = watch(name, fd)
		unix.Close(fd)
		if err != nil && !errors.Is(err, unix.EACCES) { // not ours to read; a tool's look will change that
			return err
		}
	}
	return nil
}
