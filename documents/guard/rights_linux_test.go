package guard

import (
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"agentd/vfs"
)

// more is the owner, attributes and time of a file.
func more(t testing.TB, path string, entry os.DirEntry) string {
	t.Helper()
	if entry.Type()&os.ModeSymlink != 0 {
		return ""
	}
	var s unix.Stat_t
	fd, err := unix.Open(path, readFlags, 0)
	if err == nil {
		defer unix.Close(fd)
		err = unix.Fstat(fd, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	m, err := metaOf(fd, &s)
	if err != nil {
		t.Fatal(err)
	}
	said := fmt.Sprintf(" %d:%d", m.Owner, m.Group)
	for _, name := range slices.Sorted(maps.Keys(m.Extended)) {
		value := m.Extended[name]
		said += " " + name + "=" + hex.EncodeToString(value)
	}
	return said
}

// modified are the times of all files and folders.
func modified(t testing.TB, dir string) map[string]time.Time {
	t.Helper()
	all := map[string]time.Time{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			all[path] = info.ModTime()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// accessList is a list of access rights as the kernel keeps it: the owner, a named user, the group, the mask and others.
func accessList(user byte, rights, mask, others byte) []byte {
	entry := func(tag, perm byte, id ...byte) []byte {
		if id == nil {
			id = []byte{0xff, 0xff, 0xff, 0xff}
		}
		return append([]byte{tag, 0, perm, 0}, id...)
	}
	list := []byte{2, 0, 0, 0}
	list = append(list, entry(0x01, 6)...)
	list = append(list, entry(0x02, rights, user, 0, 0, 0)...)
	list = append(list, entry(0x04, 0)...)
	list = append(list, entry(0x10, mask)...)
	return append(list, entry(0x20, others)...)
}

const defaultName = "system.posix_acl_default"

// decorate gives a folder's files rights of many kinds, and old times.
func decorate(t *testing.T, dir string) {
	t.Helper()
	at := func(name string) string { return filepath.Join(dir, name) }
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(os.Chmod(at("private"), 0o600))
	check(os.Chmod(at("moved"), 0o640))
	check(os.Chmod(at("sub"), 0o750))
	check(unix.Setxattr(at("tagged"), "user.tag", []byte("mine"), 0))
	check(unix.Setxattr(at("listed"), accessListName, accessList(7, 4, 4, 0), 0))
	check(unix.Setxattr(at("sub"), defaultName, accessList(9, 6, 6, 0), 0))
	if os.Getuid() == 0 {
		check(os.Chown(at("private"), 1234, 2345))
		check(os.Chown(at("moved"), 1234, 2345))
		// Capabilities of version 2: to bind low ports. A change of the owner takes them away.
		check(unix.Setxattr(at("private"), "security.capability", append([]byte{1, 0, 0, 2, 0, 4}, make([]byte, 14)...), 0))
		check(os.Chown(at("sub"), 0, 777))
		check(unix.Chmod(at("sub"), 0o2770))
	}
	old := time.Date(2020, 3, 4, 5, 6, 7, 89, time.UTC)
	check(filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, old, old)
	}))
	check(os.Chtimes(dir, old, old))
	check(os.Chtimes(at("sub"), old, old))
}

func TestRightsAndTimesAreKeptAndUndone(t *testing.T) {
	t.Parallel()
	before := vfs.Files{"private": "p\n", "moved": "moved\n", "tagged": "t\n", "listed": "l\n", "sub/inside": "i\n", "sub/gone": "g\n"}
	f, dir := opened(t, before)
	decorate(t, dir)
	was, times := visible(t, dir), modified(t, dir)
	// All edited in place: nothing but the content and its time differs.
	edited := vfs.Files{}
	for name, text := range before {
		edited[name] = text + "more\n"
	}
	number, err := f.Apply(t.Context(), changed(before, edited), Acceptance{Reason: "edited"})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := visible(t, dir), strings.ReplaceAll(was, `\n"`, `\nmore\n"`); got != want {
		t.Errorf("edited:\n%s\nwant\n%s", got, want)
	}
	if now := modified(t, dir); !now[dir].Equal(times[dir]) || now[filepath.Join(dir, "private")].Equal(times[filepath.Join(dir, "private")]) {
		t.Errorf("times after an edit: %v, were %v", now, times)
	}
	if _, err := f.Undo(t.Context(), number); err != nil {
		t.Fatal(err)
	}
	same := func(what string) {
		t.Helper()
		if got := visible(t, dir); got != was {
			t.Errorf("%s, undone:\n%s\nwant\n%s", what, got, was)
		}
		now := modified(t, dir)
		for path, at := range times {
			if !now[path].Equal(at) {
				t.Errorf("%s, undone: %s has the time %v, want %v", what, path, now[path], at)
			}
		}
	}
	same("an edit")

	// A deletion, a renaming into another folder, and a new file in a folder with rights of its own.
	after := vfs.Files{"tagged": "t\n", "listed": "l\n", "sub/inside": "i\n", "sub/moved": "moved\n", "sub/new": "new\n"}
	number, err = f.Apply(t.Context(), changed(before, after), Acceptance{Reason: "moved"})
	if err != nil {
		t.Fatal(err)
	}
	got := visible(t, dir)
	moved := strings.TrimPrefix(line(was, "moved"), "moved")
	if line(got, "sub/moved") != "sub/moved"+moved {
		t.Errorf("renamed: %s, want the rights of %s", line(got, "sub/moved"), moved)
	}
	// The folder's list says who may read new files; what disappeared was for fewer.
	if is := line(got, "sub/new"); !strings.Contains(is, "-rw-------") || !strings.Contains(is, accessListName) {
		t.Errorf("a new file, where a private one disappeared: %s", is)
	}
	if _, err := f.Undo(t.Context(), number); err != nil {
		t.Fatal(err)
	}
	same("a renaming")
}

// line is that of a file in a state.
func line(state, name string) string {
	for l := range strings.Lines(state) {
		if strings.HasPrefix(l, name+" ") {
			return strings.TrimSpace(l)
		}
	}
	return ""
}

func TestRightsThatAPersonChangedSinceStay(t *testing.T) {
	t.Parallel()
	before := vfs.Files{"a": "a\n"}
	f, dir := opened(t, before)
	number, err := f.Apply(t.Context(), changed(before, vfs.Files{"a": "b\n"}), Acceptance{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "a"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Undo(t.Context(), number); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, "a")); err != nil || info.Mode().Perm() != 0o600 || on(t, dir)["a"] != "a\n" {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestRightsThatCannotBeKeptAreARefusal(t *testing.T) {
	t.Parallel()
	before := vfs.Files{"a": "a\n", "sub/b": "b\n", "X": "x\n"}
	after := vfs.Files{"a": "A\n", "sub/b": "B\n", "X": "y\n"}
	for name, c := range map[string]struct {
		prepare func(dir string) error
		says    string
		root    bool // root is not refused
		only    string
	}{
		"a hard link":            {prepare: func(dir string) error { return os.Link(filepath.Join(dir, "a"), filepath.Join(dir, "../second")) }, says: "2 names (hard links)"},
		"a folder not to write":  {prepare: func(dir string) error { return os.Chmod(filepath.Join(dir, "sub"), 0o555) }, says: "permission denied", root: true},
		"a file not to write":    {prepare: func(dir string) error { return os.Chmod(filepath.Join(dir, "a"), 0o444) }, says: "permission denied", root: true},
		"the folder itself":      {prepare: func(dir string) error { return os.Chmod(dir, 0o555) }, says: "permission denied", root: true},
		"open for writing":       {prepare: func(dir string) error { return keepOpen(t, filepath.Join(dir, "a")) }, says: "open for writing"},
		"a file to write to all": {prepare: func(dir string) error { return os.Chmod(filepath.Join(dir, "a"), 0o666) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, dir := opened(t, before)
			if err := c.prepare(dir); err != nil {
				t.Fatal(err)
			}
			was := visible(t, dir)
			_, err := f.Apply(t.Context(), changed(before, after), Acceptance{})
			if c.says == "" || c.root && os.Getuid() == 0 {
				if err != nil || !on(t, dir).Equal(after) {
					t.Errorf("refused: %v", err)
				}
			} else if err == nil || !strings.Contains(err.Error(), c.says) || visible(t, dir) != was {
				t.Errorf("error %v, want one that says %q, and the folder\n%s\nwas\n%s", err, c.says, visible(t, dir), was)
			}
			_ = os.Chmod(filepath.Join(dir, "sub"), 0o755) // to be removed
			_ = os.Chmod(dir, 0o755)
		})
	}
}

// keepOpen has a file open for writing until the end of the test.
func keepOpen(t *testing.T, name string) error {
	file, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err == nil {
		t.Cleanup(func() { _ = file.Close() })
	}
	return err
}

func TestAUsersFileOfTheNameOfATemporaryOneSurvives(t *testing.T) {
	t.Parallel()
	before := vfs.Files{"X": "x\n", "X.agentd-guard": "mine\n"}
	after := vfs.Files{"X": "y\n", "X.agentd-guard": "mine\n"}
	f, dir := opened(t, before)
	if _, err := f.Apply(t.Context(), changed(before, after), Acceptance{}); err != nil || !on(t, dir).Equal(after) {
		t.Errorf("%v, %v", err, on(t, dir))
	}
	tr, err := openTree(kernel{}, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tr.close()
	if err := tr.stage("X", content("z\n")); !errors.Is(err, os.ErrExist) {
		t.Errorf("a name that is there is staged to: %v", err)
	}
}
