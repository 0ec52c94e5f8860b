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

// Pool makes watches. The zero value is ready for use. The kernel allows a user only so many
// queues of events (fs.inotify.max_user_instances, usually 128), so that watches share
// queues where there would be too many.
type Pool struct {
	mu     sync.Mutex
	queues []*queue
	open   func() (int, error) // opens a queue of the kernel's; nil for openQueue
}

// mostQueues is how many queues a pool opens. The rest is for other programs of the user.
const mostQueues = 16

// queue is a queue of events that one watch or several use.
type queue struct {
	fd    int
	users int // of the pool's mutex

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
// A file is watched until it is first read, so that the kernel's queue of events is not
// filled by one file. If it overflows all the same, files that were removed may count as read.
type Watch struct {
	pool  *Pool
	queue *queue
	seen  map[string]bool // read since Take was called last; of the queue's mutex
}

const readEvents = unix.IN_ACCESS | unix.IN_CLOSE_NOWRITE

func openQueue() (int, error) { return unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK) }

// New returns a watch of no files. It fails only if the kernel allows not even one queue.
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

// take returns a new queue or, if there are enough, the one that the fewest watches use.
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

// Add watches an open file, also one that was watched before.
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

// Take returns the files that were read since it was called last.
func (w *Watch) Take() (map[string]bool, error) {
	w.queue.mu.Lock()
	defer w.queue.mu.Unlock()
	err := w.queue.drain()
	seen := w.seen
	w.seen = map[string]bool{}
	return seen, err
}

// drain tells the watches what was read. The mutex must be held.
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
			if mask&unix.IN_IGNORED != 0 { // it is watched no longer
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

// overflowed finds out what events would have said that the kernel has dropped: a file that
// was read, or removed, is watched no longer.
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

// Close ends the watch. For the last one of a queue the kernel takes some 10 ms.
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
