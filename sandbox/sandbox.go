// Package sandbox runs Python that a model wrote, and commands, on the files of a
// workspace, isolated from the rest of the machine.
//
// A Backend makes Runners, one for each interaction. A Runner copies the workspace's files
// into a folder, runs a script there in isolation, and copies the script's changes back.
// All code is treated as hostile: it sees a read-only system, no network, no environment
// and no other file. Links that it leaves are not followed; only plain text is copied.
// There is no unsandboxed mode: if isolation is not possible, New fails.
package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"agentd/vfs"
)

// ErrUnavailable is wrapped by the error of a back end that cannot work on this machine. The
// message says what to install or allow.
var ErrUnavailable = errors.New("no sandbox available")

// Limits bound one script and everything it starts. Start from DefaultLimits: a
// zero field allows nothing.
type Limits struct {
	WallTime    time.Duration // from the script's start to the end of its last process
	OutputChars int           // characters kept of stdout and stderr together; the published tools have a second bound, in tools/published.go
	MemoryBytes int64         // memory of all processes and files together; agentd doctor says WEAKER if a back end can only limit each process
	Processes   int           // processes and threads at the same time
	CPUs        float64       // processors' worth of time, such as 0.5 or 2
	FileBytes   int64         // size of one file that a script writes, and of one file copied back
	DiskBytes   int64         // applies to each of: /tmp; what a script adds to Above and Workspace together; all files copied back
	Files       int           // new and changed files copied back from one script
}

// DefaultLimits returns the limits of the published harness (30 s, 10,000 characters). The other
// values are agentd's own.
func DefaultLimits() Limits {
	return Limits{
		WallTime:    30 * time.Second,
		OutputChars: 10_000,
		MemoryBytes: 512 << 20,
		Processes:   64,
		CPUs:        1,
		FileBytes:   vfs.MaxFileBytes,
		DiskBytes:   64 << 20,
		Files:       vfs.MaxFiles,
	}
}

// Check returns an error if nothing could run within the limits.
func (l Limits) Check() error {
	if l.WallTime <= 0 || l.MemoryBytes <= 0 || l.Processes <= 0 || l.CPUs <= 0 {
		return fmt.Errorf("nothing can run within these limits: wall time %v, %d bytes of memory, %d processes, %g CPUs",
			l.WallTime, l.MemoryBytes, l.Processes, l.CPUs)
	}
	return nil
}

// Limit names the limit that ended a script.
type Limit string

// The limits that can end a script. Limits.OutputChars does not end one: output beyond it is
// dropped, and the script goes on.
const (
	NoLimit        Limit = ""          // no limit ended the script
	LimitTime      Limit = "time"      // Limits.WallTime
	LimitMemory    Limit = "memory"    // Limits.MemoryBytes
	LimitProcesses Limit = "processes" // Limits.Processes
	LimitDisk      Limit = "disk"      // Limits.DiskBytes or Limits.FileBytes
)

// Paths of the workspace inside the sandbox. Both folders are on one in-memory file system, whose
// size is that of the workspace's files plus Limits.DiskBytes.
const (
	// Above contains only the workspace folder when a script starts. Scripts can write to it, but
	// what they leave there is deleted when they end.
	Above         = "/work"
	WorkspaceName = "workspace" // name of the workspace folder in Above
	Workspace     = Above + "/" + WorkspaceName
)

// Cwd is a script's working directory.
type Cwd int

// The working directories that a script can have.
const (
	AboveWorkspace Cwd = iota // Above, as in the published harness: files are at ./workspace/NAME
	InWorkspace               // Workspace: files are at ./NAME
)

// Path is the working directory as the script sees it.
func (c Cwd) Path() string {
	if c == InWorkspace {
		return Workspace
	}
	return Above
}

// Script is a Python program to be run on a workspace.
type Script struct {
	Code string
	Cwd  Cwd
}

// Result is the outcome of one script or command.
type Result struct {
	Stdout, Stderr string // valid UTF-8, cut at Limits.OutputChars together
	ExitCode       int    // 128 + signal number if a signal ended it
	Limit          Limit  // limit that ended the script, if the back end can tell
	TimedOut       bool   // Limit is LimitTime
	OOMKilled      bool   // Limit is LimitMemory
	Truncated      bool   // output beyond Limits.OutputChars was dropped
	Duration       time.Duration

	// A file that the script replaced by something that cannot be copied back is in both Deleted
	// and Skipped. If the script removed the folder Workspace, the files stay as they were, and
	// Skipped names SkippedWorkspace.
	Changed vfs.Files // files created or altered, already written to the workspace
	Deleted []string  // files removed, already removed from the workspace, in name order
	Skipped []Skipped // what the script left that is not copied back
	Reads   []string  // workspace files it opened for reading, each once, in name order
}

// MarshalJSON uses the member names that users of agentd sandbox run rely on. Empty objects and
// lists are written as such, never as null.
func (r Result) MarshalJSON() ([]byte, error) {
	files := r.Changed.Texts()
	if files == nil {
		files = vfs.Files{}
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(struct {
		Stdout     string    `json:"stdout"`
		Stderr     string    `json:"stderr"`
		ExitCode   int       `json:"exit_code"`
		TimedOut   bool      `json:"timed_out"`
		OOMKilled  bool      `json:"oom_killed"`
		Truncated  bool      `json:"truncated"`
		DurationMS int64     `json:"duration_ms"`
		Changed    vfs.Files `json:"changed"`
		Deleted    []string  `json:"deleted"`
		Skipped    []Skipped `json:"skipped"`
		Reads      []string  `json:"reads"`
	}{
		r.Stdout, r.Stderr, r.ExitCode, r.TimedOut, r.OOMKilled, r.Truncated, r.Duration.Milliseconds(),
		files, append([]string{}, r.Deleted...), append([]Skipped{}, r.Skipped...), append([]string{}, r.Reads...),
	})
	return b.Bytes(), err
}

// Skipped is something that a script left and that was not copied back. The first few are named;
// entries such as {"and 1940 more", reason} count the rest.
type Skipped struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// SkippedWorkspace is Skipped.File if the script removed the workspace folder or replaced it by
// something else.
const SkippedWorkspace = "./" + WorkspaceName

// Runner runs the scripts and commands of one interaction, one at a time.
type Runner interface {
	// RunPython runs a script on the workspace's files, applies its changes to the workspace, and
	// logs its reads under the name run_python. A script that fails, or that a limit ends, is a
	// Result. An error means that the sandbox itself failed or that ctx ended.
	RunPython(ctx context.Context, ws *vfs.Workspace, script Script) (Result, error)
	// RunCommand does the same for a command, within the command's own limits. Reads are logged
	// under the name exec.
	RunCommand(ctx context.Context, ws *vfs.Workspace, c Command) (Result, error)
	// Close ends what is still running and removes the interaction's folder.
	Close() error
}

// Paths and the server address inside a command's sandbox.
const (
	CommandFiles = "/agent"         // Command.Folder
	CommandTask  = "/run/task.json" // Command.Task
	// CommandServer is the address at which Command.Serve answers. Each command has its own
	// network namespace, so the port is free.
	CommandServer = "127.0.0.1:8000"
)

// Command is a program to be run on a workspace. It starts in the folder Workspace.
type Command struct {
	Args   []string // the program, looked up in /usr/local/bin, /usr/bin and /bin, and its arguments
	Env    []string // as NAME=value, in addition to PATH, HOME and LANG
	Folder string   // absolute path of a host folder, mounted read-only at CommandFiles; every user must be able to read it; "" for none
	Task   string   // content of the file CommandTask
	// Executable names files of the workspace that the command may execute, as ./NAME.
	Executable []string
	Limits     Limits
	// Serve answers connections to CommandServer, the command's only network. It must return when
	// the listener is closed; the runner waits for it. It is not called if the sandbox could not
	// be made. If Serve is nil, the command has no server.
	Serve func(net.Listener, Exchange)
}

// Check returns an error if the command cannot be run at all.
func (c Command) Check() error {
	for _, text := range slices.Concat(c.Args, c.Env, []string{c.Folder}) {
		if strings.ContainsRune(text, 0) {
			return fmt.Errorf("the command has a zero byte in %q", text)
		}
	}
	switch {
	case len(c.Args) == 0:
		return errors.New("there is no command to run")
	case c.Folder != "" && !filepath.IsAbs(c.Folder):
		return fmt.Errorf("the folder %s of a command is no absolute path", c.Folder)
	}
	return c.Limits.Check()
}

// Exchange copies the command's changes so far into the workspace, calls do, which may change the
// workspace, and then updates the command's files. The error is do's, or says how the command
// prevented the update.
type Exchange func(do func() error) error

// Backend makes runners of one kind.
type Backend interface {
	Name() string
	NewRunner(Limits) (Runner, error)
	// Describe returns lines of text about the isolation that scripts get on this machine, as the
	// trial script found it.
	Describe() []string
	// Close ends the processes that the back end keeps ready. All its runners must be closed
	// first.
	Close() error
}
