package guard

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"agentd/vfs"
)

// writeVersions writes numbered versions of a file, one after the other, until its input ends: in place, or by a new file that takes the name. It
// prints what of its own was lost.
func writeVersions(name string, inPlace bool) {
	ended := make(chan bool)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // until the parent closes it
		close(ended)
	}()
	for n := 1; ; n++ {
		select {
		case <-ended:
			fmt.Println("written", n-1)
			return
		default:
		}
		err := writeVersion(name, n, inPlace)
		for tries := 0; err != nil && tries < 1000; tries++ { // an older one may be seen while one is put back
			time.Sleep(time.Millisecond)
			err = writeVersion(name, n, inPlace)
		}
		if err != nil {
			fmt.Println("lost:", err)
			return
		}
		if n%8 == 0 {
			time.Sleep(2 * time.Millisecond) // or it is open at all times
		}
	}
}

func version(n int) string { return fmt.Sprintf("version %d.\n", n) }

func writeVersion(name string, n int, inPlace bool) error {
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	is, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	if !strings.Contains(string(is), version(n-1)) {
		return fmt.Errorf("%q is neither version %d nor made of it", is, n-1)
	}
	if !inPlace {
		part := name + ".new"
		return errors.Join(os.WriteFile(part, []byte(version(n)), 0o644), os.Rename(part, name))
	}
	_, err = file.WriteAt([]byte(version(n)), 0)
	return errors.Join(err, file.Truncate(int64(len(version(n)))))
}

// Another process writes one version of a file after the other, while the guard changes the same file. The other process
// finds its last version there, or what the guard made of it.
func TestNobodysChangeIsLost(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"in place", "by renaming"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			f, dir := opened(t, vfs.Files{"a.txt": version(0)})
			run := exec.Command("/proc/self/exe")
			run.Env = append(os.Environ(), writerChild+"="+filepath.Join(dir, "a.txt"), writerHow+"="+how, placeChild+"=")
			input, err := run.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			output, err := run.StdoutPipe()
			if err == nil {
				err = run.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			for is := []byte(version(0)); string(is) == version(0); { // until it writes
				time.Sleep(time.Millisecond)
				if is, err = os.ReadFile(filepath.Join(dir, "a.txt")); err != nil {
					t.Fatal(err)
				}
			}
			applied, refused := 0, 0
			for began := time.Now(); applied < 300 && time.Since(began) < 20*time.Second; {
				files, _, err := f.Files()
				if err != nil {
					continue // between two names
				}
				is := files["a.txt"]
				_, err = f.Apply(t.Context(), changed(vfs.Files{"a.txt": is}, vfs.Files{"a.txt": "made of " + is}), Acceptance{Reason: "x"})
				switch {
				case err == nil:
					applied++
				case errors.Is(err, ErrRace):
					refused++
				default:
					t.Fatal(err)
				}
			}
			if err := input.Close(); err != nil {
				t.Fatal(err)
			}
			said := bufio.NewScanner(output)
			for said.Scan() {
				if line := said.Text(); strings.HasPrefix(line, "lost") {
					t.Error(line)
				} else {
					t.Logf("%s: %d applied, %d refused, %s", how, applied, refused, line)
				}
			}
			if err := run.Wait(); err != nil || applied == 0 {
				t.Errorf("%d applied, %v", applied, err)
			}
		})
	}
}

// What somebody does between the check and the exchange is found in what was exchanged.
func TestNobodysChangeIsLostAtAnyMoment(t *testing.T) {
	t.Parallel()
	for name, meddle := range map[string]func(dir string) error{
		"an edit":                  func(dir string) error { return os.WriteFile(filepath.Join(dir, "edit.txt"), []byte("mine\n"), 0o644) },
		"other rights":             func(dir string) error { return os.Chmod(filepath.Join(dir, "edit.txt"), 0o600) },
		"an edit of what goes":     func(dir string) error { return os.WriteFile(filepath.Join(dir, "gone.txt"), []byte("mine\n"), 0o644) },
		"a new file of the name":   func(dir string) error { return os.WriteFile(filepath.Join(dir, "new.txt"), []byte("mine\n"), 0o644) },
		"a new folder of the name": func(dir string) error { return os.Mkdir(filepath.Join(dir, "deep"), 0o755) },
		"a second name":            func(dir string) error { return os.Link(filepath.Join(dir, "edit.txt"), filepath.Join(dir, "second")) },
		"a link in its place": func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, "edit.txt")), os.Symlink("stays.txt", filepath.Join(dir, "edit.txt")))
		},
		"a folder in its place": func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, "gone.txt")), os.Mkdir(filepath.Join(dir, "gone.txt"), 0o755))
		},
		"removed": func(dir string) error { return os.Remove(filepath.Join(dir, "edit.txt")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder, dir := opened(t, faultBefore)
			faults := &faulty{}
			var mine string
			faults.until = func(what, name string) {
				if what == "rename" && filepath.Ext(name) == string(begun) && mine == "" { // all is checked and staged
					if err := meddle(dir); err != nil {
						t.Error(err)
					}
					mine = withoutStaged(visible(t, dir))
				}
			}
			f, err := openWith(t.Context(), faults, dir, filepath.Dir(folder.log))
			if err != nil {
				t.Fatal(err)
			}
			_, err = f.Apply(t.Context(), changed(faultBefore, faultAfter), Acceptance{Reason: "x"})
			if !errors.Is(err, ErrRace) || visible(t, dir) != mine {
				t.Errorf("%v, and the folder is\n%s\nwant\n%s", err, visible(t, dir), mine)
			}
			if log, err := f.Log(); err != nil || len(log) != 0 {
				t.Errorf("in the log: %v, %v", log, err)
			}
		})
	}
}

// An edit at every system call of a change: it is in the file afterwards, or it is what the log says that there was before; and all
// other files are as before or as after.
func TestNobodysChangeIsLostAtAnyCall(t *testing.T) {
	t.Parallel()
	others := func(files vfs.Files) vfs.Files {
		files = files.Clone()
		delete(files, "edit.txt")
		return files
	}
	step := 1
	if testing.Short() {
		step = 4
	}
	for _, how := range []string{"in place", "by renaming"} {
		seen := map[bool]int{}
		for at, calls := 1, 1; at <= calls; at += step {
			folder, dir := opened(t, faultBefore)
			faults := &faulty{}
			edited := filepath.Join(dir, "edit.txt")
			faults.until = func(string, string) {
				if faults.count != at {
					return
				}
				name := edited
				if how != "in place" {
					name = filepath.Join(filepath.Dir(dir), "mine")
				}
				if err := errors.Join(os.WriteFile(name, []byte("mine\n"), 0o644), os.Rename(name, edited)); err != nil {
					t.Error(err)
				}
			}
			f, err := openWith(t.Context(), faults, dir, filepath.Dir(folder.log))
			if err != nil {
				t.Fatal(err)
			}
			_, err = f.Apply(t.Context(), changed(faultBefore, faultAfter), Acceptance{Reason: "x"})
			if calls = len(faults.calls); at > calls { // a refusal makes more of them
				break
			}
			log, second := f.Log()
			got := on(t, dir)
			kept := got["edit.txt"] == "mine\n" || len(log) == 1 && string(log[0].Files["edit.txt"].Before.Content) == "mine\n"
			whole := err == nil && others(got).Equal(others(faultAfter)) || err != nil && others(got).Equal(others(faultBefore))
			if second != nil || !kept || !whole || err != nil && !errors.Is(err, ErrRace) {
				t.Errorf("%s at call %d, %s: %v; the folder is %v, and the log has %d entries", how, at, faults.calls[at-1], err, got, len(log))
			}
			seen[err == nil]++
		}
		t.Logf("%s: %d applied, %d refused", how, seen[true], seen[false])
	}
}

func TestAGuardThatWaitsEndsWithItsContext(t *testing.T) {
	t.Parallel()
	f, _ := opened(t, vfs.Files{"a": "a\n"})
	lock, err := f.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	ctx, end := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer end()
	if _, err := f.Apply(ctx, changed(vfs.Files{"a": "a\n"}, vfs.Files{}), Acceptance{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want the context's end", err)
	}
}

// A mount point inside: its files are changed on their own file system, and the point itself is not.
func TestRightsOnAMountPointInside(t *testing.T) {
	t.Parallel()
	if place := os.Getenv(placeChild); place != "mount point" || os.Getuid() != 0 {
		t.Log("tried by TestThePromisesHoldEverywhere")
		return
	}
	before := vfs.Files{"a": "a\n", "inside/b": "b\n", "file": "f\n"}
	f, dir := opened(t, vfs.Files{"a": "a\n", "file": "f\n"})
	at := filepath.Join(dir, "inside")
	mount := func(from, to, kind string, flags uintptr, options string) {
		t.Helper()
		if err := unix.Mount(from, to, kind, flags, options); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = unix.Unmount(to, 0) })
	}
	if err := os.Mkdir(at, 0o755); err != nil {
		t.Fatal(err)
	}
	mount("tmpfs", at, "tmpfs", 0, "size=1m")
	put(t, filepath.Join(at, "b"), "b\n")
	if err := os.Chown(filepath.Join(at, "b"), 1234, 2345); err != nil {
		t.Fatal(err)
	}
	was := visible(t, dir)
	after := vfs.Files{"a": "A\n", "inside/b": "B\n", "inside/c": "c\n", "file": "f\n"}
	number, err := f.Apply(t.Context(), changed(before, after), Acceptance{})
	if err != nil || !on(t, dir).Equal(after) || !strings.Contains(line(visible(t, dir), "inside/b"), "1234:2345") {
		t.Fatalf("%v: %s", err, visible(t, dir))
	}
	if _, err := f.Undo(t.Context(), number); err != nil || visible(t, dir) != was {
		t.Errorf("undone, %v:\n%s\nwant\n%s", err, visible(t, dir), was)
	}
	refused := func(what, says string, after vfs.Files) {
		t.Helper()
		was := visible(t, dir)
		_, err := f.Apply(t.Context(), changed(before, after), Acceptance{})
		if err == nil || !strings.Contains(err.Error(), says) || visible(t, dir) != was {
			t.Errorf("%s: %v, want %q, and the folder is\n%s", what, err, says, visible(t, dir))
		}
	}
	refused("the point itself becomes a file", "mount point", vfs.Files{"a": "A\n", "inside": "now a file\n", "file": "f\n"})
	mount(filepath.Join(dir, "file"), filepath.Join(dir, "file"), "", unix.MS_BIND, "")
	refused("a file that is a mount point", "mount point", vfs.Files{"a": "A\n", "inside/b": "b\n", "file": "F\n"})
	refused("a disk that is full", "no space left", vfs.Files{"a": "A\n", "inside/b": strings.Repeat("much\n", 1<<20), "file": "f\n"})
	if err := unix.Mount("", at, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	refused("a mount that cannot be written", "read-only", vfs.Files{"a": "A\n", "inside/b": "B\n", "file": "f\n"})
}

// Files of an overlay's lower layer, as those of a container's image, have their rights after a change and its undoing.
func TestRightsOfLowerFilesOfAnOverlay(t *testing.T) {
	t.Parallel()
	if os.Getenv(placeChild) != "overlay" {
		t.Log("tried by TestThePromisesHoldEverywhere")
		return
	}
	dir := filepath.Join(os.TempDir(), lowered)
	f, err := Open(t.Context(), dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	was, before := visible(t, dir), on(t, dir)
	after := vfs.Files{"a": "A\n", "sub/moved": "moved\n", "sub/new": "new\n"}
	number, err := f.Apply(t.Context(), changed(before, after), Acceptance{})
	if err != nil || !on(t, dir).Equal(after) {
		t.Fatalf("%v: %s", err, visible(t, dir))
	}
	if _, err := f.Undo(t.Context(), number); err != nil || visible(t, dir) != was {
		t.Errorf("undone, %v:\n%s\nwant\n%s", err, visible(t, dir), was)
	}
}

// An ordinary user cannot keep the owner of a colleague's file, so that it is not changed.
func TestRightsOfAColleague(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Log("tried as root, who can become an ordinary user")
		return
	}
	f, dir := opened(t, vfs.Files{"a": "a\n", "theirs": "t\n"})
	for _, err := range []error{os.Chmod(dir, 0o777), os.Chmod(filepath.Join(dir, "theirs"), 0o666), os.Chown(filepath.Join(dir, "a"), ordinary, ordinary)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	was := visible(t, dir)
	ended := make(chan error)
	go func() { // the rights of one thread, which ends with them
		runtime.LockOSThread()
		if err := errors.Join(unix.Setfsgid(ordinary), unix.Setfsuid(ordinary)); err != nil {
			ended <- err
			return
		}
		_, err := f.apply(context.Background(), changed(vfs.Files{"a": "a\n", "theirs": "t\n"}, vfs.Files{"a": "A\n", "theirs": "T\n"}), Acceptance{}, nil)
		ended <- err
	}()
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "cannot be kept") && !errors.Is(err, os.ErrPermission) || visible(t, dir) != was {
		t.Errorf("%v, and the folder is\n%s", err, visible(t, dir))
	}
}
