package guard

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// tree reads and writes the files of the guarded folder through open folders. It follows no link, and a folder that
// somebody moves meanwhile stays the same folder. Names are slash paths below the guarded folder.
type tree struct {
	calls
	open map[string]int // folders, by name; "." is the guarded one
}

func openTree(c calls, at string) (*tree, error) {
	t := &tree{calls: c, open: map[string]int{}}
	fd, err := t.openAt(unix.AT_FDCWD, at, at, folderFlags, 0)
	t.open["."] = fd
	return t, err
}

func (t *tree) close() {
	for _, fd := range t.open {
		_ = unix.Close(fd) // only read
	}
}

const (
	readFlags   = unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC
	folderFlags = readFlags | unix.O_DIRECTORY
)

// openAt opens a name in an open folder. Errors name it as said.
func (t *tree) openAt(dir int, name, said string, flags int, mode uint32) (fd int, err error) {
	err = t.do("open", said, func() error { fd, err = unix.Openat(dir, name, flags, mode); return err })
	return fd, err
}

// folder opens a folder, which stays open.
func (t *tree) folder(name string) (int, error) {
	if fd, is := t.open[name]; is {
		return fd, nil
	}
	above, err := t.folder(path.Dir(name))
	if err != nil {
		return 0, err
	}
	fd, err := t.openAt(above, path.Base(name), name, folderFlags, 0)
	if err == nil {
		t.open[name] = fd
	}
	return fd, err
}

// at calls a function with the open folder of a name, and the name in it.
func (t *tree) at(what, name string, call func(dir int, base string) error) error {
	dir, err := t.folder(path.Dir(name))
	if err != nil {
		return err
	}
	return t.do(what, name, func() error { return call(dir, path.Base(name)) })
}

// absent reports whether an error says that a name does not exist.
func absent(err error) bool { return errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) }

// exists reports whether a name exists, even as a link.
func (t *tree) exists(name string) (bool, error) {
	var s unix.Stat_t
	err := t.at("stat", name, func(dir int, base string) error {
		return unix.Fstatat(dir, base, &s, unix.AT_SYMLINK_NOFOLLOW)
	})
	if absent(err) {
		return false, nil
	}
	return err == nil, err
}

// errKind says that a name is neither a regular file nor a folder.
var errKind = errors.New("it is neither a regular file nor a folder")

// read reads a file, or the attributes of a folder; nil if the name does not exist. The error wraps errKind for links and
// devices.
func (t *tree) read(name string) (*File, error) {
	var fd int
	err := t.at("open", name, func(dir int, base string) (err error) {
		fd, err = unix.Openat(dir, base, readFlags, 0)
		return err
	})
	switch {
	case absent(err):
		return nil, nil
	case errors.Is(err, unix.ELOOP), errors.Is(err, unix.ENXIO):
		return nil, fmt.Errorf("%s: %w", name, errKind)
	case err != nil:
		return nil, err
	}
	defer unix.Close(fd)
	return t.load(fd, name)
}

// load reads an open file, and whether another program writes to it.
func (t *tree) load(fd int, name string) (*File, error) {
	var s unix.Stat_t
	var f File
	err := t.do("stat", name, func() error { return unix.Fstat(fd, &s) })
	if err != nil {
		return nil, err
	}
	switch s.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		f.Folder = true
	case unix.S_IFREG:
		f.links = uint64(s.Nlink)
		f.writers = openForWriting(fd)
		err = t.do("read", name, func() error { f.Content, err = readAll(fd); return err })
	default:
		err = fmt.Errorf("%s: %w", name, errKind)
	}
	if err != nil {
		return nil, err
	}
	was := times(&s)
	f.Times = &was
	err = t.do("attributes", name, func() error { f.Meta, err = metaOf(fd, &s); return err })
	return &f, err
}

// names are those in a folder, sorted.
func (t *tree) names(folder string) (names []string, err error) {
	above, err := t.folder(folder)
	if err != nil {
		return nil, err
	}
	err = t.do("list", folder, func() error {
		fd, err := unix.Openat(above, ".", folderFlags, 0)
		if err != nil {
			return err
		}
		file := os.NewFile(uintptr(fd), folder)
		defer file.Close()
		names, err = file.Readdirnames(-1)
		return err
	})
	slices.Sort(names)
	return names, err
}

// stage writes a new file or folder under a temporary name, and flushes it.
func (t *tree) stage(name string, f *File) (err error) {
	mode := uint32(0o666)
	switch {
	case f.Meta != nil:
		mode = 0o700
	case f.Folder:
		mode = 0o777
	}
	flags := unix.O_RDWR | unix.O_CREAT | unix.O_EXCL | unix.O_NOFOLLOW | unix.O_CLOEXEC
	if f.Folder {
		if err := t.at("mkdir", name, func(dir int, base string) error { return unix.Mkdirat(dir, base, mode) }); err != nil {
			return err
		}
		flags = folderFlags
	}
	dir, err := t.folder(path.Dir(name))
	if err != nil {
		return err
	}
	fd, err := t.openAt(dir, path.Base(name), name, flags, mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.do("close", name, func() error { return unix.Close(fd) })) }()
	return t.fill(fd, name, f)
}

// fill writes the content and the attributes of a new file.
func (t *tree) fill(fd int, name string, f *File) error {
	if f.limit != 0 {
		var s unix.Stat_t
		if err := t.do("stat", name, func() error { return unix.Fstat(fd, &s) }); err != nil {
			return err
		}
		if err := t.do("chmod", name, func() error { return unix.Fchmod(fd, uint32(s.Mode)&f.limit) }); err != nil {
			return err
		}
	}
	if len(f.Content) > 0 {
		if err := t.do("write", name, func() error { _, err := descriptor(fd).Write(f.Content); return err }); err != nil {
			return err
		}
	}
	if f.Meta != nil {
		if err := t.setMeta(fd, name, f.Meta); err != nil {
			return err
		}
	}
	if f.Times != nil {
		if err := t.at("utimens", name, func(dir int, base string) error { return setTimes(dir, base, *f.Times) }); err != nil {
			return err
		}
	}
	return t.do("fsync", name, func() error { return unix.Fsync(fd) })
}

func setTimes(dir int, base string, to Times) error {
	accessed, err := unix.TimeToTimespec(to.Accessed)
	modified, second := unix.TimeToTimespec(to.Modified)
	if err := errors.Join(err, second); err != nil {
		return err
	}
	return unix.UtimesNanoAt(dir, base, []unix.Timespec{accessed, modified}, unix.AT_SYMLINK_NOFOLLOW)
}

// remove removes a file or an empty folder. It is no error if the name does not exist.
func (t *tree) remove(name string, folder bool) error {
	flags := 0
	if folder {
		flags = unix.AT_REMOVEDIR
	}
	err := t.at("remove", name, func(dir int, base string) error { return unix.Unlinkat(dir, base, flags) })
	if absent(err) {
		return nil
	}
	return err
}

// unsupported reports whether a file system, or the kernel, does not know a way of renaming.
func unsupported(err error) bool {
	return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP)
}

// move renames. It is an error if the new name exists. On file systems without such a call, such as NFS, this is checked just
// before.
func (t *tree) move(from, to string) error {
	err := t.two("rename", from, to, renameNew)
	if !unsupported(err) {
		return err
	}
	there, err := t.exists(to)
	if err != nil {
		return err
	}
	if there {
		return &os.PathError{Op: "rename", Path: to, Err: unix.EEXIST}
	}
	return t.two("rename plainly", from, to, unix.Renameat)
}

// two calls a function with two names.
func (t *tree) two(what, from, to string, call func(int, string, int, string) error) error {
	target, err := t.folder(path.Dir(to))
	if err != nil {
		return err
	}
	return t.at(what, from, func(dir int, base string) error { return call(dir, base, target, path.Base(to)) })
}

// third is a third name, for file systems that cannot exchange two names.
func third(staged string) string { return staged + "-3" }

// exchange exchanges a staged file with the existing one: in one step, or in three if the file system cannot do it in one.
func (t *tree) exchange(staged, name string) error {
	err := t.two("exchange", staged, name, renameExchange)
	if !unsupported(err) {
		return err
	}
	if err := t.move(name, third(staged)); err != nil {
		return err
	}
	if err := t.move(staged, name); err != nil {
		return err
	}
	return t.move(third(staged), staged)
}

// settle ends an interrupted exchange in three steps. If the name is free, the old file gets it back; otherwise the exchange is
// finished, whether the file there is ours or somebody else's.
func (t *tree) settle(staged, name string) error {
	under, err := t.exists(third(staged))
	if err != nil || !under {
		return err
	}
	switch placed, err := t.exists(name); {
	case err != nil:
		return err
	case !placed:
		return t.move(third(staged), name)
	}
	waiting, err := t.read(staged)
	if err == nil && waiting != nil {
		err = t.remove(staged, waiting.Folder)
	}
	if err != nil {
		return err
	}
	return t.move(third(staged), staged)
}

// holds reports whether a file has the expected content and, if they are known, rights. A folder must be empty. The answer
// is false for a file that another program has open for writing, or that has a second name, as it may still change.
func (t *tree) holds(name string, want *File) (bool, error) {
	is, err := t.read(name)
	switch {
	case errors.Is(err, errKind):
		return false, nil
	case err != nil || is == nil || !is.same(want):
		return false, err
	case want.Meta != nil && want.Meta.difference(is.Meta) != "":
		return false, nil
	case is.Folder:
		inside, err := t.inside(name)
		return len(inside) == 0, err
	}
	return is.links == 1 && !is.writers, nil
}

// contains reports whether a file has the expected content. A folder must be empty.
func (t *tree) contains(name string, want *File) (bool, error) {
	is, err := t.read(name)
	switch {
	case errors.Is(err, errKind):
		return false, nil
	case err != nil || is == nil || !is.same(want):
		return false, err
	case !is.Folder:
		return true, nil
	}
	inside, err := t.inside(name)
	return len(inside) == 0, err
}

// holdsAtLast waits, for a second at most, until no program has the file open for writing, and then calls holds.
func (t *tree) holdsAtLast(name string, want *File) (bool, error) {
	const tries, each = 100, 10 * time.Millisecond
	for range tries {
		is, err := t.read(name)
		if err != nil || is == nil || !is.writers {
			break
		}
		time.Sleep(each)
	}
	return t.holds(name, want)
}

// inside lists a folder that was moved to a name, and closes it again.
func (t *tree) inside(name string) ([]string, error) {
	names, err := t.names(name)
	if fd, is := t.open[name]; is {
		_ = unix.Close(fd) // only read
		delete(t.open, name)
	}
	return names, err
}

// flush flushes all folders that were opened.
func (t *tree) flush() error {
	for _, name := range slices.Sorted(maps.Keys(t.open)) {
		if err := t.do("fsync", name, func() error { return unix.Fsync(t.open[name]) }); err != nil {
			return err
		}
	}
	return nil
}

// look reads the times of a folder and the names in it.
func (t *tree) look(folder string) (Look, error) {
	fd, err := t.folder(folder)
	if err != nil {
		return Look{}, err
	}
	var s unix.Stat_t
	if err := t.do("stat", folder, func() error { return unix.Fstat(fd, &s) }); err != nil {
		return Look{}, err
	}
	names, err := t.names(folder)
	return Look{Times: times(&s), Names: fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(names, "\x00"))))}, err
}

// restore gives a folder the times that it had when it held the same names. Errors are ignored: a folder of another user keeps
// its times.
func (t *tree) restore(folder string, looks ...Look) {
	is, err := t.look(folder)
	i := slices.IndexFunc(looks, func(was Look) bool { return was.Names == is.Names })
	if err != nil || i < 0 {
		return
	}
	_ = t.do("utimens", folder, func() error { return setTimes(t.open[folder], ".", looks[i].Times) })
}
