package bwrap

import (
	"errors"
	"fmt"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"agentd/sandbox"
	"agentd/sandbox/internal/output"
)

// fork is what a script runs in, from when a warm interpreter has prepared it.
type fork struct {
	warm            *warm
	gate            *os.File // to the script
	above, tmp, run *os.File // folders
	cwd             sandbox.Cwd
	stdout, stderr  *output.Stream
	streams, theirs []*os.File // our ends of the script's output, and its own
	drained         sync.WaitGroup
	released        bool
	status          string // how the script ended; empty if it was killed
}

// fork takes what is prepared and puts the script into it. The caller must
// close the fork, also after an error.
func (w *warm) fork(b *Backend, s sandbox.Script, room int64, budget *output.Budget) (*fork, error) {
	if w.next == nil {
		if err := w.prepare(); err != nil {
			return nil, err
		}
	}
	f := w.next
	w.next, w.asked = nil, false
	f.cwd = s.Cwd
	if err := send(w.channel, fmt.Append(nil, room)); err != nil {
		return f, err
	}
	if err := b.identity.do(func() error { return f.write(s.Code) }); err != nil {
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
func (f *fork) script() *script {
	s := &script{
		above: f.above, tmp: f.tmp, stdout: f.stdout, stderr: f.stderr, group: f.warm.group,
		release: f.release,
		kill:    f.warm.kill, // the only way that does not depend on it
		wait:    f.wait, exitCode: f.exitCode, hits: &f.warm.hits,
	}
	if s.group == nil {
		s.pid = processID(f.warm.pidfd)
	}
	return s
}

// release lets the script go, once the folder above its workspace is limited. Where that fails, it
// is ended.
func (f *fork) release() {
	_, err := expect(f.warm.channel, "fits", 0, time.Now().Add(setupTime))
	if err == nil {
		err = send(f.gate, []byte(f.cwd.Path()), f.theirs...)
	}
	if f.released = err == nil; !f.released {
		f.warm.kill()
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

// wait is box.wait for a fork. The interpreter tells how the script ended when it is
// alone again; if it was killed, all others are.
func (f *fork) wait() error {
	closeAll(f.theirs...) // if it was never let go
	f.theirs = nil
	answer := make([]byte, 16)
	n, _ := f.warm.channel.Read(answer)
	f.status = string(answer[:n])
	if n > 0 && f.warm.zygote.idle() {
		f.warm.ask() // or prepare will, and tell its error
	}
	var err error
	if n == 0 && !ended(f.warm.pidfd, deathTime) {
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

// close lets go of a fork, in which nothing runs any more; nil is no harm.
func (f *fork) close() {
	if f == nil {
		return
	}
	closeAll(append(f.theirs, f.gate)...)
	f.drain()
	closeAll(append(f.streams, f.above, f.tmp, f.run)...)
}
