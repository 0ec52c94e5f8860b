package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/sandbox"
	"agentd/vfs"
)

func newFolder(t *testing.T) *Folder {
	t.Helper()
	f, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Remove(); err != nil {
			t.Error(err)
		}
		if _, err := os.Lstat(f.Path()); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left behind (%v)", f.Path(), err)
		}
	})
	return f
}

// do changes the workspace as a script would.
func do(t *testing.T, f *Folder, changes func(dir string) error) {
	t.Helper()
	if err := changes(f.Workspace()); err != nil {
		t.Fatal(err)
	}
}

func TestThereAndBack(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	files := vfs.Files{"same": "s", "edit": "1", "sub/gone": "g"}
	if err := f.Tree().Sync(files); err != nil {
		t.Fatal(err)
	}
	do(t, f, func(dir string) error {
		return errors.Join(
			os.WriteFile(filepath.Join(dir, "edit"), []byte("2"), 0o600),
			os.Remove(filepath.Join(dir, "sub/gone")),
			os.Symlink("/etc/passwd", filepath.Join(dir, "link")),
			os.MkdirAll(filepath.Join(dir, "new/deep"), 0o755),
			os.WriteFile(filepath.Join(dir, "new/deep/file"), []byte("n"), 0),
			os.Chmod(filepath.Join(dir, "new"), 0),
			os.Chmod(dir, 0),
		)
	})
	left, err := f.Tree().Collect(files, sandbox.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Settle(left); err != nil {
		t.Fatal(err)
	}
	ws, err := vfs.New(files, nil)
	if err != nil {
		t.Fatal(err)
	}
	var result sandbox.Result
	left.Apply(ws, &result)
	want := sandbox.Result{
		Changed: vfs.Files{"edit": "2", "new/deep/file": "n"}, Deleted: []string{"sub/gone"},
		Skipped: []sandbox.Skipped{{File: "link", Reason: "symbolic link"}},
	}
	if diff := cmp.Diff(want, result); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Lstat(filepath.Join(f.Workspace(), "link")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the link was not removed (%v)", err)
	}
	// What lies there now is known, so the next Sync writes only differences.
	if err := f.Tree().Sync(vfs.Files{"new": "a file now"}); err != nil {
		t.Error(err)
	}
}

// Folders deeper than a path can be, without permissions, do not stay.
func TestResetAndRemoveDeepFolders(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	do(t, f, func(dir string) error {
		root, err := os.OpenRoot(dir)
		for range 2000 {
			if err == nil {
				err = root.Mkdir("deeper", 0o700)
			}
			if err != nil {
				return err
			}
			below, failed := root.OpenRoot("deeper")
			root.Close()
			root, err = below, failed
		}
		return errors.Join(err, root.Close(), os.Chmod(dir, 0))
	})
	if err := f.Reset(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(f.Workspace()); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}

func TestLimitsOfWhatIsTaken(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	do(t, f, func(dir string) error {
		for i := range 10 {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte(strings.Repeat("x", 100)), 0o644); err != nil {
				return err
			}
		}
		return os.WriteFile(filepath.Join(dir, "0"), []byte(strings.Repeat("x", 300)), 0o644)
	})
	limits := sandbox.Limits{FileBytes: 200, DiskBytes: 500, Files: 6}
	left, err := f.Tree().Collect(nil, limits)
	if err != nil {
		t.Fatal(err)
	}
	reasons := make(map[string]int)
	for _, s := range left.skipped.list() {
		reasons[s.Reason]++
	}
	want := map[string]int{"larger than 200 bytes": 1, "over the limit of 500 bytes for all files of a script": 4}
	if diff := cmp.Diff(want, reasons); diff != "" || len(left.changed) != 5 {
		t.Errorf("%d taken; %s", len(left.changed), diff)
	}
}

func TestSweep(t *testing.T) {
	t.Parallel()
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		t.Fatal(err)
	}
	dead, err := os.MkdirTemp(os.TempDir(), fmt.Sprintf("agentd-%s-%d-1-", strings.Trim(space, "pid:[]"), os.Getpid()))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dead, WorkspaceName, "a"), 0o755); err != nil {
		t.Fatal(err)
	}
	alive := newFolder(t)
	Sweep()
	if _, err := os.Lstat(dead); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder of a process that has ended is still there (%v)", err)
	}
	if _, err := os.Lstat(alive.Workspace()); err != nil {
		t.Errorf("the folder of a living process is gone: %v", err)
	}
}
