//go:build linux

package folder

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// dir is the descriptor of an open folder.
//
// A command may replace entries at any time. So the methods take the name of one entry,
// never a path; they check what they have opened by its descriptor, never by its name; they
// follow no link (O_NOFOLLOW), and wait for no pipe and no lease (O_NONBLOCK).
type dir int

// openat opens an entry, of any kind.
func (d dir) openat(name string, flags int, mode uint32) (int, error) {
	for {
		fd, err := unix.Openat(int(d), name, flags|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, mode)
		if !errors.Is(err, unix.EINTR) {
			return fd, err
		}
	}
}

// openDir opens a folder and gives agentd the right to read and search it.
func (d dir) openDir(name string) (dir, error) {
	fd, err := d.openAllowed(name, unix.O_RDONLY|unix.O_DIRECTORY)
	if err != nil {
		return -1, err
	}
	var stat unix.Stat_t
	if err = unix.Fstat(fd, &stat); err == nil && stat.Mode&0o700 != 0o700 {
		err = unix.Fchmod(fd, 0o755)
	}
	if err != nil {
		unix.Close(fd)
		return -1, err
	}
	return dir(fd), nil
}

// openFile opens a regular file that has no other hard link, and returns its size. For another
// kind of entry, the error says what it is.
func (d dir) openFile(name string) (*os.File, int64, error) {
	fd, err := d.openAllowed(name, unix.O_RDONLY)
	switch {
	case errors.Is(err, unix.ELOOP):
		return nil, 0, errors.New(kindName(unix.S_IFLNK))
	case errors.Is(err, unix.ENXIO):
		return nil, 0, errors.New(kindName(unix.S_IFSOCK))
	case err != nil:
		return nil, 0, err
	}
	var stat unix.Stat_t
	if err = unix.Fstat(fd, &stat); err == nil {
		switch kind := stat.Mode & unix.S_IFMT; {
		case kind != unix.S_IFREG:
			err = errors.New(kindName(kind))
		case stat.Nlink != 1:
			err = errors.New("hard link: the file has several names")
		}
	}
	if err != nil {
		unix.Close(fd)
		return nil, 0, err
	}
	return os.NewFile(uintptr(fd), name), stat.Size, nil
}

// openAllowed opens an entry for reading. It changes the permissions if necessary.
func (d dir) openAllowed(name string, flags int) (int, error) {
	fd, err := d.openat(name, flags, 0)
	if !errors.Is(err, unix.EACCES) {
		return fd, err
	}
	if err := d.allow(name); err != nil {
		return -1, err
	}
	return d.openat(name, flags, 0)
}

// allow gives agentd the right to read a file or folder.
func (d dir) allow(name string) error {
	fd, err := d.openat(name, unix.O_PATH, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return err
	}
	switch stat.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		return unix.Chmod(itself(fd), 0o644)
	case unix.S_IFDIR:
		return unix.Chmod(itself(fd), 0o755)
	}
	return unix.EACCES
}

// letExecute makes a file executable for everybody.
func (d dir) letExecute(name string) error {
	fd, err := d.openat(name, unix.O_PATH, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return unix.Chmod(itself(fd), 0o755)
}

// itself returns a path to the file of a descriptor. The path stays valid after the file is
// renamed.
func itself(fd int) string { return fmt.Sprintf("/proc/self/fd/%d", fd) }

// create makes a file, which must not exist, and calls written before it closes the file.
func (d dir) create(name, content string, written func(fd int) error) error {
	fd, err := d.openat(name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	created := os.NewFile(uintptr(fd), name)
	defer created.Close()
	if _, err := created.WriteString(content); err != nil {
		return err
	}
	return written(fd)
}

// remove removes a file or an empty folder, if it is there.
func (d dir) remove(name string) error {
	err := unix.Unlinkat(int(d), name, 0)
	if errors.Is(err, unix.EISDIR) {
		err = unix.Unlinkat(int(d), name, unix.AT_REMOVEDIR)
	}
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	return err
}

// inParent calls do with the parent folder of a path and the file's name there. If mkdir is set,
// it makes missing folders.
func (d dir) inParent(path string, mkdir bool, do func(at dir, name string) error) error {
	first, rest, below := strings.Cut(path, "/")
	if !below {
		return do(d, path)
	}
	if mkdir {
		if err := unix.Mkdirat(int(d), first, 0o755); err != nil && !errors.Is(err, unix.EEXIST) {
			return err
		}
	}
	next, err := d.openDir(first)
	if err != nil {
		return err
	}
	defer next.close()
	return next.inParent(rest, mkdir, do)
}

// list calls visit for each entry of the folder and holds only a few entries in memory. The type
// of an entry is the type that it had when the folder was read.
func (d dir) list(visit func(fs.DirEntry) error) error {
	fd, err := d.openat(".", unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return err
	}
	opened := os.NewFile(uintptr(fd), itself(fd))
	defer opened.Close()
	for {
		entries, err := opened.ReadDir(256)
		for _, entry := range entries {
			if err := visit(entry); err != nil {
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

// kind names what an entry is now, for messages.
func (d dir) kind(name string) string {
	var stat unix.Stat_t
	if err := unix.Fstatat(int(d), name, &stat, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return "something else"
	}
	return kindName(stat.Mode & unix.S_IFMT)
}

func kindName(kind uint32) string {
	switch kind {
	case unix.S_IFREG:
		return "file"
	case unix.S_IFDIR:
		return "folder"
	case unix.S_IFLNK:
		return "symbolic link"
	case unix.S_IFIFO:
		return "named pipe"
	case unix.S_IFSOCK:
		return "socket"
	case unix.S_IFCHR, unix.S_IFBLK:
		return "device"
	}
	return "special file"
}

func (d dir) close() { unix.Close(int(d)) }
