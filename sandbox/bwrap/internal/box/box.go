//go:build linux

// Package box starts bubblewrap, once for each sandbox.
package box

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"agentd/sandbox"
	"agentd/sandbox/internal/cgroup"
	"agentd/sandbox/internal/output"
	"agentd/sandbox/internal/owner"
	"agentd/sandbox/internal/passing"
	"agentd/sandbox/internal/session"
	"agentd/sandbox/internal/system"
)

const (
	// SetupTime is how long a running interpreter may take to answer: normally a few milliseconds,
	// but more on an overloaded machine.
	SetupTime = 10 * time.Second
	// buildTime is how long it may take to build a sandbox. bwrap and Python start in some ten
	// milliseconds, but share the processors with all running commands. Failures are noticed at
	// once, so this limit only ends a sandbox that hangs.
	buildTime = 2 * time.Minute
	// DeathTime is how long killed processes may take to end.
	DeathTime = 10 * time.Second
)

// ProcessName is the end of the name under which bwrap is started. The name begins with that of
// this process.
const ProcessName = "bwrap"

// Box is a sandbox from its start to the end of all that runs in it. It is a
// session.Process.
//
// The kernel kills bwrap when the thread that started it ends. So the goroutine that opens
// a box keeps its thread until it closes the box.
type Box struct {
	session.Sandbox
	Channel *net.UnixConn // our end of the connection to a zygote or a launcher; or nil

	cmd    *exec.Cmd // bwrap itself, outside of the sandbox
	status *os.File  // where bwrap reports about the sandbox
	report *json.Decoder
	gate   *os.File // the sandbox waits for two writes to this file
	ready  *os.File
	initFD int // pidfd of the sandbox's first process, or -1
	group  *cgroup.Group
}

var errNotBuilt = errors.New("bubblewrap could not create the sandbox")

// Open builds a sandbox for a script or a command, which then waits for its files. The same
// goroutine must close it. If ctx ends before the sandbox is built, the error is that of ctx.
func (h *Host) Open(ctx context.Context, job session.Job) (*Box, error) {
	l := launch{options: h.options(job), program: h.program(job), filter: string(h.Filter), input: job.Script.Code}
	if job.Command != nil {
		l.input, l.channel = job.Command.Task, true
	}
	group, err := cgroup.Make(h.Cgroups, job.Limits, job.Limits.Processes+Own)
	if err != nil {
		return nil, err
	}
	x := &Box{group: group, Sandbox: session.Sandbox{Streams: output.NewStreams(job.Limits.OutputChars)}}
	return x, x.build(ctx, h, l, func(first int) error { return x.hold(first, job) })
}

// OpenZygote builds a sandbox without folders of its own and starts an interpreter there
// that imports site and has a channel. The same goroutine must close it.
func (h *Host) OpenZygote(site string) (*Box, error) {
	const charactersOfErrors = 1000
	x := &Box{Sandbox: session.Sandbox{Streams: output.NewStreams(charactersOfErrors)}}
	return x, x.build(context.Background(), h, launch{options: h.zygoteOptions(), program: h.interpreter(), site: site, channel: true}, func(int) error { return nil })
}

// launch has the inputs with which bwrap is started.
type launch struct {
	options, filter, input, site string // texts that bwrap reads
	channel                      bool   // whether the program has a channel
	program                      []string
}

// build starts a sandbox. The sandbox is complete when hold returns; hold gets the number of its
// first process. After an error, the sandbox is closed.
func (x *Box) build(ctx context.Context, h *Host, l launch, hold func(first int) error) error {
	runtime.LockOSThread()
	x.initFD = -1
	if err := x.start(h, l); err != nil {
		return errors.Join(fmt.Errorf("starting bubblewrap: %w", err), x.Close())
	}
	// Without bwrap all that is read of the sandbox ends.
	interrupted := context.AfterFunc(ctx, func() { _ = x.cmd.Process.Kill() })
	first, err := x.setUp()
	if err == nil {
		err = hold(first)
	}
	if !interrupted() {
		err = ctx.Err()
	}
	if err == nil {
		return nil
	}
	x.Kill()
	died := x.Wait()
	return errors.Join(fmt.Errorf("%w: %s", err, output.LastLine(x.Streams.Err.Tail())), died, x.Close())
}

// start starts bwrap, and begins to read its streams.
func (x *Box) start(h *Host, l launch) (err error) {
	theirs := make([]*os.File, channelFD+1) // by the numbers that they shall have
	defer func() { passing.CloseAll(theirs...) }()
	var failed [5]error
	theirs[1], theirs[2], failed[0] = x.Streams.Pipes()
	x.status, theirs[statusFD], failed[1] = os.Pipe()
	x.ready, theirs[readyFD], failed[2] = os.Pipe()
	theirs[blockFD], x.gate, failed[3] = os.Pipe()
	theirs[goFD] = theirs[blockFD]
	if l.channel {
		x.Channel, theirs[channelFD], failed[4] = passing.Pair()
	}
	if err := errors.Join(failed[:]...); err != nil {
		return err
	}
	for number, text := range map[int]string{argsFD: l.options, seccompFD: l.filter, inputFD: l.input, siteFD: l.site} {
		if theirs[number], err = inMemory(text); err != nil {
			return err
		}
	}
	name, err := owner.Prefix()
	if err != nil {
		return err
	}
	x.cmd = exec.Command(h.Program, append([]string{"--args", fmt.Sprint(argsFD), "--"}, l.program...)...)
	x.cmd.Args[0] = name + ProcessName
	x.cmd.Env = []string{} // not ours, it could be read at /proc/1/environ
	x.cmd.Dir = "/"
	x.cmd.Stdout, x.cmd.Stderr, x.cmd.ExtraFiles = theirs[1], theirs[2], theirs[3:]
	x.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if h.User != system.Self() {
		x.cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(h.User.UID), Gid: uint32(h.User.GID)}
	}
	if err := x.cmd.Start(); err != nil {
		x.cmd = nil
		return err
	}
	x.report = json.NewDecoder(x.status)
	return nil
}

// inMemory returns an unnamed file that holds the text, positioned at its start.
func inMemory(text string) (*os.File, error) {
	fd, err := unix.MemfdCreate("agentd", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	file := os.NewFile(uintptr(fd), "agentd")
	_, err = file.WriteAt([]byte(text), 0)
	return file, err
}

// setUp limits the sandbox's first process and lets it start the program.
func (x *Box) setUp() (first int, err error) {
	deadline := time.Now().Add(buildTime)
	x.status.SetReadDeadline(deadline)
	x.ready.SetReadDeadline(deadline)
	var report struct {
		Child int `json:"child-pid"`
	}
	if err := x.report.Decode(&report); err != nil || report.Child <= 0 {
		return 0, errNotBuilt
	}
	x.status.SetReadDeadline(time.Time{}) // the rest comes when the script has ended
	// It waits for us and bwrap waits for it, so the number is still its own.
	if x.initFD, err = unix.PidfdOpen(report.Child, 0); err != nil {
		return 0, fmt.Errorf("opening the sandbox's first process: %w", err)
	}
	if err := x.group.Add(report.Child); err != nil {
		return 0, err
	}
	if _, err := x.gate.Write([]byte("x")); err != nil {
		return 0, errNotBuilt
	}
	return report.Child, nil
}

// hold waits until everything is mounted. It then opens the folders, which keeps them in
// existence, and a command's listener.
func (x *Box) hold(first int, job session.Job) (err error) {
	if x.group == nil {
		x.Uncounted = first
	}
	if _, err := x.ready.Read(make([]byte, 1)); err != nil {
		return errNotBuilt
	}
	root := fmt.Sprintf("/proc/%d/root", first)
	if x.Above, err = os.Open(root + sandbox.Above); err == nil {
		x.Tmp, err = os.Open(root + "/tmp")
	}
	if err == nil && x.Ended(0) {
		err = errors.New("the sandbox ended")
	}
	if err != nil {
		return fmt.Errorf("opening the sandbox's folders: %w; as root that takes the capability SYS_PTRACE", err)
	}
	if job.Port() == "" {
		return nil
	}
	files, err := passing.Expect(x.Channel, "listener", 1, time.Now().Add(buildTime))
	if err != nil {
		return err
	}
	x.Listener = files[0]
	return nil
}

// Ended reports whether the sandbox ends within a time.
func (x *Box) Ended(within time.Duration) bool { return Ended(x.initFD, within) }

// Release implements session.Process. If it fails, the sandbox has ended, and its status
// will say so.
func (x *Box) Release() error {
	x.gate.Write([]byte("\n"))
	return nil
}

// Kill implements session.Process: with the first process, the kernel kills all others of
// its PID namespace. bwrap is killed too, so that waiting for it takes no time.
func (x *Box) Kill() {
	if x.initFD >= 0 {
		unix.PidfdSendSignal(x.initFD, unix.SIGKILL, nil, 0)
	}
	x.cmd.Process.Kill()
}

// Wait implements session.Process.
func (x *Box) Wait() error {
	x.cmd.Wait() // Ending looks at the result
	var err error
	if x.initFD >= 0 {
		x.Kill()
		if !Ended(x.initFD, DeathTime) {
			err = fmt.Errorf("processes of the sandbox still run %v after they were killed", DeathTime)
		}
	}
	// All output is in the pipes now. Do not wait for a process outside that still holds one open.
	x.status.SetReadDeadline(time.Now().Add(DeathTime))
	x.Streams.Finish(DeathTime)
	return err
}

// Ended waits for the end of the first process of a PID namespace, which the kernel ends
// after all others. It reports whether that happened in time.
func Ended(pidfd int, within time.Duration) bool {
	deadline := time.Now().Add(within)
	for {
		poll := []unix.PollFd{{Fd: int32(pidfd), Events: unix.POLLIN}}
		n, err := unix.Poll(poll, int(max(0, time.Until(deadline)).Milliseconds()))
		if n > 0 {
			return true
		}
		if !errors.Is(err, unix.EINTR) {
			return false
		}
	}
}

// Ending implements session.Process. bwrap reports an exit code only if the script was
// started; otherwise its standard error says why not.
func (x *Box) Ending() (session.Ending, error) {
	hits, err := x.group.Hits()
	if err != nil {
		return session.Ending{}, err
	}
	code, err := x.exitCode()
	return session.Ending{
		ExitCode: code, ForksRefused: hits.ForksRefused > 0,
		// Without a cgroup, a SIGKILL that we did not send is attributed to the kernel, because
		// memory ran out. This is wrong for a script that sends itself one.
		OOMKilled: hits.OOMKills > 0 || x.group == nil && code == session.KilledExit,
	}, err
}

func (x *Box) exitCode() (int, error) {
	var report struct {
		ExitCode *int `json:"exit-code"`
	}
	if err := x.report.Decode(&report); err == nil && report.ExitCode != nil {
		return *report.ExitCode, nil
	}
	state := x.cmd.ProcessState
	if ended, ok := state.Sys().(syscall.WaitStatus); ok && ended.Signal() == syscall.SIGKILL || state.ExitCode() == session.KilledExit {
		return session.KilledExit, nil
	}
	return 0, fmt.Errorf("bubblewrap ended with %v: %s", state, output.LastLine(x.Streams.Err.Tail()))
}

// Close implements session.Process.
func (x *Box) Close() error {
	defer runtime.UnlockOSThread()
	var died error
	if x.cmd != nil && x.cmd.ProcessState == nil { // it was not waited for
		x.Kill()
		died = x.Wait()
	}
	if x.initFD >= 0 {
		unix.Close(x.initFD)
		x.initFD = -1 // another file may get the number
	}
	x.Streams.Finish(DeathTime)
	passing.CloseAll(x.status, x.gate, x.ready, x.Above, x.Tmp, x.Listener)
	if x.Channel != nil {
		x.Channel.Close()
	}
	return errors.Join(died, x.group.Remove())
}
