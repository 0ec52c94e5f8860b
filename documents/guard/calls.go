package guard

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// calls makes all system calls of apply, log and undo; what names the call, and name its file. Tests use an
// implementation that fails or stops at any of them.
type calls interface {
	do(what, name string, call func() error) error
}

// kernel makes system calls, and repeats those that a signal interrupted.
type kernel struct{}

func (kernel) do(what, name string, call func() error) error {
	for {
		err := call()
		var told *os.PathError
		switch {
		case errors.Is(err, unix.EINTR):
		case err == nil, errors.As(err, &told):
			return err
		default:
			return &os.PathError{Op: what, Path: name, Err: err}
		}
	}
}

// disk reads and writes the files of the log, by absolute paths.
type disk struct{ calls }

// create writes a new file and flushes it.
func (d disk) create(name string, content []byte) error {
	var file *os.File
	err := d.do("create", name, func() (err error) {
		file, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		return err
	})
	if err != nil {
		return err
	}
	err = d.do("write", name, func() error { _, err := file.Write(content); return err })
	if err == nil {
		err = d.do("fsync", name, file.Sync)
	}
	return errors.Join(err, d.do("close", name, file.Close))
}

// rename gives a file another name, and flushes the folder.
func (d disk) rename(from, to string) error {
	if err := d.do("rename", from, func() error { return os.Rename(from, to) }); err != nil {
		return err
	}
	return d.flush(filepath.Dir(to))
}

func (d disk) remove(name string) error {
	return d.do("remove", name, func() error { return os.Remove(name) })
}

func (d disk) read(name string) (text []byte, err error) {
	err = d.do("read", name, func() error { text, err = os.ReadFile(name); return err })
	return text, err
}

// list returns the names in a folder. A missing folder has none.
func (d disk) list(name string) (names []string, err error) {
	err = d.do("list", name, func() error {
		folder, err := os.Open(name)
		if err != nil {
			return err
		}
		defer folder.Close()
		names, err = folder.Readdirnames(-1)
		return err
	})
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return names, err
}

// makeFolders creates a folder and its parents, and flushes each.
func (d disk) makeFolders(name string) error {
	err := d.do("mkdir", name, func() error { return os.Mkdir(name, 0o700) })
	switch {
	case errors.Is(err, os.ErrExist):
		return nil
	case errors.Is(err, os.ErrNotExist):
		if err := d.makeFolders(filepath.Dir(name)); err != nil {
			return err
		}
		return d.makeFolders(name)
	case err != nil:
		return err
	}
	return d.flush(filepath.Dir(name))
}

func (d disk) flush(name string) error {
	return d.do("fsync", name, func() error {
		folder, err := os.Open(name)
		if err != nil {
			return err
		}
		return errors.Join(folder.Sync(), folder.Close())
	})
}

// readAll reads the rest of a file.
func readAll(fd int) ([]byte, error) {
	return io.ReadAll(descriptor(fd))
}

// descriptor reads and writes an open file.
type descriptor int

func (d descriptor) Read(p []byte) (int, error) {
	n, err := unix.Read(int(d), p)
	if n == 0 && err == nil && len(p) > 0 {
		return 0, io.EOF
	}
	return max(n, 0), err
}

func (d descriptor) Write(p []byte) (written int, err error) {
	for written < len(p) {
		n, err := unix.Write(int(d), p[written:])
		if err != nil {
			return written, err
		}
		written += n
	}
	return written, nil
}

// times returns the times in a file's status.
func times(s *unix.Stat_t) Times {
	return Times{time.Unix(s.Atim.Unix()).UTC(), time.Unix(s.Mtim.Unix()).UTC()}
}
