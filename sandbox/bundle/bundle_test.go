package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// program makes a folder with a program and returns it.
func program(t *testing.T, change func(dir string) error) string {
	t.Helper()
	dir := t.TempDir()
	if err := errors.Join(
		os.WriteFile(filepath.Join(dir, "run"), []byte("#!/bin/sh\n"), 0o700),
		os.MkdirAll(filepath.Join(dir, "lib"), 0o700),
		os.WriteFile(filepath.Join(dir, "lib", "a.py"), []byte("a"), 0o600),
		os.Symlink("lib/a.py", filepath.Join(dir, "link")),
		change(dir),
	); err != nil {
		t.Fatal(err)
	}
	return dir
}

func open(t *testing.T, path string) *Bundle {
	t.Helper()
	b, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Lstat(b.top); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left behind (%v)", b.top, err)
		}
	})
	return b
}

func TestEverybodyCanReadTheCopy(t *testing.T) {
	t.Parallel()
	b := open(t, program(t, func(string) error { return nil }))
	for name, want := range map[string]fs.FileMode{".": 0o755, "run": 0o755, "lib": 0o755, "lib/a.py": 0o644} {
		if info, err := os.Lstat(filepath.Join(b.Folder, name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v; want %v", name, info.Mode(), err, want)
		}
	}
	if target, err := os.Readlink(filepath.Join(b.Folder, "link")); err != nil || target != "lib/a.py" {
		t.Errorf("the link leads to %q, %v", target, err)
	}
}

func TestTheHashTellsProgramsApart(t *testing.T) {
	t.Parallel()
	same := func(string) error { return nil }
	first := open(t, program(t, same)).Hash
	for name, c := range map[string]struct {
		change func(dir string) error
		equal  bool
	}{
		"nothing":   {same, true},
		"a content": {func(dir string) error { return os.WriteFile(filepath.Join(dir, "lib/a.py"), []byte("b"), 0o600) }, false},
		"a name": {func(dir string) error {
			return os.Rename(filepath.Join(dir, "lib/a.py"), filepath.Join(dir, "lib/b.py"))
		}, false},
		"one more":         {func(dir string) error { return os.WriteFile(filepath.Join(dir, "x"), nil, 0o600) }, false},
		"right to execute": {func(dir string) error { return os.Chmod(filepath.Join(dir, "run"), 0o600) }, false},
		"who may execute":  {func(dir string) error { return os.Chmod(filepath.Join(dir, "run"), 0o711) }, true},
		"where it links": {func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, "link")), os.Symlink("x", filepath.Join(dir, "link")))
		}, false},
		"an empty folder": {func(dir string) error { return os.Mkdir(filepath.Join(dir, "e"), 0o700) }, false},
	} {
		if got := open(t, program(t, c.change)).Hash; (got == first) != c.equal {
			t.Errorf("changed %s: equal is %v", name, got == first)
		}
	}
}

func TestAFileAlone(t *testing.T) {
	t.Parallel()
	dir := program(t, func(string) error { return nil })
	b := open(t, filepath.Join(dir, "run"))
	if names, err := os.ReadDir(b.Folder); err != nil || len(names) != 1 || names[0].Name() != "run" {
		t.Errorf("%v, %v", names, err)
	}
	if other := open(t, filepath.Join(dir, "lib/a.py")); other.Hash == b.Hash {
		t.Error("two files have one hash")
	}
}

func TestWhatCannotBeCopied(t *testing.T) {
	t.Parallel()
	if _, err := Open("no/such/folder"); err == nil || !strings.Contains(err.Error(), "no/such/folder") {
		t.Errorf("a missing folder: %v", err)
	}
}

func TestCopiesOfKilledProcessesAreRemoved(t *testing.T) {
	t.Parallel()
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		t.Fatal(err)
	}
	const neverStarted = 1 // no process has started at this clock tick
	dead := filepath.Join(os.TempDir(), fmt.Sprintf("sandbox-%s-%d-%d-x", strings.Trim(space, "pid:[]"), os.Getpid(), neverStarted))
	if err := os.MkdirAll(filepath.Join(dead, copyName, "a"), 0o755); err != nil {
		t.Fatal(err)
	}
	alive := open(t, program(t, func(string) error { return nil }))
	open(t, program(t, func(string) error { return nil }))
	if _, err := os.Lstat(dead); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the copy of a process that has ended is still there (%v)", err)
	}
	if _, err := os.Lstat(alive.Folder); err != nil {
		t.Errorf("the copy of a living process is gone: %v", err)
	}
}
