//go:build linux

package session

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"agentd/sandbox"
	"agentd/sandbox/internal/output"
	"agentd/vfs"
)

// Engine starts the scripts and commands of one interaction, in sandboxes of its own
// kind.
type Engine interface {
	// Start makes a sandbox for a job, which waits there for its files. The same goroutine
	// must close the process.
	Start(context.Context, Job) (Process, error)
	// End ends what was kept for the next script.
	End() error
}

// Job is a script or a command to be run.
type Job struct {
	Limits  sandbox.Limits
	Room    int64            // size of the workspace and the folder above together, in bytes
	Script  sandbox.Script   // if Command is nil
	Command *sandbox.Command // nil for a script
	Again   bool             // an earlier try ended with ErrLost
}

// Cwd is the job's working directory.
func (j Job) Cwd() sandbox.Cwd {
	if j.Command != nil {
		return sandbox.InWorkspace
	}
	return j.Script.Cwd
}

// Port returns the port of a command's server; "" if the job has none.
func (j Job) Port() string {
	if j.Command == nil || j.Command.Serve == nil {
		return ""
	}
	_, port, _ := net.SplitHostPort(sandbox.CommandServer)
	return port
}

// tool returns the name under which reads are logged.
func (j Job) tool() string {
	if j.Command != nil {
		return "exec"
	}
	return "run_python"
}

// room returns the maximum size in bytes of the workspace and the folder above it together: the
// present size, and what a script may add.
func room(files vfs.Files, limits sandbox.Limits) int64 {
	const page = 4096 // a file takes whole pages
	size := limits.DiskBytes
	for _, content := range files {
		size += (int64(len(content)) + page - 1) / page * page
	}
	return size
}

// ErrLost is wrapped by the error of a sandbox that ended unexpectedly or did not start its
// script. Nothing of the script was taken back, so the script can be run once more.
var ErrLost = errors.New("the sandbox of the script is lost")

// Process is a script or a command in its sandbox, where it waits for its files.
type Process interface {
	// Open returns the files that agentd has open in the sandbox.
	Open() *Sandbox
	// Release starts the waiting process.
	Release() error
	// Kill ends all processes. It may be called at any time before Close, repeatedly and
	// concurrently.
	Kill()
	// Wait returns when no process runs any more and all output is read. It fails if that takes
	// longer than a fixed time after Kill.
	Wait() error
	// Ending returns how the process ended. It is called once, after Wait, and only if agentd did
	// not kill the process.
	Ending() (Ending, error)
	// Close frees the sandbox. It ends a process that was not released.
	Close() error
}

// Sandbox is what implementations of Process have in common, and embed.
type Sandbox struct {
	Above, Tmp *os.File // the folder above the workspace, and /tmp: the only writable folders
	Listener   *os.File // socket of a command at sandbox.CommandServer; nil if it has none
	Streams    *output.Streams
	Uncounted  int // a process of the sandbox if no cgroup limits its memory, otherwise 0
}

// Open implements Process.
func (s *Sandbox) Open() *Sandbox { return s }

// KilledExit is the exit code of a process that SIGKILL has ended.
const KilledExit = 128 + int(syscall.SIGKILL)

// Ending is how a script ended that agentd did not stop.
type Ending struct {
	ExitCode     int
	OOMKilled    bool // the kernel killed processes because memory ran out
	ForksRefused bool // it could not start as many processes as it tried to
}

// limit returns the limit that ended a script. With exit code 0, no limit ended it. Otherwise the
// kernel's counts decide, or the uncaught exception. full says that the file system is full.
func (e Ending) limit(stderr string, full bool) sandbox.Limit {
	if e.ExitCode == 0 {
		return sandbox.NoLimit
	}
	exception, message, _ := strings.Cut(output.LastLine(stderr), ":")
	raised := func(name, text string) bool {
		return e.ExitCode == 1 && strings.HasSuffix(exception, name) && strings.Contains(message, text)
	}
	switch {
	case e.OOMKilled,
		raised("MemoryError", ""), // NumPy's is called _ArrayMemoryError
		raised("OSError", "Cannot allocate memory"):
		return sandbox.LimitMemory
	case full, raised("OSError", "No space left on device"), raised("OSError", "File too large"):
		return sandbox.LimitDisk
	case e.ForksRefused, raised("RuntimeError", "can't start new thread"),
		// Several processes that write at the same time mix up their lines.
		strings.Contains(stderr, "BlockingIOError: [Errno 11] Resource temporarily unavailable"):
		return sandbox.LimitProcesses
	}
	return sandbox.NoLimit
}

// mostEntries is far more files and folders than any script needs. Each takes memory of the
// kernel, which the size of a file system does not include.
const mostEntries = 250_000

// usage reports whether the file system of a folder is full, and whether it has more than
// mostEntries.
func usage(folder *os.File) (full, overcrowded bool) {
	var state unix.Statfs_t
	if err := unix.Fstatfs(int(folder.Fd()), &state); err != nil {
		return false, false
	}
	return state.Blocks > 0 && state.Bavail == 0 || state.Files > 0 && state.Ffree == 0, state.Files-state.Ffree > mostEntries
}
