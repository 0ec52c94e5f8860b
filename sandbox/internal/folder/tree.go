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

	"agentd/vfs"
)

// Tree is a folder that a script works in.
type Tree struct {
	root *os.Root
	self *os.File // the folder itself, whatever permissions it is given
}

// OpenTree opens an empty folder.
func OpenTree(path string) (*Tree, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	self, err := root.Open(".")
	if err != nil {
		root.Close()
		return nil, err
	}
	return &Tree{root: root, self: self}, nil
}

// Close lets go of the folder and leaves what is in it.
func (t *Tree) Close() error { return errors.Join(t.self.Close(), t.root.Close()) }

// Fill writes the files into the empty tree.
func (t *Tree) Fill(files vfs.Files) error {
	for _, name := range files.Names() {
		if err := create(t.root, name, files[name]); err != nil {
			return fmt.Errorf("copying into the sandbox: %w", err)
		}
	}
	return nil
}

// Update makes the files of the tree the wanted ones while a script may be at work
// there: nothing that lies in the way is followed or waited for. found is what was
// taken from it last. All that can be done is; the error says what could not.
func (t *Tree) Update(found *Collection, want vfs.Files) error {
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

// Locate opens a file of the tree, to be named and not read. Nothing is followed
// out of the tree.
func (t *Tree) Locate(name string) (*os.File, error) {
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
