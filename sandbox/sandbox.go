// Package sandbox runs Python that a model wrote, or a command, on the files of a
// workspace, where it can harm nothing else.
//
// A Backend makes Runners, one for each interaction. A Runner copies the workspace's files
// into a folder, runs a script there in isolation, and copies the script's changes back.
// All code is treated as hostile: it sees a read-only system, no network, no environment
// and no other file. Links that it leaves are not followed; only plain text is copied.
// There is no unsandboxed mode: where isolation cannot be had, New fails.
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

// ErrUnavailable is wrapped by the error of a back end that cannot work on
// this machine; the message says what to install or allow.
var ErrUnavailable = errors.New("no sandbox available")

// Limits bound one script and everything it starts. Start from DefaultLimits: a
// zero field allows nothing.
type Limits struct {
	WallTime    time.Duration // from the script's start to the end of the last of its processes
	OutputChars int           // characters kept of stdout and stderr together
	MemoryBytes int64         // memory in use by all processes and files together; WEAKER in doctor where a back end can only limit each process
	Processes   int           // processes and threads at the same time
	CPUs        float64       // processors' worth of time, such as 0.5 or 2
	FileBytes   int64         // size of one file written, and of one file taken back
	DiskBytes   int64         // size of /tmp, of what a script adds to Above and Workspace together, and of all files taken back
	Files       int           // files taken back from one script, unchanged ones not counted
}

// DefaultLimits are those of the published harness (30 s, 10,000 characters), and ours
// where it has none.
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

// Check reports limits within which nothing can run.
func (l Limits) Check() error {
	if l.WallTime <= 0 || l.MemoryBytes <= 0 || l.Processes <= 0 || l.CPUs <= 0 {
		return fmt.Errorf("nothing can run within these limits: wall time %v, %d bytes of memory, %d processes, %g CPUs",
			l.WallTime, l.MemoryBytes, l.Processes, l.CPUs)
	}
	return nil
}

// Limit names the limit that ended a script.
type Limit string

// The limits that can end a script. Output is no such limit: what is printed
// beyond Limits.OutputChars is dropped, and the script goes on.
const (
	NoLimit        Limit = ""          // it ended on its own
	LimitTime      Limit = "time"      // Limits.WallTime
	LimitMemory    Limit = "memory"    // Limits.MemoryBytes
	LimitProcesses Limit = "processes" // Limits.Processes
	LimitDisk      Limit = "disk"      // Limits.DiskBytes or Limits.FileBytes
)

// Where scripts and commands find the workspace, inside of the sandbox. Both folders are on
// one file system in memory, of the size of the workspace's files and Limits.DiskBytes.
const (
	// Above holds only the folder of the workspace when a script starts. Scripts can write
	// to it, but what they leave there is deleted with the script.
	Above         = "/work"
	WorkspaceName = "workspace" // in Above
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

// Result is what one script did.
type Result struct {
	Stdout, Stderr string // valid UTF-8, cut at Limits.OutputChars together
	ExitCode       int    // 128 + signal number if a signal ended it
	Limit          Limit  // what ended it, as far as the back end can tell
	TimedOut       bool   // Limit is LimitTime
	OOMKilled      bool   // Limit is LimitMemory
	Truncated      bool   // output beyond Limits.OutputChars was dropped
	Duration       time.Duration

	// A file that the script replaced by something that is not taken back is in both
	// Deleted and Skipped. If the script removed the folder Workspace, the files stay as
	// they were, and Skipped names SkippedWorkspace.
	Changed vfs.Files // files created or altered, already written to the workspace
	Deleted []string  // files removed, already removed from the workspace, in name order
	Skipped []Skipped // what the script left that is not taken back
	Reads   []string  // workspace files it opened for reading, each once, in name order
}

// MarshalJSON writes the result under the names that users of agentd sandbox run rely on. What
// there is none of is an empty object or list, never null.
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

// Skipped names something that a script left and that was not taken back. The first few are
// named; the rest is counted in entries like {"and 1940 more", reason}.
type Skipped struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// SkippedWorkspace is Skipped.File where the folder of the workspace was removed, or
// replaced by something else.
const SkippedWorkspace = "./" + WorkspaceName

// Runner runs the scripts and commands of one interaction, one at a time.
type Runner interface {
	// RunPython runs a script on the workspace's files, then applies what it
	// changed to the workspace and records its reads there, under the name
	// run_python. A script that fails, or that a limit ends, is a Result; an
	// error means that the sandbox itself did not work or that ctx ended.
	RunPython(ctx context.Context, ws *vfs.Workspace, script Script) (Result, error)
	// RunCommand is RunPython for a command, within the command's limits instead of
	// the runner's. Reads are recorded under the name exec.
	RunCommand(ctx context.Context, ws *vfs.Workspace, c Command) (Result, error)
	// Close ends what is left of the interaction and removes its folder.
	Close() error
}

// Where a command finds what it is given, inside of its sandbox.
const (
	CommandFiles = "/agent"         // Command.Folder
	CommandTask  = "/run/task.json" // Command.Task
	// CommandServer is where Command.Serve answers. The command has a network of its
	// own, so the port is free.
	CommandServer = "127.0.0.1:8000"
)

// Command is a program to be run on a workspace. It starts in the folder Workspace.
type Command struct {
	Args   []string // the program, looked for in /usr/local/bin, /usr/bin and /bin, and its arguments
	Env    []string // as NAME=value, in addition to PATH, HOME and LANG
	Folder string   // of the host, shown read-only at CommandFiles; it must be readable by every user; "" for none
	Task   string   // shown at CommandTask
	Limits Limits
	// Serve answers the connections that the command makes to CommandServer, its
	// only network. It must return when the listener is closed, and is waited for; it
	// is not called where the sandbox could not be made. Nil leaves the command without.
	Serve func(net.Listener, Exchange)
}

// Check says why a command cannot be run at all.
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

// Exchange copies the command's changes so far into the workspace, calls do, which may
// change the workspace, and then updates the command's files. The error is do's, or says
// what the command did to prevent the update.
type Exchange func(do func() error) error

// Backend makes runners of one kind.
type Backend interface {
	Name() string
	NewRunner(Limits) (Runner, error)
	// Describe tells, a line each, what isolation scripts get on this machine, as the trial
	// found it.
	Describe() []string
	// Close ends what the back end keeps ready. Runners must be closed before.
	Close() error
}
