package guard

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"agentd/internal/usage"
)

// ErrRace says that the folder was changed by somebody else, so that nothing was applied.
var ErrRace = errors.New("the folder was changed by something else in the meantime; nothing was applied")

// Apply puts changes into the folder, all or none, and keeps them in the log with the reason.
// It returns their number. Where a file is no longer as it was before the change, or the folder
// changes while they are applied, the error wraps ErrRace. No changes have the number 0.
func (f *Folder) Apply(changed Changed, reason string, command []string) (number int, err error) {
	if len(changed) == 0 {
		return 0, nil
	}
	lock, err := f.lock()
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if err := f.check(changed); err != nil {
		return 0, err
	}
	entry, err := f.begin(changed, reason, command)
	if err != nil {
		return 0, err
	}
	err = f.exchange(changed, &entry)
	if errors.Is(err, errNoExchange) {
		if entry.State = journalled; f.write(entry) != nil {
			return 0, f.drop(entry)
		}
		err = f.forward(entry)
	}
	if err != nil {
		return 0, errors.Join(err, f.drop(entry))
	}
	return entry.Number, f.finish(entry)
}

// check reports files that are not as they were before the change.
func (f *Folder) check(changed Changed) error {
	for name, c := range changed {
		is, err := f.read(name)
		if err != nil {
			return err
		}
		if !equal(is, c.Before) {
			return fmt.Errorf("%s: %w", name, ErrRace)
		}
	}
	return nil
}

// read is what a file holds; nil if it is not there.
func (f *Folder) read(name string) (*[]byte, error) {
	root, err := os.OpenRoot(f.path) // no link leads out of it
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file any more: %w", name, ErrRace)
	}
	text, err := root.ReadFile(name)
	return &text, err
}

func equal(a, b *[]byte) bool {
	if a == nil || b == nil {
		return a == b
	}
	return bytes.Equal(*a, *b)
}

// errNoExchange says that the folder cannot be exchanged as a whole.
var errNoExchange = errors.New("the folder cannot be exchanged")

// exchange prepares a second folder and exchanges it with the first.
func (f *Folder) exchange(changed Changed, entry *Entry) error {
	next := f.staging(entry.Number)
	known, err := f.stage(next, changed)
	if err != nil {
		return errors.Join(fmt.Errorf("%w: %w", errNoExchange, err), os.RemoveAll(next))
	}
	if err := f.check(changed); err != nil {
		return errors.Join(err, os.RemoveAll(next))
	}
	if err := swap(next, f.path); err != nil {
		return errors.Join(fmt.Errorf("%w: %w", errNoExchange, err), os.RemoveAll(next))
	}
	// next is the folder as it was. If something changed in it after it was staged, that would be lost.
	if late, err := listing(next); err != nil || !slices.Equal(late, known) {
		if again := swap(next, f.path); again != nil {
			return fmt.Errorf("what was changed in the meantime is in %s: %w", next, errors.Join(err, again))
		}
		return errors.Join(ErrRace, err, os.RemoveAll(next))
	}
	if err := syncFolder(filepath.Dir(f.path)); err != nil {
		return err
	}
	return os.RemoveAll(next)
}

// staging is where the second folder is prepared, next to the first one.
func (f *Folder) staging(number int) string {
	return filepath.Join(filepath.Dir(f.path), fmt.Sprintf(".%s.agentd-guard-%d", filepath.Base(f.path), number))
}

// known is an entry of a folder, by which a later change of it is seen. A file that is changed in place
// is the same file in both folders.
type known struct {
	name  string
	inode uint64
	mode  uint32
}

// listing lists all entries of a folder.
func listing(at string) ([]known, error) {
	var all []known
	err := filepath.WalkDir(at, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		var stat unix.Stat_t
		if err := unix.Lstat(path, &stat); err != nil {
			return err
		}
		name, err := filepath.Rel(at, path)
		all = append(all, known{name, stat.Ino, uint32(stat.Mode)})
		return err
	})
	return all, err
}

// stage makes a second folder that is as the first one will be, and returns what the first one holds. What stays the
// same is linked, so that neither its content nor its times, owner or rights change.
func (f *Folder) stage(next string, changed Changed) ([]known, error) {
	if err := os.RemoveAll(next); err != nil {
		return nil, err
	}
	before, err := listing(f.path)
	if err != nil {
		return nil, err
	}
	var folders []string
	for _, k := range before {
		from, to := filepath.Join(f.path, k.name), filepath.Join(next, k.name)
		if k.mode&unix.S_IFMT == unix.S_IFDIR {
			if err := os.Mkdir(to, 0o700); err != nil {
				return nil, err
			}
			folders = append(folders, k.name)
			continue
		}
		if _, ours := changed[filepath.ToSlash(k.name)]; ours {
			continue
		}
		if err := unix.Linkat(unix.AT_FDCWD, from, unix.AT_FDCWD, to, 0); err != nil {
			return nil, &os.PathError{Op: "linking", Path: from, Err: err}
		}
	}
	for name, c := range changed {
		if c.After == nil {
			continue
		}
		to := filepath.Join(next, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return nil, err
		}
		if err := writeSynced(to, *c.After, 0o644); err != nil {
			return nil, err
		}
		if c.Before == nil {
			continue
		}
		if err := alike(filepath.Join(f.path, filepath.FromSlash(name)), to); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Backward(folders) { // from the inside to the outside, so that rights do not stop us
		if err := alike(filepath.Join(f.path, name), filepath.Join(next, name)); err != nil {
			return nil, err
		}
		if err := syncFolder(filepath.Join(next, name)); err != nil {
			return nil, err
		}
	}
	return before, nil
}

// alike gives a file or folder the owner and rights of another one.
func alike(as, to string) error {
	var want, is unix.Stat_t
	if err := unix.Stat(as, &want); err != nil {
		return err
	}
	if err := unix.Stat(to, &is); err != nil {
		return err
	}
	if want.Uid != is.Uid || want.Gid != is.Gid {
		if err := os.Chown(to, int(want.Uid), int(want.Gid)); err != nil {
			return err
		}
	}
	const rights = 0o7777
	return unix.Chmod(to, uint32(want.Mode)&rights)
}

func writeSynced(name string, content []byte, mode fs.FileMode) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Sync(), file.Close())
}

func syncFolder(name string) error {
	folder, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// forward puts the changes of a journal into the folder, file by file. A file that is as it was before or as it should be after is
// written; one that somebody else has changed since is an error after all others are done.
func (f *Folder) forward(entry Entry) error {
	root, err := os.OpenRoot(f.path)
	if err != nil {
		return err
	}
	defer root.Close()
	var problems error
	for _, name := range entry.Files.Names() {
		c := entry.Files[name]
		is, err := f.read(name)
		switch {
		case err == nil && equal(is, c.After):
		case err == nil && equal(is, c.Before):
			err = replace(root, name, c)
		case err == nil:
			err = fmt.Errorf("%s: %w", name, ErrRace)
		}
		problems = errors.Join(problems, err)
	}
	return problems
}

// replace writes one file under another name and renames it, or removes it.
func replace(root *os.Root, name string, c Change) error {
	if c.After == nil {
		return root.Remove(name)
	}
	mode := fs.FileMode(0o644)
	if info, err := root.Lstat(name); err == nil {
		mode = info.Mode().Perm()
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	part := name + ".agentd-guard"
	_ = root.Remove(part) // of one that was killed
	file, err := root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = file.Write(*c.After)
	if err := errors.Join(err, file.Chmod(mode), file.Sync(), file.Close()); err != nil {
		return err
	}
	return root.Rename(part, name)
}

// Undo takes back what was accepted under a number, if the files still are as they were then made.
func (f *Folder) Undo(number int) (int, error) {
	entry, err := f.entry(number)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, usage.Errorf("nothing was accepted under the number %d; agentd guard log lists the numbers", number)
	}
	if err != nil {
		return 0, err
	}
	return f.Apply(entry.Files.inverted(), fmt.Sprintf("undo of %d", number), nil)
}
