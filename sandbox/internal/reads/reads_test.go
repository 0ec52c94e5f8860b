//go:build linux

package reads

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// watched makes files of the names and has them watched.
func watched(t *testing.T, w *Watch, names ...string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for _, name := range names {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0) // closing it is no read
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Add(name, int(f.Fd())), f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func read(t *testing.T, folder, name string) {
	t.Helper()
	if _, err := os.ReadFile(filepath.Join(folder, name)); err != nil {
		t.Fatal(err)
	}
}

func taken(t *testing.T, w *Watch, want map[string]bool) {
	t.Helper()
	got, err := w.Take()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestReadsAreRecorded(t *testing.T) {
	t.Parallel()
	var pool Pool
	w, err := pool.New()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	folder := watched(t, w, "a", "b", "c")
	taken(t, w, map[string]bool{})
	read(t, folder, "a")
	read(t, folder, "a")
	if err := os.WriteFile(filepath.Join(folder, "b"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	taken(t, w, map[string]bool{"a": true})
	taken(t, w, map[string]bool{})
	read(t, folder, "b")
	if err := w.Reset(); err != nil {
		t.Fatal(err)
	}
	read(t, folder, "c")
	taken(t, w, map[string]bool{})
}

// Of many watches, more than the kernel has queues, each knows its own files alone, also while
// others end.
func TestWatchesShareQueues(t *testing.T) {
	t.Parallel()
	const queues, all = 2, 9
	opened := 0
	pool := Pool{open: func() (int, error) {
		if opened == queues {
			return -1, unix.EMFILE
		}
		opened++
		return openQueue()
	}}
	var watches []*Watch
	var folders []string
	for i := range all {
		w, err := pool.New()
		if err != nil {
			t.Fatal(err)
		}
		watches, folders = append(watches, w), append(folders, watched(t, w, fmt.Sprint(i), "kept"))
	}
	for i := range all {
		read(t, folders[i], fmt.Sprint(i))
	}
	for i := 0; i < all; i += 2 {
		watches[i].Close()
	}
	if err := watches[1].Reset(); err != nil {
		t.Fatal(err)
	}
	read(t, folders[1], "kept")
	taken(t, watches[1], map[string]bool{})
	for i := 3; i < all; i += 2 {
		taken(t, watches[i], map[string]bool{fmt.Sprint(i): true})
		read(t, folders[i], "kept")
		taken(t, watches[i], map[string]bool{"kept": true})
	}
	for i := 1; i < all; i += 2 {
		watches[i].Close()
	}
	if len(pool.queues) != 0 || opened != queues {
		t.Errorf("%d queues were opened, and %d are left", opened, len(pool.queues))
	}
}

func TestAPoolOpensOnlySoManyQueues(t *testing.T) {
	t.Parallel()
	opened := 0
	pool := Pool{open: func() (int, error) {
		opened++
		return openQueue()
	}}
	for range 3 * mostQueues {
		w, err := pool.New()
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
	}
	if opened != mostQueues {
		t.Errorf("%d queues, want %d", opened, mostQueues)
	}
}

func TestAKernelWithoutQueues(t *testing.T) {
	t.Parallel()
	pool := Pool{open: func() (int, error) { return -1, unix.EMFILE }}
	if _, err := pool.New(); !errors.Is(err, unix.EMFILE) || !strings.Contains(err.Error(), "max_user_instances") {
		t.Errorf("the error is %v", err)
	}
}

// More files are read than the kernel's queue has room for.
func TestAQueueThatOverflows(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("/proc/sys/fs/inotify/max_queued_events")
	if err != nil {
		t.Fatal(err)
	}
	var room int
	if _, err := fmt.Sscan(string(raw), &room); err != nil {
		t.Fatal(err)
	}
	if room > 50_000 {
		t.Skipf("the queue of this kernel has room for %d events, too many to fill in a test (16384 is usual: sysctl fs.inotify.max_queued_events)", room)
	}
	var pool Pool
	w, err := pool.New()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var names []string
	want := map[string]bool{}
	for i := range room/2 + 100 { // a read is two events: the second ends the watch
		names = append(names, fmt.Sprint(i))
		want[fmt.Sprint(i)] = true
	}
	folder := watched(t, w, append(names, "never read")...)
	for _, name := range names {
		read(t, folder, name)
	}
	taken(t, w, want)
}
