package guard

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"agentd/vfs"
)

// world is a folder to which a program and other people do anything.
type world struct {
	*rand.Rand
	t     *testing.T
	dir   string
	texts int
}

func (w *world) one(of ...string) string { return of[w.IntN(len(of))] }

func (w *world) name() string {
	return w.one("a", "b", "run", "sub/c", "sub/d", "sub/deep/e", "x", "x/y", "x/y/z", "other/f")
}

func (w *world) text() string {
	w.texts++
	return fmt.Sprintf("text %d\n", w.texts)
}

// propose is what a program makes of files.
func (w *world) propose(before vfs.Files) vfs.Files {
	after := before.Clone()
	for range 1 + w.IntN(3) {
		name := w.name()
		switch _, there := after[name]; w.IntN(4) {
		case 0:
			delete(after, name)
		case 1:
			if to := w.name(); there && to != name {
				after[to] = after[name]
				delete(after, name)
			}
		default:
			after[name] = w.text()
		}
	}
	for name := range after { // a file below a file cannot be
		for other := range after {
			if strings.HasPrefix(name, other+"/") {
				delete(after, name)
			}
		}
	}
	return after
}

// meddle is what somebody else does to the folder.
func (w *world) meddle() {
	at := filepath.Join(w.dir, w.name())
	info, err := os.Lstat(at)
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	switch w.IntN(7) {
	case 0:
		err = os.Chmod(at, []os.FileMode{0o600, 0o644, 0o640, 0o755, 0o666}[w.IntN(5)])
	case 1:
		err = unix.Setxattr(at, "user.tag", []byte(w.text()), 0)
	case 2:
		err = unix.Setxattr(at, accessListName, accessList(byte(w.IntN(9)), 6, byte(w.IntN(8)), 0), 0)
	case 3:
		second := filepath.Join(filepath.Dir(w.dir), "second")
		_ = os.Remove(second) // of an earlier one
		err = os.Link(at, second)
	case 4:
		err = os.WriteFile(at, []byte(w.text()), 0o644)
	case 5:
		err = os.Remove(at)
	case 6:
		if os.Getuid() == 0 {
			err = os.Chown(at, 1000+w.IntN(3), 1000+w.IntN(3))
		}
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// Random changes, with somebody else at work on the same files: each is applied and then undone, after which bytes, rights and times
// are as before; or it is refused, and nothing is different.
func TestRandomChangesAreUndoneOrRefused(t *testing.T) {
	t.Parallel()
	changes := 10_000
	if testing.Short() {
		changes = 400
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	w := &world{Rand: rand.New(rand.NewPCG(seed, 0)), t: t}
	var f *Folder
	applied, refused := 0, map[string]int{}
	for n := range changes {
		if n%200 == 0 {
			f, w.dir = opened(t, vfs.Files{"a": w.text(), "b": w.text(), "run": w.text(), "sub/c": w.text(), "sub/d": w.text(), "x": w.text()})
		}
		w.meddle()
		before, _, err := f.Files()
		if err != nil {
			t.Fatal(err)
		}
		if w.IntN(4) == 0 {
			w.meddle() // while the program was at work
		}
		was, times := visible(t, w.dir), modified(t, w.dir)
		after := w.propose(before)
		delta := changed(before, after)
		number, err := f.Apply(t.Context(), delta, Acceptance{Reason: "x"})
		if err != nil {
			why := named(err)
			if refused[why]++; why == "" || visible(t, w.dir) != was {
				t.Fatalf("change %d of seed %d: %v, and the folder is\n%s\nwas\n%s", n, seed, err, visible(t, w.dir), was)
			}
			if w.IntN(2) == 0 {
				second := filepath.Join(filepath.Dir(w.dir), "second")
				_ = os.Remove(second) // so that what has two names has one
			}
			continue
		}
		if number == 0 {
			continue
		}
		applied++
		for name, c := range delta {
			is, err := os.ReadFile(filepath.Join(w.dir, name))
			if c.After != nil && (err != nil || string(is) != string(c.After.Content)) {
				t.Fatalf("change %d of seed %d: %s is %q, %v", n, seed, name, is, err)
			}
		}
		if w.IntN(8) == 0 { // it stays
			continue
		}
		if _, err := f.Undo(t.Context(), number); err != nil {
			t.Fatalf("change %d of seed %d: undoing: %v", n, seed, err)
		}
		if got := visible(t, w.dir); got != was {
			t.Fatalf("change %d of seed %d: undone\n%s\nwas\n%s", n, seed, got, was)
		}
		for path, now := range modified(t, w.dir) {
			if !now.Equal(times[path]) {
				t.Fatalf("change %d of seed %d: %s has the time %v, had %v", n, seed, path, now, times[path])
			}
		}
	}
	t.Logf("%d applied, refused: %v", applied, refused)
	if applied < changes/4 || len(refused) == 0 {
		t.Errorf("%d applied, refused %v: this does not show much", applied, refused)
	}
}

// named is the kind of a refusal.
func named(err error) string {
	for _, kind := range []string{"hard links", executable, "cannot be kept", "permission denied", "holds more"} {
		if strings.Contains(err.Error(), kind) {
			return kind
		}
	}
	if errors.Is(err, ErrRace) {
		return "changed in the meantime"
	}
	return ""
}
