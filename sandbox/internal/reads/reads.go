//go:build linux

// Package reads finds out which files of a workspace a script reads.
package reads

import (
	"encoding/binary"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// Watch finds out which files are read, by any process and under any name, since it watches
// the files and not their folders.
//
// A file counts as read when bytes are read from it, or when it is closed after it was
// opened for reading only, as for a memory map. Listing a folder, asking for a size and
// opening for writing do not count; nor does, as the one exception, a memory map of a
// file opened for reading and writing.
//
// A file is watched until it is first read, so that the kernel's queue of events does not
// overflow.
type Watch struct {
	fd    int
	files map[int32]string // by watch descriptor
}

const readEvents = unix.IN_ACCESS | unix.IN_CLOSE_NOWRITE

// New returns a watch of no files.
func New() (*Watch, error) {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if errors.Is(err, unix.EMFILE) {
		return nil, fmt.Errorf("recording reads: %w; raise the sysctl fs.inotify.max_user_instances or run fewer scripts at a time", err)
	} else if err != nil {
		return nil, fmt.Errorf("recording reads: %w", err)
	}
	return &Watch{fd: fd, files: make(map[int32]string)}, nil
}

// Add watches an open file, also one that was watched before.
func (w *Watch) Add(name string, fd int) error {
	wd, err := unix.InotifyAddWatch(w.fd, fmt.Sprintf("/proc/self/fd/%d", fd), readEvents|unix.IN_ONESHOT)
	if err != nil {
		return fmt.Errorf("recording reads of %s: %w; the sysctl fs.inotify.max_user_watches may be too low", name, err)
	}
	w.files[int32(wd)] = name
	return nil
}

// Take returns the files that were read since it was called last.
func (w *Watch) Take() (map[string]bool, error) {
	seen := make(map[string]bool)
	buffer := make([]byte, 4<<10)
	for {
		n, err := unix.Read(w.fd, buffer)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if errors.Is(err, unix.EAGAIN) {
			return seen, nil
		}
		if err != nil {
			return nil, fmt.Errorf("recording reads: %w", err)
		}
		for events := buffer[:n]; len(events) >= unix.SizeofInotifyEvent; {
			wd := int32(binary.NativeEndian.Uint32(events))
			mask := binary.NativeEndian.Uint32(events[4:])
			if name, ok := w.files[wd]; ok && mask&readEvents != 0 {
				seen[name] = true
			}
			nameBytes := binary.NativeEndian.Uint32(events[12:])
			events = events[unix.SizeofInotifyEvent+nameBytes:]
		}
	}
}

// Reset forgets what was read, and which files are watched.
func (w *Watch) Reset() error {
	_, err := w.Take()
	clear(w.files)
	return err
}

// Close ends the watch. The kernel takes some 10 ms for that.
func (w *Watch) Close() { unix.Close(w.fd) }
