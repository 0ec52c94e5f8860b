package folder

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"golang.org/x/sys/unix"

	"agentd/vfs"
)

// Owner is the user that scripts run as on the host, where it is not agentd's
// own; a nil Owner is.
type Owner struct{ UID, GID int }

// Tree is a folder that a script works in. Its methods are to be called only
// while no script runs.
type Tree struct {
	root  *os.Root
	self  *os.File // the folder itself, whatever permissions it is given
	owner *Owner
	held  vfs.Files // what lies in it, byte for byte
}

// OpenTree opens an empty folder. What is written into it is given to the
// owner; a nil owner leaves it with the user who writes.
func OpenTree(path string, owner *Owner) (*Tree, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	self, err := root.Open(".")
	if err != nil {
		root.Close()
		return nil, err
	}
	return &Tree{root: root, self: self, owner: owner, held: vfs.Files{}}, nil
}

// Close lets go of the folder and leaves what is in it.
func (t *Tree) Close() error { return errors.Join(t.self.Close(), t.root.Close()) }

// Sync makes the tree equal to the wanted files.
func (t *Tree) Sync(want vfs.Files) error {
	for name := range t.held {
		if _, wanted := want[name]; wanted {
			continue
		}
		if err := t.root.Remove(name); err != nil {
			return fmt.Errorf("removing from the sandbox: %w", err)
		}
		// Its folder may be in the way of a file. One that is not empty stays.
		for dir := path.Dir(name); dir != "." && t.root.Remove(dir) == nil; dir = path.Dir(dir) {
		}
	}
	for _, name := range want.Names() {
		if content, ok := t.held[name]; ok && content == want[name] {
			continue
		}
		if err := t.owner.write(t.root, name, want[name]); err != nil {
			return fmt.Errorf("copying into the sandbox: %w", err)
		}
	}
	t.held = want
	return nil
}

// Update makes the files of the tree the wanted ones while a script may be at work
// there: nothing that lies in the way is followed or waited for. found is what was
// taken from it last. All that can be done is; the error says what could not.
func (t *Tree) Update(found *Collection, want vfs.Files) error {
	t.held = want
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
			err = t.owner.create(t.root, name, want[name], os.O_EXCL)
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

// write creates or replaces a file and the folders it lies in.
func (o *Owner) write(root *os.Root, name, content string) error {
	return o.create(root, name, content, os.O_TRUNC)
}

// create is write with a choice of what to do about a file that is there.
func (o *Owner) create(root *os.Root, name, content string, ifThere int) error {
	for i, c := range name {
		if c == '/' {
			if err := o.makeFolder(root, name[:i]); err != nil && !errors.Is(err, fs.ErrExist) {
				return err
			}
		}
	}
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|ifThere, 0o644)
	if err != nil {
		return err
	}
	_, err = file.WriteString(content)
	return errors.Join(err, file.Close(), o.own(root, name))
}

func (o *Owner) makeFolder(root *os.Root, name string) error {
	if err := root.Mkdir(name, 0o755); err != nil {
		return err
	}
	return o.own(root, name)
}

// own gives a file to whom scripts run as.
func (o *Owner) own(root *os.Root, name string) error {
	if o == nil {
		return nil
	}
	return root.Lchown(name, o.UID, o.GID)
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
