// Package bundle copies the programs that commands need into folders that sandboxes can mount. The
// copy keeps the program as it was when the experiment began.
package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"agentd/sandbox/internal/owner"
)

// Bounds of a bundle.
const (
	MaxFiles = 50_000
	MaxBytes = 1 << 30
)

// Bundle is a copy of a folder, or of one file in a folder of its own.
type Bundle struct {
	Folder string // every user can read it
	Hash   string // SHA-256 of all names, contents, links and execute permissions

	top string // what Close removes
}

// Open copies a folder or a file. Close removes the copy. If agentd is killed first, the next Open
// removes it.
func Open(path string) (*Bundle, error) { return bring(path, false) }

// Link is Open for a folder that never changes, such as one that agentd has made. It makes hard
// links instead of copies where possible, which is much faster. It copies files that other users
// cannot read, and files on another file system.
func Link(path string) (*Bundle, error) { return bring(path, true) }

// Hash returns the Bundle.Hash that a folder would have.
func Hash(path string) (string, error) {
	b, err := Link(path)
	if err != nil {
		return "", err
	}
	return b.Hash, b.Close()
}

// bring copies or links.
func bring(path string, link bool) (b *Bundle, err error) {
	top, err := owner.MakeFolder()
	if err != nil {
		return nil, err
	}
	b = &Bundle{Folder: filepath.Join(top, copyName), top: top}
	defer func() {
		if err != nil {
			b, err = nil, errors.Join(fmt.Errorf("copying %s: %w", path, err), b.Close())
		}
	}()
	if err := errors.Join(os.Mkdir(b.Folder, 0o755), os.Chmod(b.Folder, 0o755)); err != nil {
		return b, err
	}
	from, err := filepath.EvalSymlinks(path)
	if err != nil {
		return b, err
	}
	info, err := os.Stat(from)
	if err != nil {
		return b, err
	}
	c := copying{from: from, to: b.Folder, link: link}
	if !info.IsDir() {
		c.from = filepath.Dir(from)
	}
	err = filepath.WalkDir(from, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == c.from {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(c.from, name)
		if err != nil {
			return err
		}
		return c.add(relative, info)
	})
	sum := sha256.Sum256(c.list)
	b.Hash = hex.EncodeToString(sum[:])
	return b, err
}

// copyName is the name of the copy in its temporary folder. The name of that folder identifies the
// process.
const copyName = "files"

// Path returns Folder, or "" for a nil *Bundle.
func (b *Bundle) Path() string {
	if b == nil {
		return ""
	}
	return b.Folder
}

// Close removes the copy. It does nothing for a nil *Bundle.
func (b *Bundle) Close() error {
	if b == nil {
		return nil
	}
	return os.RemoveAll(b.top)
}

// copying copies entries in name order and hashes what it copies.
type copying struct {
	from, to string
	link     bool   // make hard links where possible
	list     []byte // a line for each entry
	files    int
	bytes    int64
}

// add copies one entry.
func (c *copying) add(name string, info fs.FileInfo) error {
	from, to := filepath.Join(c.from, name), filepath.Join(c.to, name)
	if c.files++; c.files > MaxFiles {
		return fmt.Errorf("there are more than %d files", MaxFiles)
	}
	switch info.Mode().Type() {
	case fs.ModeDir:
		c.list = fmt.Appendf(c.list, "folder %q\n", name)
		return errors.Join(os.Mkdir(to, 0o755), os.Chmod(to, 0o755))
	case fs.ModeSymlink: // it leads somewhere inside of the sandbox, or nowhere
		target, err := os.Readlink(from)
		c.list = fmt.Appendf(c.list, "link %q %q\n", name, target)
		return errors.Join(err, os.Symlink(target, to))
	case 0:
		mode := fs.FileMode(0o644)
		if info.Mode()&0o111 != 0 {
			mode = 0o755 // for every user that it may run as
		}
		return c.file(name, from, to, info.Mode().Perm(), mode)
	}
	return fmt.Errorf("%s is no file, folder or link", name)
}

func (c *copying) file(name, from, to string, is, mode fs.FileMode) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if c.link && is == mode && os.Link(from, to) == nil {
		return c.hash(name, mode, io.Discard, in)
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	return errors.Join(c.hash(name, mode, out, in), out.Chmod(mode)) // regardless of the umask
}

// hash adds a file to the list while it is copied.
func (c *copying) hash(name string, mode fs.FileMode, out io.Writer, in io.Reader) error {
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, hash), io.LimitReader(in, MaxBytes-c.bytes+1))
	if c.bytes += n; err == nil && c.bytes > MaxBytes {
		err = fmt.Errorf("there are more than %d bytes", MaxBytes)
	}
	c.list = fmt.Appendf(c.list, "file %q %o %x\n", name, mode, hash.Sum(nil))
	return err
}
