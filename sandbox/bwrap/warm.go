package bwrap

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"agentd/sandbox"
	"agentd/sandbox/internal/cgroup"
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
	channel *os.File // our end, from the server
	limits  sandbox.Limits
	next    *fork         // what the next script will run in, if it has been received
	hits    cgroup.Hits   // of the cgroup until now
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
		w.next.close()
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
		if err := errors.Join(send(ours, b.filter), send(ours, []byte(b.request(w.limits)))); err != nil {
			return err
		}
		return w.prepare()
	})
	return err
}

// request is how the server is told what scripts may have.
func (b *Backend) request(limits sandbox.Limits) string {
	memory, processes := b.processLimits(limits)
	fresh := 0
	if b.fresh {
		fresh = 1
	}
	return fmt.Sprint(fresh, " ", max(limits.DiskBytes, 1), " ", memory, " ", processes, " ", max(limits.FileBytes, 0), " 0")
}

// prepare receives what the next script will run in.
func (w *warm) prepare() (err error) {
	f := &fork{initFD: -1}
	deadline := time.Now().Add(setupTime)
	defer func() {
		if err != nil {
			f.close()
		}
	}()
	ends, err := receiveFiles(w.channel, 2, deadline)
	if err != nil {
		return err
	}
	f.control, f.gate = ends[0], ends[1]
	inside, err := receiveFiles(f.control, 4, deadline)
	if err != nil {
		return err
	}
	f.workspace, f.tmp, f.run = inside[0], inside[1], inside[2]
	f.initFD, err = unix.FcntlInt(inside[3].Fd(), unix.F_DUPFD_CLOEXEC, 0)
	inside[3].Close()
	if err != nil {
		return err
	}
	if _, _, err = receive(f.gate, deadline); err == nil {
		w.next = f
	}
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
	// Python runs a text that ends like an archive as one, which a warm
	// interpreter does not look for.
	if r.backend.pool == nil || strings.Contains(code, "PK\x05\x06") {
		return result, nil, errUnwell
	}
	if r.warm == nil {
		if r.warm, err = r.backend.pool.take(r.limits); err != nil {
			return result, nil, err
		}
	}
	budget := output.NewBudget(r.limits.OutputChars)
	f, err := r.warm.fork(r.backend, code, room(before, r.limits), budget)
	defer r.closing.Go(f.close)
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

// fork is what a script runs in, from when a warm interpreter has prepared it.
type fork struct {
	control             *os.File // to the first process of its namespaces
	gate                *os.File // to the script
	initFD              int      // pidfd of the first process
	workspace, tmp, run *os.File // folders
	stdout, stderr      *output.Stream
	streams, theirs     []*os.File // our ends of the script's output, and its own
	drained             sync.WaitGroup
	status              string
}

// fork takes what is prepared and puts the script into it. The caller must
// close the fork, also after an error.
func (w *warm) fork(b *Backend, code string, room int64, budget *output.Budget) (*fork, error) {
	if w.next == nil {
		if err := w.prepare(); err != nil {
			return nil, err
		}
	}
	f := w.next
	w.next = nil
	if err := send(f.control, fmt.Append(nil, room)); err != nil {
		return f, err
	}
	if err := b.identity.do(func() error { return f.write(code) }); err != nil {
		return f, err
	}
	for range 2 {
		r, w, err := os.Pipe()
		if err != nil {
			return f, err
		}
		f.streams, f.theirs = append(f.streams, r), append(f.theirs, w)
	}
	f.stdout, f.stderr = output.NewStream(budget), output.NewStream(budget)
	f.drained.Go(func() { f.stdout.Drain(f.streams[0]) })
	f.drained.Go(func() { f.stderr.Drain(f.streams[1]) })
	return f, nil
}

// write writes the text of the script.
func (f *fork) write(code string) error {
	fd, err := unix.Openat(int(f.run.Fd()), path.Base(scriptAt), unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	file := os.NewFile(uintptr(fd), scriptAt)
	_, err = file.WriteString(code)
	return errors.Join(err, file.Close())
}

// script is the script that waits in the fork.
func (f *fork) script(w *warm) *script {
	s := &script{
		workspace: f.workspace, tmp: f.tmp, stdout: f.stdout, stderr: f.stderr, group: w.box.group,
		release: f.release,
		kill:    f.kill,
		wait:    f.wait, exitCode: f.exitCode, hits: &w.hits,
	}
	if s.group == nil {
		s.pid = processID(f.initFD)
	}
	return s
}

// release lets the script go, once its workspace is limited. A failure means
// that it is gone or to be ended, and will be told by its status.
func (f *fork) release() {
	if _, _, err := receive(f.control, time.Now().Add(setupTime)); err != nil {
		f.kill()
	} else {
		send(f.gate, []byte("go"), f.theirs...)
	}
	closeAll(f.theirs...)
	f.theirs = nil
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

func (f *fork) kill() { unix.PidfdSendSignal(f.initFD, unix.SIGKILL, nil, 0) }

// wait is box.wait for a fork. The first process tells how the script ended when
// it is alone again; if it was killed, all others are.
func (f *fork) wait() error {
	closeAll(f.theirs...) // if it was never let go
	f.theirs = nil
	answer := make([]byte, 16)
	n, _ := f.control.Read(answer)
	f.status = string(answer[:n])
	var err error
	if n == 0 && !ended(f.initFD, deathTime) {
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

// close lets go of a fork and ends what still runs in it; nil is no harm.
func (f *fork) close() {
	if f == nil {
		return
	}
	if f.initFD >= 0 {
		f.kill()
	}
	closeAll(append(f.theirs, f.control, f.gate)...)
	f.drain()
	closeAll(append(f.streams, f.workspace, f.tmp, f.run)...)
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

// receiveFiles receives a message that comes with so many files.
func receiveFiles(channel *os.File, number int, deadline time.Time) ([]*os.File, error) {
	_, files, err := receive(channel, deadline)
	if err == nil && len(files) != number {
		err = fmt.Errorf("it sent %d files, not %d", len(files), number)
	}
	if err != nil {
		closeAll(files...)
	}
	return files, err
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
