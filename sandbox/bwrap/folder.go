package bwrap

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"agentd/vfs"
)

// Names in a runner's folder on the host.
const (
	workspaceName = "workspace" // shared with the sandbox
	scriptName    = "script.py"
	trashName     = "trash" // folders on their way out, see discard
)

// folder is the private folder of a runner on the host. All access to what
// scripts leave in it goes through an os.Root, and only while no script runs.
type folder struct {
	path  string
	owner identity
	top   *os.Root // of path
	files *os.Root // of path/workspace

	held    vfs.Files // what lies in files, byte for byte
	trashed int       // folders put into the trash so far
}

// newFolder makes an empty folder that belongs to the owner.
func newFolder(owner identity) (*folder, error) {
	name, err := os.MkdirTemp(temporary(owner), "agentd-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for the sandbox: %w", err)
	}
	f := &folder{path: name, owner: owner}
	if f.top, err = os.OpenRoot(name); err == nil {
		err = errors.Join(f.own(f.top, "."), f.makeFolder(f.top, trashName), f.openFiles())
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("making a folder for the sandbox: %w", err), f.remove())
	}
	return f, nil
}

// temporary returns the folder for temporary files: TMPDIR, or /tmp where
// TMPDIR lies in a folder that the owner may not enter.
func temporary(owner identity) string {
	dir := os.TempDir()
	if owner == nil {
		return dir
	}
	real, err := filepath.EvalSymlinks(dir)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	const enter = 0o001
	for above := real; err == nil; above = filepath.Dir(above) {
		info, statErr := os.Stat(above)
		if statErr != nil || info.Mode()&enter == 0 {
			return "/tmp"
		}
		if above == filepath.Dir(above) {
			return dir
		}
	}
	return "/tmp"
}

// openFiles makes the empty folder that scripts work in.
func (f *folder) openFiles() (err error) {
	if err := f.makeFolder(f.top, workspaceName); err != nil {
		return err
	}
	f.files, err = f.top.OpenRoot(workspaceName)
	f.held = vfs.Files{}
	return err
}

// workspace and script are the paths to share with the sandbox.
func (f *folder) workspace() string { return filepath.Join(f.path, workspaceName) }
func (f *folder) script() string    { return filepath.Join(f.path, scriptName) }

// sync makes the shared folder equal to the wanted files.
func (f *folder) sync(want vfs.Files) error {
	for name := range f.held {
		if _, wanted := want[name]; wanted {
			continue
		}
		if err := f.files.Remove(name); err != nil {
			return fmt.Errorf("removing from the sandbox: %w", err)
		}
		// Its folder may be in the way of a file. One that is not empty stays.
		for dir := path.Dir(name); dir != "." && f.files.Remove(dir) == nil; dir = path.Dir(dir) {
		}
	}
	for _, name := range want.Names() {
		if content, ok := f.held[name]; ok && content == want[name] {
			continue
		}
		if err := f.write(f.files, name, want[name]); err != nil {
			return fmt.Errorf("copying into the sandbox: %w", err)
		}
	}
	f.held = want
	return nil
}

// write creates or replaces a file and the folders it lies in.
func (f *folder) write(root *os.Root, name, content string) error {
	for i, c := range name {
		if c == '/' {
			if err := f.makeFolder(root, name[:i]); err != nil && !errors.Is(err, fs.ErrExist) {
				return err
			}
		}
	}
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = file.WriteString(content)
	return errors.Join(err, file.Close(), f.own(root, name))
}

func (f *folder) makeFolder(root *os.Root, name string) error {
	if err := root.Mkdir(name, 0o755); err != nil {
		return err
	}
	return f.own(root, name)
}

// own gives a file to whom scripts run as.
func (f *folder) own(root *os.Root, name string) error {
	if f.owner == nil {
		return nil
	}
	return root.Lchown(name, int(f.owner.Uid), int(f.owner.Gid))
}

// settle records that the shared folder holds just these files now, having
// removed all others.
func (f *folder) settle(files vfs.Files, clean bool) error {
	f.held = files
	if clean {
		return nil
	}
	folders := parents(files)
	for {
		removed, err := f.sweep(".", files, folders)
		if err != nil {
			return fmt.Errorf("cleaning the sandbox's folder: %w", err)
		}
		// A folder that changes while it is listed may be listed in part.
		if removed == 0 {
			return f.emptyTrash()
		}
	}
}

// sweep removes from a folder what is neither a file to keep nor a folder of one.
func (f *folder) sweep(dir string, keep vfs.Files, folders map[string]bool) (removed int, err error) {
	err = list(f.files, dir, func(name string) error {
		if _, kept := keep[name]; kept {
			return nil
		}
		if folders[name] {
			n, err := f.sweep(name, keep, folders)
			removed += n
			return err
		}
		removed++
		return f.discard(path.Join(workspaceName, name))
	})
	return removed, err
}

// discard removes a file, or moves a folder to the trash.
func (f *folder) discard(name string) error {
	info, err := f.top.Lstat(name)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return f.top.Remove(name)
	}
	if err := f.top.Chmod(name, 0o700); err != nil {
		return err
	}
	f.trashed++
	return f.top.Rename(name, path.Join(trashName, strconv.Itoa(f.trashed)))
}

// emptyTrash removes the folders in the trash. A script can nest folders
// deeper than any path, or than we could hold them open, so they are not
// descended into: what a folder contains is first brought up to its own level.
func (f *folder) emptyTrash() error {
	for {
		empty := true
		err := list(f.top, trashName, func(dir string) error {
			empty = false
			if err := list(f.top, dir, f.discard); err != nil {
				return err
			}
			err := f.top.Remove(dir)
			if errors.Is(err, syscall.ENOTEMPTY) {
				return nil // the next pass sees to it
			}
			return err
		})
		if err != nil || empty {
			return err
		}
	}
}

// reset empties the folder after something went wrong and its content is not known.
func (f *folder) reset() error {
	f.files.Close()
	err := f.discard(workspaceName)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = f.openFiles()
	}
	return errors.Join(err, f.emptyTrash())
}

// remove removes all of the folder.
func (f *folder) remove() error {
	if f.top == nil {
		return os.Remove(f.path)
	}
	defer f.top.Close()
	if f.files != nil {
		f.files.Close()
	}
	var failed []error
	for _, name := range []string{workspaceName, scriptName} {
		if err := f.discard(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = append(failed, err)
		}
	}
	failed = append(failed, f.emptyTrash(), f.top.Remove(trashName), os.Remove(f.path))
	return errors.Join(failed...)
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
