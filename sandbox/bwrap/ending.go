package bwrap

import (
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"agentd/sandbox"
	"agentd/sandbox/internal/cgroup"
	"agentd/sandbox/internal/output"
)

const killedExit = 128 + int(syscall.SIGKILL)

// ending is what is known of how a script ended.
type ending struct {
	exitCode int
	stderr   string      // the end of it
	hits     cgroup.Hits // of its cgroup, if it has one
	grouped  bool        // it has one
	full     bool        // there is no room left in /tmp or the workspace
}

// limit names the limit that ended a script which was not stopped by us. A
// script that ends well was ended by none, whatever it met on its way; of one
// that fails, the kernel's counts tell, and where there are none, the exception
// that it did not catch.
func (e ending) limit() sandbox.Limit {
	if e.exitCode == 0 {
		return sandbox.NoLimit
	}
	exception, message, _ := strings.Cut(output.LastLine(e.stderr), ":")
	raised := func(name, text string) bool {
		return e.exitCode == 1 && strings.HasSuffix(exception, name) && strings.Contains(message, text)
	}
	switch {
	case e.hits.OOMKills > 0,
		// Without a cgroup, a SIGKILL that we did not send is how the kernel ends
		// processes when memory runs out. A script that kills itself so is
		// mistaken for that.
		!e.grouped && e.exitCode == killedExit,
		raised("MemoryError", ""), // NumPy's is called _ArrayMemoryError
		raised("OSError", "Cannot allocate memory"):
		return sandbox.LimitMemory
	case e.full, raised("OSError", "No space left on device"), raised("OSError", "File too large"):
		return sandbox.LimitDisk
	case e.hits.ForksRefused > 0, raised("RuntimeError", "can't start new thread"),
		// What several processes say at a time is all mixed up.
		strings.Contains(e.stderr, "BlockingIOError: [Errno 11] Resource temporarily unavailable"):
		return sandbox.LimitProcesses
	}
	return sandbox.NoLimit
}

// full reports whether a folder that is a file system has no room left, and
// whether it holds more files and folders than any script has use for. These
// cost memory of the kernel's that the size of a file system leaves out.
func full(fd uintptr) (bytes, entries bool) {
	const mostEntries = 250_000
	var state unix.Statfs_t
	if err := unix.Fstatfs(int(fd), &state); err != nil {
		return false, false
	}
	return state.Blocks > 0 && state.Bavail == 0, state.Files-state.Ffree > mostEntries
}
