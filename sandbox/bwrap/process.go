package bwrap

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"agentd/sandbox"
)

const (
	// setupTime is how long bwrap may take to build a sandbox: some
	// milliseconds, but more on a machine that is overloaded.
	setupTime = 10 * time.Second
	// deathTime is how long killed processes may take to end.
	deathTime = 10 * time.Second

	killedExit = 128 + int(syscall.SIGKILL)
)

// process is a sandbox from its start to the end of all that runs in it.
type process struct {
	cmd            *exec.Cmd     // bwrap itself, outside of the sandbox
	status         *json.Decoder // what bwrap reports about the sandbox
	statusPipe     *os.File
	release        *os.File // the sandbox starts the script when a byte is written here
	initFD         int      // pidfd of the sandbox's first process, or -1
	stdout, stderr *stream
	streams        []*os.File
	drained        sync.WaitGroup
}

// execute runs the script in the folder. When it returns, no process of the
// sandbox exists any more.
func (b *Backend) execute(ctx context.Context, workspace, script string, limits sandbox.Limits) (sandbox.Result, error) {
	// bwrap dies with its parent, which to the kernel is a thread. Go must not
	// end this one meanwhile.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	budget := &output{left: limits.OutputChars}
	p := &process{initFD: -1, stdout: &stream{budget: budget}, stderr: &stream{budget: budget}}
	defer p.close()
	if err := p.start(b, b.host.arguments(workspace, script, limits)); err != nil {
		return sandbox.Result{}, fmt.Errorf("starting bubblewrap: %w", err)
	}
	if err := p.setUp(); err != nil {
		p.kill()
		died := p.wait()
		return sandbox.Result{}, errors.Join(fmt.Errorf("%w: %s", err, lastLine(string(p.stderr.tail))), died)
	}
	began := time.Now()
	killed, err := p.run(ctx, limits.WallTime)
	if err != nil {
		return sandbox.Result{}, err
	}
	if killed && ctx.Err() != nil {
		return sandbox.Result{}, ctx.Err()
	}
	result := sandbox.Result{
		Stdout: p.stdout.text.String(), Stderr: p.stderr.text.String(),
		Truncated: budget.truncated, TimedOut: killed, Duration: time.Since(began),
	}
	if killed {
		result.ExitCode = killedExit
		return result, nil
	}
	if result.ExitCode, err = p.exitCode(); err != nil {
		return sandbox.Result{}, err
	}
	result.OOMKilled = outOfMemory(result.ExitCode, string(p.stderr.tail))
	return result, nil
}

// start starts bwrap. Its streams are read from now on.
func (p *process) start(b *Backend, args []string) error {
	var pipes [4][2]*os.File // stdout, stderr, status, block
	for i := range pipes {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(pipes[:i]...)
			return err
		}
		pipes[i] = [2]*os.File{r, w}
	}
	stdout, stderr, status, block := pipes[0], pipes[1], pipes[2], pipes[3]

	p.cmd = exec.Command(b.host.bwrap, args...)
	p.cmd.Env = []string{} // not ours, it could be read at /proc/1/environ
	p.cmd.Dir = "/"
	p.cmd.Stdout, p.cmd.Stderr = stdout[1], stderr[1]
	p.cmd.ExtraFiles = []*os.File{statusFD - 3: status[1], blockFD - 3: block[0], syncFD - 3: block[1]}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Credential: b.identity}
	if err := p.cmd.Start(); err != nil {
		closeAll(pipes[:]...)
		p.cmd = nil
		return err
	}
	for _, inherited := range []*os.File{stdout[1], stderr[1], status[1], block[0]} {
		inherited.Close()
	}
	p.statusPipe, p.status, p.release = status[0], json.NewDecoder(status[0]), block[1]
	p.streams = []*os.File{stdout[0], stderr[0]}
	p.drained.Go(func() { p.stdout.drain(stdout[0]) })
	p.drained.Go(func() { p.stderr.drain(stderr[0]) })
	return nil
}

// setUp learns from bwrap which process is the sandbox's first, and gets hold
// of it.
func (p *process) setUp() error {
	p.statusPipe.SetReadDeadline(time.Now().Add(setupTime))
	var report struct {
		Child int `json:"child-pid"`
	}
	if err := p.status.Decode(&report); err != nil || report.Child <= 0 {
		return errors.New("bubblewrap could not create the sandbox")
	}
	p.statusPipe.SetReadDeadline(time.Time{}) // the rest comes when the script has ended
	var err error
	// It waits for us and bwrap waits for it, so the number is still its own.
	if p.initFD, err = unix.PidfdOpen(report.Child, 0); err != nil {
		return fmt.Errorf("opening the sandbox's first process: %w", err)
	}
	return nil
}

// run lets the script start and waits for its end. It reports whether it was
// killed because ctx or the wall time ended.
func (p *process) run(ctx context.Context, wallTime time.Duration) (killed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, wallTime)
	defer cancel()
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		p.kill()
		close(done)
	})
	// A failure means that the sandbox is gone, and will be told by its status.
	p.release.Write([]byte{1})
	err = p.wait()
	if !stop() {
		<-done
		killed = true
	}
	return killed, err
}

// kill ends the sandbox: the kernel kills every process of a PID namespace
// with its first.
func (p *process) kill() {
	if p.initFD >= 0 {
		unix.PidfdSendSignal(p.initFD, unix.SIGKILL, nil, 0)
	} else {
		p.cmd.Process.Kill()
	}
}

// wait waits for the script to end, ends what it left running, and returns
// when all is gone and all output read. An error says that something is not.
func (p *process) wait() error {
	p.cmd.Wait() // what it returns is looked at by exitCode
	var err error
	if p.initFD >= 0 {
		p.kill()
		err = awaitDeath(p.initFD)
	}
	// All that was written is in the pipes now. Should anybody hold them open
	// all the same, do not wait for that.
	for _, stream := range append(p.streams, p.statusPipe) {
		stream.SetReadDeadline(time.Now().Add(deathTime))
	}
	p.drained.Wait()
	return err
}

// awaitDeath waits until the kernel has ended the first process of a PID
// namespace, which it does after all others.
func awaitDeath(pidfd int) error {
	deadline := time.Now().Add(deathTime)
	for left := deathTime; left > 0; left = time.Until(deadline) {
		poll := []unix.PollFd{{Fd: int32(pidfd), Events: unix.POLLIN}}
		n, err := unix.Poll(poll, int(left.Milliseconds())+1)
		if n > 0 {
			return nil
		}
		if err != nil && !errors.Is(err, unix.EINTR) {
			return fmt.Errorf("waiting for the sandbox to end: %w", err)
		}
	}
	return fmt.Errorf("processes of the sandbox still run %v after they were killed", deathTime)
}

// exitCode returns how the script ended. bwrap reports a code only if there
// was a script to end; otherwise its standard error says why not.
func (p *process) exitCode() (int, error) {
	var report struct {
		ExitCode *int `json:"exit-code"`
	}
	if err := p.status.Decode(&report); err == nil && report.ExitCode != nil {
		return *report.ExitCode, nil
	}
	state := p.cmd.ProcessState
	if ended, ok := state.Sys().(syscall.WaitStatus); ok && ended.Signal() == syscall.SIGKILL || state.ExitCode() == killedExit {
		return killedExit, nil
	}
	return 0, fmt.Errorf("bubblewrap ended with %v: %s", state, lastLine(string(p.stderr.tail)))
}

// outOfMemory guesses whether a script ended for want of memory: by an
// uncaught MemoryError (or a class named like it, as NumPy has), or by a
// SIGKILL that we did not send, which is how the kernel ends processes when
// memory runs out. A script that kills itself so is mistaken for that.
func outOfMemory(exitCode int, stderr string) bool {
	exception, _, _ := strings.Cut(lastLine(stderr), ":")
	return exitCode == killedExit || exitCode == 1 && strings.HasSuffix(exception, "MemoryError")
}

func (p *process) close() {
	if p.initFD >= 0 {
		unix.Close(p.initFD)
	}
	for _, file := range append(p.streams, p.statusPipe, p.release) {
		file.Close() // nil where start failed, which is no harm
	}
}

func closeAll(pipes ...[2]*os.File) {
	for _, pipe := range pipes {
		pipe[0].Close()
		pipe[1].Close()
	}
}
