//go:build linux

// Package reads finds out which files of a workspace a script reads.
package reads

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"golang.org/x/sys/unix"
)

// Pool makes watches. The zero value is ready for use. The kernel limits the event queues of a
// user (fs.inotify.max_user_instances, usually 128), so watches share queues when there are many.
type Pool struct {
	mu     sync.Mutex
	queues []*queue
	open   func() (int, error) // opens a queue of the kernel; nil for openQueue
}

// mostQueues is the maximum number of queues that a pool opens. Other programs of the user need
// the rest.
const mostQueues = 16

// queue is a queue of events that one or more watches use.
type queue struct {
	fd    int
	users int // guarded by the pool's mutex

	mu    sync.Mutex
	files map[int32]file // by watch descriptor
}

// file is a file that is watched for a watch. The name is empty after that watch has
// forgotten the file.
type file struct {
	watch *Watch
	name  string
}

// Watch finds out which files are read, by any process and under any name, since it watches
// the files and not their folders.
//
// A file counts as read when bytes are read from it, or when it is closed after it was
// opened for reading only, as for a memory map. Listing a folder, asking for a size and
// opening for writing do not count; nor does, as the one exception, a memory map of a
// file opened for reading and writing.
//
// A file is watched only until it is first read, so that one file does not fill the kernel's
// event queue. If the queue overflows nevertheless, removed files may count as read.
type Watch struct {
	pool  *Pool
	queue *queue
	seen  map[string]bool // read since the last Take; guarded by the queue's mutex
}

const readEvents = unix.IN_ACCESS | unix.IN_CLOSE_NOWRITE

func openQueue() (int, error) { return unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK) }

// New returns a watch without files. It fails only if the kernel allows no queue at all.
func (p *Pool) New() (*Watch, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	q, err := p.take()
	if errors.Is(err, unix.EMFILE) {
		return nil, fmt.Errorf("recording reads: %w; raise the sysctl fs.inotify.max_user_instances or the limit on open files", err)
	} else if err != nil {
		return nil, fmt.Errorf("recording reads: %w", err)
	}
	q.users++
	return &Watch{pool: p, queue: q, seen: map[string]bool{}}, nil
}

// take returns a new queue or, once there are mostQueues, the one with the fewest watches.
func (p *Pool) take() (*queue, error) {
	open := p.open
	if open == nil {
		open = openQueue
	}
	err := error(unix.EMFILE)
	if len(p.queues) < mostQueues {
		var fd int
		if fd, err = open(); err == nil {
			q := &queue{fd: fd, files: map[int32]file{}}
			p.queues = append(p.queues, q)
			return q, nil
		}
	}
	if !errors.Is(err, unix.EMFILE) || len(p.queues) == 0 {
		return nil, err
	}
	return slices.MinFunc(p.queues, func(a, b *queue) int { return a.users - b.users }), nil
}

// Add watches an open file. A file may be added again.
func (w *Watch) Add(name string, fd int) error {
	q := w.queue
	q.mu.Lock() // so that an event that comes at once finds the file
	defer q.mu.Unlock()
	wd, err := unix.InotifyAddWatch(q.fd, fmt.Sprintf("/proc/self/fd/%d", fd), readEvents|unix.IN_ONESHOT)
	if err != nil {
		return fmt.Errorf("recording reads of %s: %w; the sysctl fs.inotify.max_user_watches may be too low", name, err)
	}
	q.files[int32(wd)] = file{w, name}
	return nil
}

// Take returns the files that were read since the last Take.
func (w *Watch) Take() (map[string]bool, error) {
	w.queue.mu.Lock()
	defer w.queue.mu.Unlock()
	err := w.queue.drain()
	seen := w.seen
	w.seen = map[string]bool{}
	return seen, err
}

// drain passes events on to the watches. The caller holds the mutex.
func (q *queue) drain() error {
	buffer := make([]byte, 4<<10)
	for {
		n, err := unix.Read(q.fd, buffer)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if errors.Is(err, unix.EAGAIN) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("recording reads: %w", err)
		}
		for events := buffer[:n]; len(events) >= unix.SizeofInotifyEvent; {
			wd := int32(binary.NativeEndian.Uint32(events))
			mask := binary.NativeEndian.Uint32(events[4:])
			if mask&readEvents != 0 {
				q.wasRead(wd)
			}
			if mask&unix.IN_IGNORED != 0 { // the file is no longer watched
				delete(q.files, wd)
			}
			if mask&unix.IN_Q_OVERFLOW != 0 {
				if err := q.overflowed(); err != nil {
					return fmt.Errorf("recording reads: %w", err)
				}
			}
			nameBytes := binary.NativeEndian.Uint32(events[12:])
			events = events[unix.SizeofInotifyEvent+nameBytes:]
		}
	}
}

func (q *queue) wasRead(wd int32) {
	if f := q.files[wd]; f.name != "" {
		f.watch.seen[f.name] = true
	}
}

// overflowed finds out what the dropped events would have said: a file that was read or removed is
// no longer watched.
func (q *queue) overflowed() error {
	info, err := os.Open(fmt.Sprintf("/proc/self/fdinfo/%d", q.fd))
	if err != nil {
		return err
	}
	defer info.Close()
	watched := map[int32]bool{}
	lines := bufio.NewScanner(info)
	for lines.Scan() {
		var wd int32
		if _, err := fmt.Sscanf(lines.Text(), "inotify wd:%x", &wd); err == nil {
			watched[wd] = true
		}
	}
	for wd := range q.files {
		if !watched[wd] {
			q.wasRead(wd)
			delete(q.files, wd)
		}
	}
	return lines.Err()
}

// Reset forgets what was read, and which files are watched.
func (w *Watch) Reset() error {
	_, err := w.Take()
	w.queue.mu.Lock()
	defer w.queue.mu.Unlock()
	for wd, f := range w.queue.files {
		if f.watch == w {
			w.queue.files[wd] = file{watch: w}
		}
	}
	return err
}

// Close ends the watch. The kernel takes some 10 ms to close the last watch of a queue.
func (w *Watch) Close() {
	q := w.queue
	w.pool.mu.Lock()
	q.users--
	last := q.users == 0
	if last {
		w.pool.queues = slices.DeleteFunc(w.pool.queues, func(other *queue) bool { return other == q })
	}
	w.pool.mu.Unlock()
	if last {
		unix.Close(q.fd)
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for wd, f := range q.files {
		if f.watch == w {
			_, _ = unix.InotifyRmWatch(q.fd, uint32(wd)) // those that were read are gone already
			delete(q.files, wd)
		}
	}
}
