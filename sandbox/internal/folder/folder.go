// Package folder is the private folder on the host that a sandbox shares with
// its scripts: it brings the files of a workspace in, and back what a script
// made of them.
//
// What scripts leave is the work of an enemy. It is looked at only while none
// runs, reached through os.Root alone, nothing is followed, and the size of
// everything read into memory is bounded.
package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"

	"agentd/sandbox/internal/living"
	"agentd/vfs"
)

// Names in a runner's folder on the host.
const (
	WorkspaceName = "workspace" // shared with the sandbox
	scriptName    = "script.py"
	trashName     = "trash" // folders on their way out, see discard
)

// Folder is the private folder of a runner on the host. All access to what
// scripts leave in it goes through an os.Root, and only while no script runs.
type Folder struct {
	path    string
	owner   *Owner
	top     *os.Root // of path
	tree    *Tree    // of path/workspace
	trashed int      // folders put into the trash so far
}

// New makes an empty folder that belongs to the owner.
func New(owner *Owner) (*Folder, error) {
	prefix, err := living.Prefix()
	if err != nil {
		return nil, fmt.Errorf("making a folder for the sandbox: %w", err)
	}
	name, err := os.MkdirTemp(Temporary(owner), prefix)
	if err != nil {
		return nil, fmt.Errorf("making a folder for the sandbox: %w", err)
	}
	f := &Folder{path: name, owner: owner}
	if f.top, err = os.OpenRoot(name); err == nil {
		err = errors.Join(f.owner.own(f.top, "."), f.owner.makeFolder(f.top, trashName), f.openFiles())
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("making a folder for the sandbox: %w", err), f.Remove())
	}
	return f, nil
}

// Sweep removes the folders that killed runs of agentd have left, as far as it
// may: those of other users stay.
func Sweep() {
	for _, dir := range slices.Compact([]string{os.TempDir(), "/tmp"}) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, entry := range entries {
			if !entry.IsDir() || !living.Orphaned(entry.Name()) {
				continue
			}
			const unused = 1 << 30 // a number that nothing in its trash has
			left := &Folder{path: filepath.Join(dir, entry.Name()), trashed: unused}
			if left.top, err = os.OpenRoot(left.path); err == nil {
				left.owner.makeFolder(left.top, trashName)
				left.Remove()
			}
		}
	}
}

// Temporary returns the folder for temporary files: TMPDIR, or /tmp where
// TMPDIR lies in a folder that the owner may not enter.
func Temporary(owner *Owner) string {
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
func (f *Folder) openFiles() (err error) {
	if err := f.owner.makeFolder(f.top, WorkspaceName); err != nil {
		return err
	}
	f.tree, err = OpenTree(f.Workspace(), f.owner)
	return err
}

// Path is the private folder itself.
func (f *Folder) Path() string { return f.path }

// Workspace and Script are the paths to share with the sandbox.
func (f *Folder) Workspace() string { return filepath.Join(f.path, WorkspaceName) }
func (f *Folder) Script() string    { return filepath.Join(f.path, scriptName) }

// WriteScript puts the script's text at the path that Script returns.
func (f *Folder) WriteScript(code string) error {
	if err := f.owner.write(f.top, scriptName, code); err != nil {
		return fmt.Errorf("copying the script into the sandbox: %w", err)
	}
	return nil
}

// Tree is the folder that scripts work in. Reset replaces it.
func (f *Folder) Tree() *Tree { return f.tree }

// Settle removes from the shared folder what was not taken back from it.
func (f *Folder) Settle(left *Collection) error { return f.settle(left.taken, left.clean()) }

// settle records that the shared folder holds just these files now, having
// removed all others.
func (f *Folder) settle(files vfs.Files, clean bool) error {
	f.tree.held = files
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
func (f *Folder) sweep(dir string, keep vfs.Files, folders map[string]bool) (removed int, err error) {
	err = list(f.tree.root, dir, func(name string) error {
		if _, kept := keep[name]; kept {
			return nil
		}
		if folders[name] {
			n, err := f.sweep(name, keep, folders)
			removed += n
			return err
		}
		removed++
		return f.discard(path.Join(WorkspaceName, name))
	})
	return removed, err
}

// discard removes a file, or moves a folder to the trash.
func (f *Folder) discard(name string) error {
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
func (f *Folder) emptyTrash() error {
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

// Reset empties the folder after something went wrong and its content is not known.
func (f *Folder) Reset() error {
	f.tree.Close()
	err := f.discard(WorkspaceName)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = f.openFiles()
	}
	return errors.Join(err, f.emptyTrash())
}

// Remove removes all of the folder.
func (f *Folder) Remove() error {
	if f.top == nil {
		return os.Remove(f.path)
	}
	defer f.top.Close()
	if f.tree != nil {
		f.tree.Close()
	}
	var failed []error
	for _, name := range []string{WorkspaceName, scriptName} {
		if err := f.discard(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = append(failed, err)
		}
	}
	failed = append(failed, f.emptyTrash(), f.top.Remove(trashName), os.Remove(f.path))
	return errors.Join(failed...)
}
