package guard

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"agentd/vfs"
)

// faulty fails once, at a call of a number, or stops there as if killed.
type faulty struct {
	kernel
	at    int   // the call, from 1; 0 for none
	err   error // nil to stop
	after bool  // the call is carried out before it fails

	mu    sync.Mutex
	count int
	calls []string
	until func(what, name string) // called before each call; may be nil
}

// stopped is what a faulty that stops panics with.
type stopped struct{}

func (f *faulty) do(what, name string, call func() error) error {
	f.mu.Lock()
	f.count++
	f.calls = append(f.calls, what+" "+filepath.Base(name))
	hit := f.count == f.at
	f.mu.Unlock()
	if f.until != nil {
		f.until(what, name)
	}
	if !hit {
		return f.kernel.do(what, name, call)
	}
	if f.after && what != "flock" { // a killed process has no lock any more, and this one lives on
		if err := f.kernel.do(what, name, call); err != nil {
			return err
		}
	}
	if f.err == nil {
		panic(stopped{})
	}
	return &os.PathError{Op: what, Path: name, Err: f.err}
}

// stopping calls a function that may stop as if killed.
func stopping(do func()) (wasStopped bool) {
	defer func() {
		if p := recover(); p != nil {
			if _, ours := p.(stopped); !ours {
				panic(p)
			}
			wasStopped = true
		}
	}()
	do()
	return false
}

// The change has everything that a change can have: an edit, a deletion, a new file, new folders, a renaming, a file that becomes
// a folder, and a folder that becomes a file.
var (
	faultBefore = vfs.Files{"edit.txt": "before\n", "gone.txt": "gone\n", "sub/moved.txt": "moved\n", "file": "a file\n", "swap/in/x": "x\n", "stays.txt": "stays\n"}
	faultAfter  = vfs.Files{"edit.txt": "before\nafter\n", "new.txt": "new\n", "deep/er/moved.txt": "moved\n", "file/inside.txt": "inside\n", "swap": "a file now\n", "stays.txt": "stays\n"}
)

// visible is all that one can see of a folder: contents, rights and names of everything.
func visible(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		var content []byte
		if entry.Type().IsRegular() {
			if content, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		rel, err := filepath.Rel(dir, path)
		fmt.Fprintf(&b, "%s %v %q%s\n", rel, info.Mode(), content, more(t, path, entry))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// attempt applies a change, or undoes it, with a fault, and returns what was told.
type attempt struct {
	applied bool
	err     error
	stopped bool
	calls   int
}

// with makes a folder and has a fault happen while the change is applied, or while it is undone.
func with(t *testing.T, undo bool, f *faulty) (dir, log, before, after string, a attempt) {
	t.Helper()
	folder, dir := opened(t, faultBefore)
	before = visible(t, dir)
	number := 0
	if undo {
		var err error
		if number, err = folder.Apply(t.Context(), changed(faultBefore, faultAfter), Acceptance{Reason: "first"}); err != nil {
			t.Fatal(err)
		}
		before, after = visible(t, dir), before
	}
	log = filepath.Dir(folder.log)
	a.stopped = stopping(func() {
		folder, err := openWith(t.Context(), f, dir, log)
		if err == nil && undo {
			_, err = folder.Undo(t.Context(), number)
		} else if err == nil {
			_, err = folder.Apply(t.Context(), changed(faultBefore, faultAfter), Acceptance{Reason: "the change"})
		}
		a.applied, a.err = err == nil, err
	})
	a.calls = f.count
	return dir, log, before, after, a
}

func TestEveryFaultLeavesTheFolderAsBeforeOrAfter(t *testing.T) {
	t.Parallel()
	for _, undo := range []bool{false, true} {
		none := &faulty{}
		dir, _, _, after, a := with(t, undo, none)
		if !a.applied {
			t.Fatal(a.err)
		}
		if !undo {
			after = visible(t, dir)
		} else if got := visible(t, dir); got != after {
			t.Fatalf("undone:\n%s\nwant\n%s", got, after)
		}
		t.Logf("undo %v: %d calls", undo, a.calls)
		errs, lates := []error{unix.ENOSPC, unix.EACCES, unix.EROFS, unix.EIO, nil}, []bool{false, true}
		if testing.Short() {
			errs, lates = []error{unix.EIO, nil}, lates[1:]
		}
		for _, err := range errs {
			name := "kill -9"
			if err != nil {
				name = err.(unix.Errno).Error()
			}
			t.Run(fmt.Sprintf("undo %v, %s", undo, name), func(t *testing.T) {
				t.Parallel()
				for at := 1; at <= a.calls; at++ {
					for _, late := range lates {
						tryFault(t, undo, &faulty{at: at, err: err, after: late}, none.calls[at-1], after)
					}
				}
			})
		}
	}
}

func tryFault(t *testing.T, undo bool, f *faulty, call, after string) {
	t.Helper()
	dir, log, before, _, a := with(t, undo, f)
	what := fmt.Sprintf("call %d, %s, %v, late %v", f.at, call, f.err, f.after)
	is := visible(t, dir)
	if !a.stopped {
		switch {
		case a.applied && withoutStaged(is) != after:
			t.Errorf("%s: told as applied, and the folder is\n%s", what, is)
		case !a.applied && withoutStaged(is) != before:
			t.Errorf("%s: told as failed (%v), and the folder is\n%s", what, a.err, is)
		}
	}
	folder, err := Open(t.Context(), dir, log)
	if err != nil {
		t.Fatalf("%s: opening it again: %v", what, err)
	}
	settled := visible(t, dir)
	if settled != before && settled != after {
		t.Fatalf("%s: between before and after:\n%s", what, settled)
	}
	if !a.stopped && a.applied != (settled == after) {
		t.Errorf("%s: applied %v, and then the folder is\n%s", what, a.applied, settled)
	}
	entries, err := folder.Log()
	first := 0
	if undo {
		first = 1
	}
	if err != nil || (len(entries) > first) != (settled == after) {
		t.Errorf("%s: the folder is as after: %v, and the log has %d entries, %v", what, settled == after, len(entries), err)
	}
	if left, err := os.ReadDir(folder.log); err != nil && !errors.Is(err, os.ErrNotExist) || slices.ContainsFunc(left, func(e os.DirEntry) bool {
		return e.Name() != "lock" && filepath.Ext(e.Name()) != string(finished)
	}) {
		t.Errorf("%s: left in the log: %v, %v", what, left, err)
	}
}

// withoutStaged leaves out what waits to be removed.
func withoutStaged(state string) string {
	return strings.Join(slices.DeleteFunc(strings.SplitAfter(state, "\n"), func(line string) bool { return strings.Contains(line, stagedPrefix) }), "")
}

// A file system that cannot exchange two files, or rename without replacing, as NFS.
type plain struct{ faulty }

func (p *plain) do(what, name string, call func() error) error {
	if what == "exchange" || what == "rename" && !strings.Contains(name, "/state/") {
		return unix.EINVAL
	}
	return p.faulty.do(what, name, call)
}

func TestStoppedOnAFileSystemThatCannotExchange(t *testing.T) {
	t.Parallel()
	before, after := vfs.Files{"a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n"}, vfs.Files{"a.txt": "A\n", "b.txt": "B\n", "sub/d.txt": "d\n"}
	for at, calls := 0, 1; at <= calls; at++ {
		folder, dir := opened(t, before)
		was := visible(t, dir)
		p := &plain{faulty{at: at}}
		killed := stopping(func() {
			f, err := openWith(t.Context(), p, dir, filepath.Dir(folder.log))
			if err == nil {
				_, err = f.Apply(t.Context(), changed(before, after), Acceptance{Reason: "x"})
			}
			if err != nil {
				t.Error(err)
			}
		})
		if at == 0 {
			calls = p.count
		}
		q := &plain{}
		f, err := openWith(t.Context(), q, dir, filepath.Dir(folder.log))
		if err != nil {
			t.Fatalf("stopped at %s: %v", p.calls[len(p.calls)-1], err)
		}
		log, err := f.Log()
		switch got := on(t, dir); {
		case err != nil || got.Equal(after) != (len(log) == 1):
			t.Errorf("stopped at %s: %d entries, %v, and the folder %v", p.calls[len(p.calls)-1], len(log), err, got)
		case !got.Equal(after) && (visible(t, dir) != was || !killed):
			t.Errorf("stopped at %s: between: %v", p.calls[len(p.calls)-1], got)
		}
	}
}

func TestStoppedProcessesLeaveAChangeThatSomebodyMadeInTheMeantime(t *testing.T) {
	t.Parallel()
	// Stopped with all files exchanged; then somebody edits one of them.
	for _, name := range []string{"edit.txt", "new.txt", "file/inside.txt", "deep/er/moved.txt", "gone.txt"} {
		f := &faulty{}
		folder, dir := opened(t, faultBefore)
		moves := 0
		f.until = func(what, _ string) {
			if what == "rename" || what == "exchange" {
				moves++
			}
			if what == "fsync" && moves > 3 {
				panic(stopped{})
			}
		}
		if !stopping(func() {
			f, _ := openWith(t.Context(), f, dir, filepath.Dir(folder.log)) // nothing is there to settle
			_, err := f.Apply(t.Context(), changed(faultBefore, faultAfter), Acceptance{Reason: "x"})
			t.Error("not stopped", err)
		}) {
			continue
		}
		put(t, filepath.Join(dir, name), "mine\n")
		again, err := Open(t.Context(), dir, filepath.Dir(folder.log))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := on(t, dir)
		want := faultBefore.Clone()
		want[name] = "mine\n"
		if strings.HasPrefix(name, "file/") {
			delete(want, "file")
		}
		if !got.Equal(want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		log, err := again.Log()
		if err != nil || len(log) != 1 || !strings.Contains(log[0].Reason, "interrupted") || !slices.Contains(append(log[0].Files.Names(), filepath.Dir(name)), name) {
			t.Errorf("%s: the log is %+v, %v", name, log, err)
		}
		if was := faultBefore[name]; len(log) == 1 && was != "" && string(log[0].Files[name].Before.Content) != was {
			t.Errorf("%s: what it was is not in the log", name)
		}
	}
}

func TestAFullDiskUnderTheLogIsTold(t *testing.T) {
	t.Parallel()
	folder, dir := opened(t, faultBefore)
	full := fullLog{}
	f, err := openWith(t.Context(), full, dir, filepath.Dir(folder.log))
	if err != nil {
		t.Fatal(err)
	}
	number, err := f.Apply(t.Context(), changed(faultBefore, faultAfter), Acceptance{Reason: "x"})
	if number != 0 || !errors.Is(err, unix.ENOSPC) || !strings.Contains(err.Error(), "keeping accepted changes") {
		t.Errorf("%d, %v", number, err)
	}
	if got := on(t, dir); !got.Equal(faultBefore) {
		t.Errorf("the folder is %v", got)
	}
}

// fullLog is a kernel whose disk under the log has no room.
type fullLog struct{ kernel }

func (f fullLog) do(what, name string, call func() error) error {
	if what == "write" && filepath.Ext(name) == partSuffix {
		return &os.PathError{Op: what, Path: name, Err: unix.ENOSPC}
	}
	return f.kernel.do(what, name, call)
}

// A process is killed while it changes the folder, and the next one while it takes that back or finishes it; or that one's disk fails.
func TestEveryFaultOfARecoveryIsCarriedOn(t *testing.T) {
	t.Parallel()
	none := &faulty{}
	dir, _, before, _, a := with(t, false, none)
	if a.err != nil {
		t.Fatal(a.err)
	}
	after := visible(t, dir)
	tried := 0
	for at, call := range none.calls {
		if what, name, _ := strings.Cut(call, " "); what != "exchange" && name != "1.ready" && what != "remove" {
			continue
		}
		for _, err := range []error{nil, unix.EIO} {
			for second, calls := 1, 1; second <= calls; second++ {
				dir, log, _, _, _ := with(t, false, &faulty{at: at + 1, after: true})
				faults := &faulty{at: second, err: err, after: second%2 == 0}
				stopping(func() { _, _ = openWith(t.Context(), faults, dir, log) }) // it may fail
				if second == 1 {
					whole := &faulty{}
					dir, log, _, _, _ := with(t, false, &faulty{at: at + 1, after: true})
					if _, err := openWith(t.Context(), whole, dir, log); err != nil {
						t.Fatal(err)
					}
					calls = whole.count
				}
				f, problem := Open(t.Context(), dir, log)
				if problem != nil {
					t.Fatalf("stopped at %s, then %v at call %d: %v", call, err, second, problem)
				}
				entries, problem := f.Log()
				if got := visible(t, dir); problem != nil || got != before && got != after || (got == after) != (len(entries) == 1) {
					t.Errorf("stopped at %s, then %v at call %d: %d entries, %v, and the folder is\n%s", call, err, second, len(entries), problem, got)
				}
				tried++
			}
		}
		if testing.Short() && tried > 200 {
			break
		}
	}
	t.Logf("%d tried", tried)
}
