// Package owner distinguishes what belongs to a running agentd from what a killed one left.
//
// Everything that can outlive its process (a folder, a cgroup, a program that is just being
// started) has a name that begins with Prefix. The prefix identifies the process by its number,
// its start time and its PID namespace.
package owner

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

const (
	mark = "agentd-" // begins every Prefix
	// folderMark takes its place in the names of folders: scripts see the path of what is
	// mounted in /proc/self/mountinfo, which should not name agentd.
	folderMark = "sandbox-"
)

// Prefix begins the names of what belongs to this process.
var Prefix = sync.OnceValues(func() (string, error) {
	space, err := namespace()
	if err != nil {
		return "", err
	}
	start, err := started(os.Getpid())
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s%s-%d-%s-", mark, space, os.Getpid(), start), nil
})

// Ended reports whether a name was given by a process that has ended. It is false if this cannot
// be known: for names of other kinds and of another PID namespace.
func Ended(name string) bool {
	rest, ours := strings.CutPrefix(name, mark)
	parts := strings.Split(rest, "-")
	if !ours || len(parts) < 4 {
		return false
	}
	pid, err := strconv.Atoi(parts[1])
	if err != nil || pid <= 0 {
		return false
	}
	space, err := namespace()
	if err != nil || parts[0] != space {
		return false
	}
	start, err := started(pid)
	return errors.Is(err, fs.ErrNotExist) || err == nil && start != parts[2]
}

// namespace returns the inode number of agentd's PID namespace.
func namespace() (string, error) {
	link, err := os.Readlink("/proc/self/ns/pid") // pid:[4026531836]
	if err != nil {
		return "", fmt.Errorf("%w; sandboxes need the file system proc: mount it with: mount -t proc proc /proc", err)
	}
	return strings.Trim(link, "pid:[]"), nil
}

// started is the time a process started, in clock ticks since the machine did. One that has ended and that its parent does
// not ask about, as nothing may in a container, is not there: fs.ErrNotExist.
func started(pid int) (string, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", err
	}
	// The second field is the program's name in parentheses, which may hold anything; the third
	// is the state, the twentieth the number of threads, the twenty-second the start.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 20 {
		return "", fmt.Errorf("/proc/%d/stat is cut short", pid)
	}
	if threads := fields[17]; fields[0] == "X" || fields[0] == "Z" && (threads == "0" || threads == "1") {
		return "", fmt.Errorf("process %d: %w", pid, fs.ErrNotExist)
	}
	return fields[19], nil
}

// KillLeft kills the processes that killed runs of agentd left, if it has the right to. nameOf
// finds a name with a prefix in a command line; "" if there is none.
func KillLeft(nameOf func(args []string) string) {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range lines {
		line, err := os.ReadFile(file)
		if err != nil || !Ended(nameOf(strings.Split(string(line), "\x00"))) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// MakeFolder makes a temporary folder of this process that every user can enter. First it
// removes folders of processes that have ended, except those of other users.
func MakeFolder() (string, error) {
	prefix, err := Prefix()
	if err != nil {
		return "", err
	}
	if err := sweepFolders(); err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp(temporary(), folderMark+strings.TrimPrefix(prefix, mark))
	if err != nil {
		return "", err
	}
	return folder, os.Chmod(folder, 0o711)
}

func sweepFolders() error {
	folders, err := filepath.Glob(filepath.Join(temporary(), folderMark+"*"))
	if err != nil {
		return err
	}
	var failed []error
	for _, folder := range folders {
		name := mark + strings.TrimPrefix(filepath.Base(folder), folderMark)
		if info, err := os.Lstat(folder); err != nil || !info.IsDir() || !Ended(name) {
			continue
		}
		if err := os.RemoveAll(folder); !os.IsPermission(err) {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// temporary returns the folder for temporary files that sandboxes read: TMPDIR, or /tmp
// where TMPDIR lies in a folder that other users may not enter.
func temporary() string {
	const anybodyEnters = 0o001
	dir, err := filepath.Abs(os.TempDir())
	for above := dir; err == nil; above = filepath.Dir(above) {
		info, statErr := os.Stat(above)
		if statErr != nil || info.Mode()&anybodyEnters == 0 {
			break
		}
		if above == filepath.Dir(above) {
			return dir
		}
	}
	return "/tmp"
}
