// Package living tells what belongs to an agentd that still runs from what one
// that was killed has left behind.
//
// Whatever outlives its process (a folder, a cgroup, a program just being
// started) is given a name that begins with Prefix. The prefix names the
// process for good: by its number, the time it started, and the PID namespace
// in which the number means something.
package living

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// TemporaryFolder returns the folder for temporary files that sandboxes read: TMPDIR,
// or /tmp where TMPDIR lies in a folder that other users may not enter.
func TemporaryFolder() string {
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

const mark = "agentd-"

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

// Orphaned reports whether a name was given by a process that has ended. It is
// false where that cannot be known: for names of another kind, and for those
// given in another PID namespace.
func Orphaned(name string) bool {
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
	return os.IsNotExist(err) || err == nil && start != parts[2]
}

// namespace is the inode number of our PID namespace.
func namespace() (string, error) {
	link, err := os.Readlink("/proc/self/ns/pid") // pid:[4026531836]
	if err != nil {
		return "", fmt.Errorf("%w; sandboxes need the file system proc: mount it with: mount -t proc proc /proc", err)
	}
	return strings.Trim(link, "pid:[]"), nil
}

// started is the time a process started, in clock ticks since the machine did.
func started(pid int) (string, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", err
	}
	// The second field is the program's name in parentheses, which may hold
	// anything; the start is the twenty-second.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 20 {
		return "", fmt.Errorf("/proc/%d/stat is cut short", pid)
	}
	return string(fields[19]), nil
}
