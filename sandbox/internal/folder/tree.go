// Package folder is the view from outside of the folder that a script works in: it
// brings the files of a workspace in, and back what the script made of them.
//
// What scripts leave counts as hostile. It is reached through os.Root alone, nothing
// is followed, and the size of everything read into memory is bounded.
package folder

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"agentd/sandbox"
	"agentd/vfs"
)

// Tree is the folder of a workspace, in the folder above it. A script can write to
// both, so it can also remove the folder of the workspace, or replace it.
type Tree struct {
	above *os.Root
	self  *os.File // the folder above, whatever permissions it is given
	root  *os.Root // of the workspace; nil if there is none
}

// OpenTree opens the folder above, which must be empty or hold an empty folder of the
// workspace. The caller must close the tree.
func OpenTree(path string) (t *Tree, err error) {
	t = new(Tree)
	defer func() {
		if err != nil {
			t.Close()
			t, err = nil, fmt.Errorf("opening the sandbox's folder: %w", err)
		}
	}()
	if t.above, err = os.OpenRoot(path); err != nil {
		return t, err
	}
	if t.self, err = t.above.Open("."); err != nil {
		return t, err
	}
	return t, t.makeWorkspace()
}

// Close lets go of the folders and leaves what is in them.
func (t *Tree) Close() error {
	var failed []error
	if t.root != nil {
		failed = append(failed, t.root.Close())
	}
	if t.above != nil {
		failed = append(failed, t.self.Close(), t.above.Close())
	}
	return errors.Join(failed...)
}

// makeWorkspace makes the folder of the workspace if it is not there.
func (t *Tree) makeWorkspace() error {
	if err := t.above.Mkdir(sandbox.WorkspaceName, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return t.openWorkspace()
}

// openWorkspace opens what is the folder of the workspace now, and makes it ours to
// read, whatever permissions the script set. The error says what is there instead.
func (t *Tree) openWorkspace() error {
	if t.root != nil {
		t.root.Close()
		t.root = nil
	}
	if err := t.self.Chmod(0o755); err != nil {
		return reason(err)
	}
	info, err := t.above.Lstat(sandbox.WorkspaceName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("the folder was removed")
	case err != nil:
		return reason(err)
	case !info.IsDir():
		return fmt.Errorf("the folder was replaced by a %s", kind(info))
	}
	if err := t.above.Chmod(sandbox.WorkspaceName, 0o755); err != nil {
		return reason(err)
	}
	root, err := t.above.OpenRoot(sandbox.WorkspaceName)
	if err != nil {
		return reason(err)
	}
	t.root = root
	return nil
}

// Fill writes the files into the empty folder of the workspace.
func (t *Tree) Fill(files vfs.Files) error {
	for _, name := range files.Names() {
		if err := create(t.root, name, files[name]); err != nil {
			return fmt.Errorf("copying into the sandbox: %w", err)
		}
	}
	return nil
}

// Update makes the files of the workspace the wanted ones while a script may be at
// work there: nothing that lies in the way is followed or waited for. found is what was
// taken from it last. All that can be done is; the error says what could not.
func (t *Tree) Update(found *Collection, want vfs.Files) error {
	if t.root == nil {
		if err := t.makeWorkspace(); err != nil {
			return err
		}
	}
	var failed []error
	for name := range found.taken {
		if _, wanted := want[name]; wanted {
			continue
		}
		if err := t.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = append(failed, err)
		}
	}
	for _, name := range want.Names() {
		if content, ok := found.taken[name]; ok && content == want[name] {
			continue
		}
		err := t.root.Remove(name)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			err = create(t.root, name, want[name])
		}
		if err != nil {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// Locate opens a file of the workspace, to be named and not read. Nothing is followed
// out of the workspace.
func (t *Tree) Locate(name string) (*os.File, error) {
	if t.root == nil {
		return nil, fs.ErrNotExist
	}
	return t.root.OpenFile(name, unix.O_PATH|unix.O_NOFOLLOW, 0)
}

// create makes a file, which must not be there, and the folders it lies in.
func create(root *os.Root, name, content string) error {
	for i, c := range name {
		if c == '/' {
			if err := root.Mkdir(name[:i], 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
				return err
			}
		}
	}
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.WriteString(content)
	return errors.Join(err, file.Close())
}

// list calls visit with the path of each entry of a folder, holding only a few
// names at a time. Entries that visit removes may be replaced by others.
func list(root *os.Root, dir string, visit func(name string) error) error {
	opened, err := root.Open(dir)
	if err != nil {
		return err
	}
	defer opened.Close()
	for {
		names, err := opened.Readdirnames(256)
		for _, name := range names {
			if dir != "." {
				name = dir + "/" + name
			}
			if err := visit(name); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// parents returns every folder that one of the files lies in, at any depth.
func parents(files vfs.Files) map[string]bool {
	folders := make(map[string]bool)
	for name := range files {
		for end := strings.LastIndexByte(name, '/'); end > 0; end = strings.LastIndexByte(name[:end], '/') {
			folders[name[:end]] = true
		}
	}
	return folders
}
