// Package box starts bubblewrap, once for each sandbox.
package box

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
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
	// SetupTime is how long a sandbox may take to be built: some milliseconds, but
	// more on a machine that is overloaded.
	SetupTime = 10 * time.Second
	// DeathTime is how long killed processes may take to end.
	DeathTime = 10 * time.Second
)

// ProcessName ends the name under which bwrap is started; it begins with the name of
// this process.
const ProcessName = "bwrap"

// Box is a sandbox from its start to the end of all that runs in it. It is a
// session.Process.
//
// bwrap dies with its parent, which to the kernel is a thread: the goroutine that opens
// a box keeps its thread until it closes the box.
type Box struct {
	cmd        *exec.Cmd     // bwrap itself, outside of the sandbox
	status     *json.Decoder // what bwrap reports about the sandbox
	statusPipe *os.File
	gate       *os.File // what the sandbox waits for is written here, twice
	ready      *os.File
	pid        int // of the sandbox's first process, until it has ended
	initFD     int // pidfd of it, or -1
	group      *cgroup.Group
	above, tmp *os.File // folders inside
	listener   *os.File // connection to a command's launcher
	streams    *output.Streams
	pipes      []*os.File // of the streams
}

var errNotBuilt = errors.New("bubblewrap could not create the sandbox")

// Open builds a sandbox for a script or a command, which waits there for its files. The
// same goroutine must close it.
func (h *Host) Open(job session.Job) (*Box, error) {
	l := launch{options: h.options(job), program: h.program(job), filter: string(h.Filter), input: job.Script.Code, characters: job.Limits.OutputChars}
	x := new(Box)
	if job.Command != nil {
		ours, theirs, err := passing.Pair()
		if err != nil {
			return nil, err
		}
		defer theirs.Close()
		x.listener, l.listener, l.input = ours, theirs, job.Command.Task
	}
	var err error
	if x.group, err = cgroup.Make(h.Cgroups, job.Limits, job.Limits.Processes+Own); err != nil {
		x.listener.Close()
		return nil, err
	}
	return h.build(l, x, func(x *Box) error {
		if _, err := x.ready.Read(make([]byte, 1)); err != nil {
			return errNotBuilt
		}
		return x.openFolders()
	})
}

// OpenZygote builds a sandbox without folders of its own and starts an interpreter there
// that imports site and has a connection. The same goroutine must close it.
func (h *Host) OpenZygote(site string, connection *os.File) (*Box, error) {
	const charactersOfErrors = 1000
	l := launch{options: h.zygoteOptions(), program: h.interpreter(), connection: connection, site: site, characters: charactersOfErrors}
	return h.build(l, &Box{}, func(*Box) error { return nil })
}

// build starts a sandbox. When ready returns, it is complete.
func (h *Host) build(l launch, x *Box, ready func(*Box) error) (*Box, error) {
	runtime.LockOSThread()
	x.initFD, x.streams = -1, output.NewStreams(l.characters)
	err := x.start(h, l)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("starting bubblewrap: %w", err), x.Close())
	}
	if err = x.setUp(); err == nil {
		err = ready(x)
	}
	if err != nil {
		x.Kill()
		died := x.Wait()
		return nil, errors.Join(fmt.Errorf("%w: %s", err, output.LastLine(x.streams.Err.Tail())), died, x.Close())
	}
	return x, nil
}

// launch is what bwrap is started with.
type launch struct {
	options, filter, input, site string   // texts that it reads
	connection                   *os.File // of a zygote, in place of the input
	listener                     *os.File
	program                      []string
	characters                   int // kept of what it prints
}

// start starts bwrap. Its streams are read from now on.
func (x *Box) start(h *Host, l launch) error {
	var pipes [5][2]*os.File
	defer func() {
		for _, pipe := range pipes {
			passing.CloseAll(pipe[0], pipe[1])
		}
	}()
	for i := range pipes {
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		pipes[i] = [2]*os.File{r, w}
	}
	stdout, stderr, status, gate, ready := &pipes[0], &pipes[1], &pipes[2], &pipes[3], &pipes[4]
	texts, err := l.texts()
	defer func() { passing.CloseAll(slices.Collect(maps.Values(texts))...) }()
	if err != nil {
		return err
	}
	name, err := owner.Prefix()
	if err != nil {
		return err
	}
	x.cmd = exec.Command(h.Program, append([]string{"--args", fmt.Sprint(argsFD), "--"}, l.program...)...)
	x.cmd.Args[0] = name + ProcessName
	x.cmd.Env = []string{} // not ours, it could be read at /proc/1/environ
	x.cmd.Dir = "/"
	x.cmd.Stdout, x.cmd.Stderr = stdout[1], stderr[1]
	x.cmd.ExtraFiles = make([]*os.File, lastFD-2)
	for number, file := range texts {
		x.cmd.ExtraFiles[number-3] = file
	}
	inherited := map[int]*os.File{statusFD: status[1], blockFD: gate[0], goFD: gate[0], readyFD: ready[1], listenerFD: l.listener}
	if l.connection != nil {
		inherited[inputFD] = l.connection
	}
	for number, file := range inherited {
		x.cmd.ExtraFiles[number-3] = file
	}
	x.cmd.SysProcAttr = &syscall.SysProcAttr{Credential: credential(h.User), Pdeathsig: syscall.SIGKILL}
	if err := x.cmd.Start(); err != nil {
		x.cmd = nil
		return err
	}
	x.statusPipe, x.gate, x.ready = take(&status[0]), take(&gate[1]), take(&ready[0])
	x.pipes = []*os.File{take(&stdout[0]), take(&stderr[0])}
	x.status = json.NewDecoder(x.statusPipe)
	x.streams.Drain(x.pipes[0], x.pipes[1])
	return nil
}

// texts returns files with the texts that bwrap reads, by the numbers that they shall
// have. The caller must close them, also after an error.
func (l launch) texts() (map[int]*os.File, error) {
	files := make(map[int]*os.File)
	for number, text := range map[int]string{argsFD: l.options, seccompFD: l.filter, inputFD: l.input, siteFD: l.site} {
		file, err := inMemory(text)
		if err != nil {
			return files, err
		}
		files[number] = file
	}
	return files, nil
}

// take takes a file away from those that are closed.
func take(file **os.File) *os.File {
	taken := *file
	*file = nil
	return taken
}

func credential(user system.User) *syscall.Credential {
	if user == system.Self() {
		return nil
	}
	return &syscall.Credential{Uid: uint32(user.UID), Gid: uint32(user.GID)}
}

// inMemory returns a file without a name that holds the text.
func inMemory(text string) (*os.File, error) {
	fd, err := unix.MemfdCreate("agentd", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	file := os.NewFile(uintptr(fd), "agentd")
	_, err = file.WriteString(text)
	if err == nil {
		_, err = file.Seek(0, 0)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// setUp gets hold of the sandbox's first process, limits it, and lets it start
// the program.
func (x *Box) setUp() error {
	deadline := time.Now().Add(SetupTime)
	x.statusPipe.SetReadDeadline(deadline)
	x.ready.SetReadDeadline(deadline)
	var report struct {
		Child int `json:"child-pid"`
	}
	if err := x.status.Decode(&report); err != nil || report.Child <= 0 {
		return errNotBuilt
	}
	x.statusPipe.SetReadDeadline(time.Time{}) // the rest comes when the script has ended
	x.pid = report.Child
	var err error
	// It waits for us and bwrap waits for it, so the number is still its own.
	if x.initFD, err = unix.PidfdOpen(x.pid, 0); err != nil {
		return fmt.Errorf("opening the sandbox's first process: %w", err)
	}
	if err := x.group.Add(x.pid); err != nil {
		return err
	}
	if _, err := x.gate.Write([]byte("x")); err != nil {
		return errNotBuilt
	}
	return nil
}

// openFolders opens the folders that scripts can write to. They go with the
// sandbox, but for as long as we hold them open.
func (x *Box) openFolders() (err error) {
	root := fmt.Sprintf("/proc/%d/root", x.pid)
	if x.above, err = os.Open(root + sandbox.Above); err == nil {
		x.tmp, err = os.Open(root + "/tmp")
	}
	if err == nil && x.Ended() {
		err = errors.New("the sandbox ended")
	}
	if err != nil {
		return fmt.Errorf("opening the sandbox's folders: %w; as root that takes the capability SYS_PTRACE", err)
	}
	return nil
}

// Ended reports whether the sandbox has ended.
func (x *Box) Ended() bool { return Ended(x.initFD, 0) }

// PidFD stands for the sandbox's first process.
func (x *Box) PidFD() int { return x.initFD }

// Folders implements session.Process.
func (x *Box) Folders() (above, tmp *os.File) { return x.above, x.tmp }

// Streams implements session.Process.
func (x *Box) Streams() *output.Streams { return x.streams }

// Listener implements session.Process: the launcher hands it out.
func (x *Box) Listener() (*os.File, error) {
	files, err := passing.Expect(x.listener, "listener", 1, time.Time{})
	if err != nil {
		return nil, err
	}
	return files[0], nil
}

// Uncounted implements session.Process.
func (x *Box) Uncounted() int {
	if x.group != nil {
		return 0
	}
	return x.pid
}

// Release implements session.Process. That it fails means that the sandbox is gone,
// which its status will tell.
func (x *Box) Release() error {
	x.gate.Write([]byte("\n"))
	return nil
}

// Kill implements session.Process: the kernel kills every process of a PID namespace
// with its first. bwrap itself is killed too, so that waiting for it takes no time
// whatever the sandbox does.
func (x *Box) Kill() {
	if x.initFD >= 0 {
		unix.PidfdSendSignal(x.initFD, unix.SIGKILL, nil, 0)
	}
	x.cmd.Process.Kill()
}

// Wait implements session.Process.
func (x *Box) Wait() error {
	x.cmd.Wait() // what it returns is looked at by Ending
	var err error
	if x.initFD >= 0 {
		x.Kill()
		if !Ended(x.initFD, DeathTime) {
			err = fmt.Errorf("processes of the sandbox still run %v after they were killed", DeathTime)
		}
	}
	// All that was written is in the pipes now. Should anybody hold them open
	// all the same, do not wait for that.
	for _, pipe := range append(x.pipes, x.statusPipe) {
		pipe.SetReadDeadline(time.Now().Add(DeathTime))
	}
	x.streams.Wait()
	return err
}

// Ended waits until the kernel has ended the first process of a PID namespace, which it
// does after all others. It reports whether that came about in time.
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

// Ending implements session.Process. bwrap reports an exit code only if there was a
// script to end; otherwise its standard error says why not.
func (x *Box) Ending() (session.Ending, error) {
	hits, err := x.group.Hits()
	if err != nil {
		return session.Ending{}, err
	}
	code, err := x.exitCode()
	return session.Ending{
		ExitCode: code, ForksRefused: hits.ForksRefused > 0,
		// Without a cgroup, a SIGKILL that we did not send is how the kernel ends
		// processes when memory runs out. A script that kills itself so is mistaken
		// for that.
		OOMKilled: hits.OOMKills > 0 || x.group == nil && code == session.KilledExit,
	}, err
}

func (x *Box) exitCode() (int, error) {
	var report struct {
		ExitCode *int `json:"exit-code"`
	}
	if err := x.status.Decode(&report); err == nil && report.ExitCode != nil {
		return *report.ExitCode, nil
	}
	state := x.cmd.ProcessState
	if ended, ok := state.Sys().(syscall.WaitStatus); ok && ended.Signal() == syscall.SIGKILL || state.ExitCode() == session.KilledExit {
		return session.KilledExit, nil
	}
	return 0, fmt.Errorf("bubblewrap ended with %v: %s", state, output.LastLine(x.streams.Err.Tail()))
}

// Close implements session.Process.
func (x *Box) Close() error {
	defer runtime.UnlockOSThread()
	var died error
	if x.cmd != nil && x.cmd.ProcessState == nil { // nobody has waited for it
		x.Kill()
		died = x.Wait()
	}
	if x.initFD >= 0 {
		unix.Close(x.initFD)
	}
	passing.CloseAll(append(x.pipes, x.statusPipe, x.gate, x.ready, x.above, x.tmp, x.listener)...)
	return errors.Join(died, x.group.Remove())
}
