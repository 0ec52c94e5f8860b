package guard

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentd/sandbox"
	"agentd/sandbox/bwrap"
	"agentd/sandbox/sandboxtest"
	"agentd/vfs"
)

// What the sandbox's table of attacks does to files reaches the guarded folder in no other form
// than regular files of text: each attack is run as a guarded command, and all that it proposes is
// accepted.
func TestAttacksOnFilesDoNotReachTheFolder(t *testing.T) {
	t.Parallel()
	backend, err := bwrap.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := backend.Close(); err != nil {
			t.Error(err)
		}
	})
	tried := 0
	for _, attack := range sandboxtest.Attacks() {
		slow := strings.Contains(attack.Name, "thousand") || strings.Contains(attack.Name, "GiB") || attack.Limits != nil
		if !slices.Contains([]string{"files back", "files out"}, attack.Area) || slow {
			continue
		}
		tried++
		t.Run(attack.Area+"/"+attack.Name, func(t *testing.T) {
			t.Parallel()
			files := vfs.Files{"keep.txt": "keep", "a.ledger": cafe}
			for name, content := range attack.Files {
				files[name] = content
			}
			f, dir := opened(t, files)
			p, err := f.Run(t.Context(), backend, sandbox.Command{
				Args: []string{"python3", "-c", strings.ReplaceAll(attack.Code, "%MARKER%", "guarded")}, Limits: sandbox.DefaultLimits(),
			})
			if errors.Is(err, sandbox.ErrUnavailable) {
				t.Fatal(err)
			}
			if err == nil {
				if _, err = f.Accept(t.Context(), &p, Decision{Reason: "test"}); err != nil {
					t.Logf("not accepted: %v", err)
				}
			} else {
				t.Logf("nothing is proposed: %v", err)
			}
			if left := on(t, dir); left["keep.txt"] != "keep" || left["a.ledger"] != cafe {
				t.Errorf("the files are %v", left)
			}
			onlyRegular(t, dir)
			if entries, err := os.ReadDir(filepath.Dir(dir)); err != nil || slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() != "books" && e.Name() != "state" }) {
				t.Errorf("next to the folder there is %v, %v", entries, err)
			}
		})
	}
	if tried < 15 {
		t.Errorf("only %d attacks were tried", tried)
	}
}

// onlyRegular checks that a folder holds folders and regular files, of which none runs as its owner.
func onlyRegular(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := os.Lstat(path)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() || info.Mode()&(os.ModeSetuid|os.ModeSetgid) != 0 {
			t.Errorf("%s is %v", path, info.Mode())
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
