// Package reads finds out which files of a folder a script reads.
package reads

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"agentd/vfs"
)

// Watch finds out which files of a folder are read, by whatever process
// and under whatever name, since it watches the files and not their folders.
//
// A file counts as read when bytes are read from it, or when it is closed
// after it was opened for reading only, as for a memory map. Listing a folder,
// asking for a size and opening for writing do not count; nor does, as the one
// exception, a memory map of a file opened for reading and writing.
//
// Each watch ends with its first event, so that however much a script reads,
// the kernel's queue of events does not run over.
type Watch struct {
	fd    int
	files map[int32]string // by watch descriptor
}

const readEvents = unix.IN_ACCESS | unix.IN_CLOSE_NOWRITE

// Start starts to watch the named files in a folder.
func Start(folder string, files vfs.Files) (*Watch, error) {
	return start(files, func(w *Watch, name string) error {
		return w.add(name, filepath.Join(folder, name), unix.IN_DONT_FOLLOW)
	})
}

// StartLive is Start for a folder in which a script is at work. open opens a file
// there without following anything; files that it cannot open are left out.
func StartLive(files vfs.Files, open func(name string) (*os.File, error)) (*Watch, error) {
	return start(files, func(w *Watch, name string) error {
		file, err := open(name)
		if err != nil {
			return nil
		}
		defer file.Close()
		return w.add(name, fmt.Sprintf("/proc/self/fd/%d", file.Fd()), 0)
	})
}

func start(files vfs.Files, add func(w *Watch, name string) error) (*Watch, error) {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if errors.Is(err, unix.EMFILE) {
		return nil, fmt.Errorf("recording reads: %w; raise the sysctl fs.inotify.max_user_instances or run fewer scripts at a time", err)
	} else if err != nil {
		return nil, fmt.Errorf("recording reads: %w", err)
	}
	w := &Watch{fd: fd, files: make(map[int32]string, len(files))}
	for name := range files {
		if err := add(w, name); err != nil {
			w.Close()
			return nil, fmt.Errorf("recording reads of %s: %w; the sysctl fs.inotify.max_user_watches may be too low", name, err)
		}
	}
	return w, nil
}

func (w *Watch) add(name, path string, flags uint32) error {
	wd, err := unix.InotifyAddWatch(w.fd, path, readEvents|unix.IN_ONESHOT|flags)
	if err == nil {
		w.files[int32(wd)] = name
	}
	return err
}

// Files returns the files read until now, in name order.
func (w *Watch) Files() ([]string, error) {
	seen := make(map[string]bool)
	buffer := make([]byte, 4<<10)
	for {
		n, err := unix.Read(w.fd, buffer)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if errors.Is(err, unix.EAGAIN) {
			return slices.Sorted(maps.Keys(seen)), nil
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

// Close ends the watch. It takes some 10 ms, in which the kernel waits for
// whoever may still be using it.
func (w *Watch) Close() { unix.Close(w.fd) }
