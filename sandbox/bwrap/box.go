package bwrap

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"agentd/sandbox"
	"agentd/sandbox/internal/cgroup"
	"agentd/sandbox/internal/living"
	"agentd/sandbox/internal/output"
)

const (
	// setupTime is how long bwrap may take to build a sandbox: some
	// milliseconds, but more on a machine that is overloaded.
	setupTime = 10 * time.Second
	// deathTime is how long killed processes may take to end.
	deathTime = 10 * time.Second
)

// box is a sandbox from its start to the end of all that runs in it.
//
// bwrap dies with its parent, which to the kernel is a thread: whoever starts a
// box must stay on a locked thread until it has ended.
type box struct {
	cmd            *exec.Cmd     // bwrap itself, outside of the sandbox
	status         *json.Decoder // what bwrap reports about the sandbox
	statusPipe     *os.File
	gate           *os.File // what the sandbox waits for is written here, twice
	ready          *os.File
	pid            int // of the sandbox's first process, until it has ended
	initFD         int // pidfd of it, or -1
	group          *cgroup.Group
	above, tmp     *os.File // folders inside
	stdout, stderr *output.Stream
	streams        []*os.File
	drained        sync.WaitGroup
}

// open builds a sandbox, in which the script waits for its files. The caller
// must close it, also after an error.
func (b *Backend) open(s sandbox.Script, room int64, limits sandbox.Limits, budget *output.Budget) (*box, error) {
	l := launch{options: b.options(s.Cwd, limits, room), command: b.aloneCommand(limits), files: make(map[int]*os.File)}
	defer func() { closeAll(slices.Collect(maps.Values(l.files))...) }()
	for number, text := range map[int]string{seccompFD: string(b.filter), scriptFD: s.Code, siteFD: ""} {
		file, err := inMemory(text)
		if err != nil {
			return &box{initFD: -1}, err
		}
		l.files[number] = file
	}
	group, err := cgroup.Make(b.parent, limits, limits.Processes+own)
	if err != nil {
		return &box{initFD: -1}, err
	}
	return b.build(l, group, budget, func(x *box) error {
		if _, err := x.ready.Read(make([]byte, 1)); err != nil {
			return errNotBuilt
		}
		return x.openFolders()
	})
}

var errNotBuilt = errors.New("bubblewrap could not create the sandbox")

// build starts a sandbox in a cgroup, which closing it removes. When ready returns, it
// is complete.
func (b *Backend) build(l launch, group *cgroup.Group, budget *output.Budget, ready func(*box) error) (*box, error) {
	x := &box{initFD: -1, group: group, stdout: output.NewStream(budget), stderr: output.NewStream(budget)}
	if err := x.start(b, l); err != nil {
		return x, fmt.Errorf("starting bubblewrap: %w", err)
	}
	err := x.setUp()
	if err == nil {
		err = ready(x)
	}
	if err != nil {
		x.kill()
		died := x.wait()
		return x, errors.Join(fmt.Errorf("%w: %s", err, output.LastLine(x.stderr.Tail())), died)
	}
	return x, nil
}

// script is the script that waits in the sandbox.
func (x *box) script() *script {
	return &script{
		above: x.above, tmp: x.tmp, stdout: x.stdout, stderr: x.stderr, pid: x.pid, group: x.group,
		// A failure means that the sandbox is gone, and will be told by its status.
		release: func() { x.gate.Write([]byte("\n")) },
		kill:    x.kill, wait: x.wait, exitCode: x.exitCode, hits: new(cgroup.Hits),
	}
}

// launch is what bwrap is started with.
type launch struct {
	options string
	command []string
	files   map[int]*os.File // by the number that they shall have
}

// start starts bwrap. Its streams are read from now on.
func (x *box) start(b *Backend, l launch) error {
	var pipes [5][2]*os.File
	defer func() {
		for _, pipe := range pipes {
			pipe[0].Close()
			pipe[1].Close()
		}
	}()
	for i := range pipes {
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		pipes[i] = [2]*os.File{r, w}
	}
	options, err := inMemory(l.options)
	if err != nil {
		return err
	}
	defer options.Close()
	name, err := living.Prefix()
	if err != nil {
		return err
	}
	stdout, stderr, status, gate, ready := &pipes[0], &pipes[1], &pipes[2], &pipes[3], &pipes[4]
	x.cmd = exec.Command(b.host.bwrap, append([]string{"--args", fmt.Sprint(argsFD), "--"}, l.command...)...)
	x.cmd.Args[0] = name + processName
	x.cmd.Env = []string{} // not ours, it could be read at /proc/1/environ
	x.cmd.Dir = "/"
	x.cmd.Stdout, x.cmd.Stderr = stdout[1], stderr[1]
	x.cmd.ExtraFiles = make([]*os.File, lastFD-2)
	for number, file := range map[int]*os.File{statusFD: status[1], blockFD: gate[0], goFD: gate[0], readyFD: ready[1], argsFD: options} {
		x.cmd.ExtraFiles[number-3] = file
	}
	for number, file := range l.files {
		x.cmd.ExtraFiles[number-3] = file
	}
	x.cmd.SysProcAttr = &syscall.SysProcAttr{Credential: b.identity.Credential, Pdeathsig: syscall.SIGKILL}
	if err := x.cmd.Start(); err != nil {
		x.cmd = nil
		return err
	}
	x.statusPipe, x.gate, x.ready = keep(&status[0]), keep(&gate[1]), keep(&ready[0])
	x.streams = []*os.File{keep(&stdout[0]), keep(&stderr[0])}
	x.status = json.NewDecoder(x.statusPipe)
	x.drained.Go(func() { x.stdout.Drain(x.streams[0]) })
	x.drained.Go(func() { x.stderr.Drain(x.streams[1]) })
	return nil
}

// keep takes a file away from those that are closed.
func keep(file **os.File) *os.File {
	kept := *file
	*file = nil
	return kept
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
func (x *box) setUp() error {
	deadline := time.Now().Add(setupTime)
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
func (x *box) openFolders() (err error) {
	root := fmt.Sprintf("/proc/%d/root", x.pid)
	if x.above, err = os.Open(root + sandbox.Above); err == nil {
		x.tmp, err = os.Open(root + "/tmp")
	}
	if err == nil && ended(x.initFD, 0) {
		err = errors.New("the sandbox ended")
	}
	if err != nil {
		return fmt.Errorf("opening the sandbox's folders: %w; as root that takes the capability SYS_PTRACE", err)
	}
	return nil
}

// kill ends the sandbox: the kernel kills every process of a PID namespace
// with its first. bwrap itself is killed too, so that waiting for it takes no time
// whatever the sandbox does.
func (x *box) kill() {
	if x.initFD >= 0 {
		unix.PidfdSendSignal(x.initFD, unix.SIGKILL, nil, 0)
	}
	x.cmd.Process.Kill()
}

// wait waits for the script to end, ends what it left running, and returns
// when all is gone and all output read. An error says that something is not.
func (x *box) wait() error {
	x.cmd.Wait() // what it returns is looked at by exitCode
	var err error
	if x.initFD >= 0 {
		x.kill()
		if !ended(x.initFD, deathTime) {
			err = fmt.Errorf("processes of the sandbox still run %v after they were killed", deathTime)
		}
	}
	// All that was written is in the pipes now. Should anybody hold them open
	// all the same, do not wait for that.
	for _, stream := range append(x.streams, x.statusPipe) {
		stream.SetReadDeadline(time.Now().Add(deathTime))
	}
	x.drained.Wait()
	return err
}

// ended waits until the kernel has ended the first process of a PID namespace,
// which it does after all others. It reports whether that came about in time.
func ended(pidfd int, within time.Duration) bool {
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

// exitCode returns how the script ended. bwrap reports a code only if there
// was a script to end; otherwise its standard error says why not.
func (x *box) exitCode() (int, error) {
	var report struct {
		ExitCode *int `json:"exit-code"`
	}
	if err := x.status.Decode(&report); err == nil && report.ExitCode != nil {
		return *report.ExitCode, nil
	}
	state := x.cmd.ProcessState
	if ended, ok := state.Sys().(syscall.WaitStatus); ok && ended.Signal() == syscall.SIGKILL || state.ExitCode() == killedExit {
		return killedExit, nil
	}
	return 0, fmt.Errorf("bubblewrap ended with %v: %s", state, output.LastLine(x.stderr.Tail()))
}

// close lets go of what is left of a sandbox in which nothing runs any more.
func (x *box) close() error {
	if x.initFD >= 0 {
		unix.Close(x.initFD)
	}
	closeAll(append(x.streams, x.statusPipe, x.gate, x.ready, x.above, x.tmp)...)
	return x.group.Remove()
}

// closeAll closes files; nil ones are no harm.
func closeAll(files ...*os.File) {
	for _, file := range files {
		file.Close()
	}
}
