//go:build linux

package folder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/sandbox"
	"agentd/vfs"
)

// newTree returns a tree with the files, changed as a script would change them.
func newTree(t *testing.T, files vfs.Files, change func(dir string) error) *Tree {
	t.Helper()
	dir := t.TempDir()
	above, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := OpenTree(above)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		tree.Close()
		if err := errors.Join(above.Close(), os.Chmod(dir, 0o755)); err != nil {
			t.Error(err)
		}
	})
	unwatched := func(string, int) error { return nil }
	if err := errors.Join(tree.Fill(files, unwatched), change(filepath.Join(dir, sandbox.WorkspaceName))); err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestThereAndBack(t *testing.T) {
	t.Parallel()
	files := vfs.Files{"same": "s", "edit": "1", "sub/gone": "g"}
	tree := newTree(t, files, func(dir string) error {
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
	left, err := tree.Collect(files, sandbox.DefaultLimits())
	if err != nil {
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
}

func TestLimitsOfWhatIsTaken(t *testing.T) {
	t.Parallel()
	tree := newTree(t, nil, func(dir string) error {
		for i := range 10 {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte(strings.Repeat("x", 100)), 0o644); err != nil {
				return err
			}
		}
		return os.WriteFile(filepath.Join(dir, "0"), []byte(strings.Repeat("x", 300)), 0o644)
	})
	limits := sandbox.Limits{FileBytes: 200, DiskBytes: 500, Files: 6}
	left, err := tree.Collect(nil, limits)
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
