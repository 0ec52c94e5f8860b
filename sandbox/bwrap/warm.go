package bwrap

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"agentd/sandbox"
	"agentd/sandbox/internal/output"
	"agentd/sandbox/internal/session"
	"agentd/vfs"
)

// A warm interpreter is a Python that has started and waits, in a sandbox. For
// each script it forks into namespaces of users, processes, mounts and IPC that
// the script has for itself: nothing that it does there can reach the
// interpreter or the next script. See server.py.

//go:embed server.py
var server string

// errUnwell is wrapped by errors of a warm interpreter that did not get as far
// as to let a script go, so that it can still be run cold.
var errUnwell = errors.New("the warm interpreter is unwell")

// warmOwn is how many processes of a warm sandbox are not the script's: bwrap's,
// the server, and the first of the script's namespaces.
const warmOwn = 3

// warm is a warm interpreter.
type warm struct {
	box     *box
	channel *os.File // our end, to the server
	limits  sandbox.Limits
	stop    chan struct{} // closed to end it
	ended   chan error
}

// newWarm starts a warm interpreter and waits until it is ready.
func (b *Backend) newWarm(limits sandbox.Limits) (*warm, error) {
	w := &warm{limits: limits, stop: make(chan struct{}), ended: make(chan error, 1)}
	ready := make(chan error)
	go func() {
		runtime.LockOSThread() // see box
		defer runtime.UnlockOSThread()
		err := w.open(b)
		ready <- err
		if err == nil {
			<-w.stop
			w.box.kill()
			err = w.box.wait()
		}
		w.channel.Close()
		w.ended <- errors.Join(err, w.box.close())
	}()
	if err := <-ready; err != nil {
		<-w.ended
		return nil, fmt.Errorf("%w: %w", errUnwell, err)
	}
	return w, nil
}

func (w *warm) open(b *Backend) error {
	w.box = &box{initFD: -1}
	ours, theirs, err := channelPair()
	if err != nil {
		return err
	}
	w.channel = ours
	defer theirs.Close()
	site, err := inMemory(server)
	if err != nil {
		return err
	}
	defer site.Close()
	l := launch{options: b.warmOptions(), command: b.warmCommand(), files: map[int]*os.File{channelFD: theirs, siteFD: site}}
	const charactersOfErrors = 1000
	w.box, err = b.build(l, w.limits, warmOwn, output.NewBudget(charactersOfErrors), func(*box) error {
		theirs.Close() // or we would not see it close
		if err := send(ours, b.filter); err != nil {
			return err
		}
		_, _, err := receive(ours, time.Now().Add(setupTime))
		return err
	})
	return err
}

// close ends a warm interpreter; nil is no harm.
func (w *warm) close() error {
	if w == nil {
		return nil
	}
	close(w.stop)
	return <-w.ended
}

// warmly runs a script in the runner's warm interpreter. An error that wraps
// errUnwell says that it did not come to that.
func (r *runner) warmly(ctx context.Context, before vfs.Files, code string) (result sandbox.Result, visit *session.Visit, err error) {
	if r.backend.pool == nil {
		return result, nil, errUnwell
	}
	if r.warm == nil {
		if r.warm, err = r.backend.pool.take(r.limits); err != nil {
			return result, nil, err
		}
	}
	budget := output.NewBudget(r.limits.OutputChars)
	f, err := r.warm.fork(r.backend, code, room(before, r.limits), budget)
	defer f.close()
	if err != nil {
		r.dropWarm()
		return result, nil, fmt.Errorf("%w: %w", errUnwell, err)
	}
	result, visit, err = r.perform(ctx, f.script(r.warm), before, budget)
	if err != nil || result.OOMKilled {
		r.dropWarm() // what was killed may have been the server
	}
	return result, visit, err
}

// dropWarm has the next script start with a new interpreter.
func (r *runner) dropWarm() {
	dropped := r.warm
	r.warm = nil
	r.closing.Go(func() { dropped.close() })
}

// fork is a script that a warm interpreter has forked.
type fork struct {
	control        *os.File // to the first process of its namespaces
	initFD         int      // pidfd of it
	workspace, tmp *os.File
	stdout, stderr *output.Stream
	streams        []*os.File
	drained        sync.WaitGroup
	status         string
}

// fork has the interpreter prepare a script. The caller must close the fork,
// also after an error.
func (w *warm) fork(b *Backend, code string, room int64, budget *output.Budget) (*fork, error) {
	f := &fork{initFD: -1, stdout: output.NewStream(budget), stderr: output.NewStream(budget)}
	var theirs []*os.File
	defer func() { closeAll(theirs...) }()
	for range 2 {
		r, w, err := os.Pipe()
		if err != nil {
			return f, err
		}
		f.streams, theirs = append(f.streams, r), append(theirs, w)
	}
	ours, control, err := channelPair()
	if err != nil {
		return f, err
	}
	f.control, theirs = ours, append(theirs, control)
	script, err := inMemory(code)
	if err != nil {
		return f, err
	}
	theirs = append(theirs, script)
	if err := send(w.channel, []byte(b.request(w.limits, room)), theirs...); err != nil {
		return f, err
	}
	closeAll(theirs...)
	theirs = nil
	f.drained.Go(func() { f.stdout.Drain(f.streams[0]) })
	f.drained.Go(func() { f.stderr.Drain(f.streams[1]) })
	_, files, err := receive(f.control, time.Now().Add(setupTime))
	if err == nil && len(files) != 3 {
		closeAll(files...)
		err = errors.New("it sent no folders")
	}
	if err != nil {
		return f, err
	}
	f.workspace, f.tmp = files[0], files[1]
	f.initFD, err = unix.FcntlInt(files[2].Fd(), unix.F_DUPFD_CLOEXEC, 0)
	files[2].Close()
	return f, err
}

// request is how the server is told what a script may have.
func (b *Backend) request(limits sandbox.Limits, room int64) string {
	memory, processes := b.processLimits(limits)
	return fmt.Sprint(max(limits.DiskBytes, 1), " ", max(room, 1), " ",
		memory, " ", processes, " ", max(limits.FileBytes, 0), " 0")
}

// script is the script that waits in the fork.
func (f *fork) script(w *warm) *script {
	s := &script{
		workspace: f.workspace, tmp: f.tmp, stdout: f.stdout, stderr: f.stderr, group: w.box.group,
		release: func() { f.control.Write([]byte("g")) },
		kill:    func() { unix.PidfdSendSignal(f.initFD, unix.SIGKILL, nil, 0) },
		wait:    f.wait, exitCode: f.exitCode,
	}
	if s.group == nil {
		s.pid = processID(f.initFD)
	}
	s.before, _ = s.group.Hits() // fails again when it matters
	return s
}

// processID is the number of the process that a pidfd stands for, or 0.
func processID(pidfd int) int {
	info, err := os.ReadFile(fmt.Sprintf("/proc/self/fdinfo/%d", pidfd))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(info)) {
		if number, ok := strings.CutPrefix(line, "Pid:"); ok {
			pid, _ := strconv.Atoi(strings.TrimSpace(number))
			return max(pid, 0)
		}
	}
	return 0
}

// wait is box.wait for a fork.
func (f *fork) wait() error {
	answer := make([]byte, 16)
	n, _ := f.control.Read(answer) // nothing, if the first process was killed
	f.status = string(answer[:n])
	unix.PidfdSendSignal(f.initFD, unix.SIGKILL, nil, 0)
	var err error
	if !ended(f.initFD, deathTime) {
		err = fmt.Errorf("processes of the script still run %v after they were killed", deathTime)
	}
	f.drain()
	return err
}

// drain waits until all that was written has been read.
func (f *fork) drain() {
	for _, stream := range f.streams {
		stream.SetReadDeadline(time.Now().Add(deathTime))
	}
	f.drained.Wait()
}

// exitCode returns how the script ended: as a shell would tell it.
func (f *fork) exitCode() (int, error) {
	if f.status == "" {
		return killedExit, nil
	}
	code, err := strconv.Atoi(f.status)
	if err != nil {
		return 0, fmt.Errorf("the warm interpreter says that a script ended with %q", f.status)
	}
	if code < 0 {
		code = 128 - code
	}
	return code, nil
}

func (f *fork) close() {
	if f.initFD >= 0 {
		unix.PidfdSendSignal(f.initFD, unix.SIGKILL, nil, 0)
	}
	closeAll(f.control)
	f.drain()
	closeAll(append(f.streams, f.workspace, f.tmp)...)
	if f.initFD >= 0 {
		unix.Close(f.initFD)
	}
}

// channelPair returns two ends of a connection that keeps messages apart.
// Theirs is read by Python, which expects to block.
func channelPair() (ours, theirs *os.File, err error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, err
	}
	if err := unix.SetNonblock(pair[0], true); err != nil {
		unix.Close(pair[0])
		unix.Close(pair[1])
		return nil, nil, err
	}
	return os.NewFile(uintptr(pair[0]), "channel"), os.NewFile(uintptr(pair[1]), "channel"), nil
}

// send sends a message with files.
func send(channel *os.File, message []byte, files ...*os.File) error {
	var rights []byte
	if len(files) > 0 {
		var fds []int
		for _, file := range files {
			fds = append(fds, int(file.Fd()))
		}
		rights = unix.UnixRights(fds...)
	}
	raw, err := channel.SyscallConn()
	if err != nil {
		return err
	}
	failed := raw.Write(func(fd uintptr) bool {
		err = unix.Sendmsg(int(fd), message, rights, nil, unix.MSG_NOSIGNAL)
		return !errors.Is(err, unix.EAGAIN)
	})
	return errors.Join(failed, err)
}

// receive receives a message and the files that came with it. A connection
// that was closed is an error.
func receive(channel *os.File, deadline time.Time) (string, []*os.File, error) {
	if err := channel.SetReadDeadline(deadline); err != nil {
		return "", nil, err
	}
	defer channel.SetReadDeadline(time.Time{})
	raw, err := channel.SyscallConn()
	if err != nil {
		return "", nil, err
	}
	message, rights := make([]byte, 256), make([]byte, 256)
	var n, m int
	failed := raw.Read(func(fd uintptr) bool {
		n, m, _, _, err = unix.Recvmsg(int(fd), message, rights, unix.MSG_CMSG_CLOEXEC)
		return !errors.Is(err, unix.EAGAIN)
	})
	if err := errors.Join(failed, err); err != nil {
		return "", nil, err
	}
	if n == 0 {
		return "", nil, errors.New("it has ended")
	}
	files, err := filesIn(rights[:m])
	return string(message[:n]), files, err
}

func filesIn(rights []byte) (files []*os.File, err error) {
	messages, err := unix.ParseSocketControlMessage(rights)
	for _, message := range messages {
		fds, _ := unix.ParseUnixRights(&message)
		for _, fd := range fds {
			files = append(files, os.NewFile(uintptr(fd), "received"))
		}
	}
	return files, err
}
