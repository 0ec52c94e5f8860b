//go:build linux

// Package warm runs scripts in interpreters that have already started.
//
// A warm interpreter is a Python process forked by a zygote. It waits in the sandbox of one
// interaction and forks for each script. It is the first process of its namespaces, so no script
// can reach it. Before the next script starts, it ends everything that the last one left running.
// See zygote.py.
//
// Errors of an interpreter wrap session.ErrLost: the script can be run without it.
package warm

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"agentd/sandbox"
	"agentd/sandbox/bwrap/internal/box"
	"agentd/sandbox/internal/cgroup"
	"agentd/sandbox/internal/passing"
	"agentd/sandbox/internal/session"
)

// Interpreter is a warm interpreter.
type Interpreter struct {
	pool       *Pool
	zygote     *zygote
	pidfd      int // of the server, the first process of its namespaces; or -1
	group      *cgroup.Group
	connection *net.UnixConn // our end, from the server
	asked      bool          // whether the sandbox of the next script was requested
	next       *fork         // that sandbox, once received
	hits       cgroup.Hits   // counts of the cgroup so far
	lost       bool          // it ended with the last script
}

// newInterpreter has a zygote fork an interpreter and waits until it is ready.
func (p *Pool) newInterpreter(z *zygote, limits sandbox.Limits) (*Interpreter, error) {
	z.forks.Add(1)
	w := &Interpreter{pool: p, zygote: z, pidfd: -1}
	if err := w.open(limits); err != nil {
		return nil, fmt.Errorf("%w: %w", session.ErrLost, errors.Join(err, w.Close()))
	}
	return w, nil
}

func (w *Interpreter) open(limits sandbox.Limits) error {
	ours, theirs, err := passing.Pair()
	if err != nil {
		return err
	}
	w.connection = ours
	err = w.zygote.fork(theirs)
	theirs.Close() // or we would not see it close
	if err != nil {
		return err
	}
	server, err := passing.Expect(ours, "settled", 1, time.Now().Add(box.SetupTime))
	if err != nil {
		return err
	}
	w.pidfd, err = unix.FcntlInt(server[0].Fd(), unix.F_DUPFD_CLOEXEC, 0)
	server[0].Close()
	if err != nil {
		return err
	}
	host := w.pool.host
	// It waits for us, so the number is still its own.
	if w.group, err = w.pool.groups.Get(host.Cgroups, limits, limits.Processes+box.Own); err != nil {
		return err
	}
	if err := w.group.Add(processID(w.pidfd)); err != nil {
		return err
	}
	if err := errors.Join(passing.Send(ours, string(host.Filter)), passing.Send(ours, w.pool.request(limits))); err != nil {
		return err
	}
	w.asked = true // the server prepares the first without a request
	return w.prepare()
}

// request returns the message that tells the server the limits of scripts.
func (p *Pool) request(limits sandbox.Limits) string {
	memory, processes := p.host.ProcessLimits(limits)
	fresh := map[bool]int{true: 1}[p.fresh]
	return fmt.Sprint(fresh, " ", max(limits.DiskBytes, 1), " ", memory, " ", processes, " ", max(limits.FileBytes, 0), " 0")
}

// ask has the server prepare the sandbox of the next script.
func (w *Interpreter) ask() error {
	w.asked = true
	return passing.Send(w.connection, "next")
}

// prepare receives the prepared sandbox of the next script.
func (w *Interpreter) prepare() error {
	if !w.asked {
		if err := w.ask(); err != nil {
			return err
		}
	}
	deadline := time.Now().Add(box.SetupTime)
	inside, err := passing.Expect(w.connection, "next", 4, deadline)
	if err != nil {
		return err
	}
	gate, err := passing.Conn(inside[0])
	if err != nil {
		passing.CloseAll(inside[1:]...)
		return err
	}
	f := &fork{warm: w, gate: gate, run: inside[3], Sandbox: session.Sandbox{Above: inside[1], Tmp: inside[2]}}
	if w.group == nil {
		f.Uncounted = processID(w.pidfd)
	}
	if _, err := passing.Expect(f.gate, "ready", 0, deadline); err != nil {
		f.close()
		return err
	}
	w.next = f
	return nil
}

// start puts a script into the prepared sandbox. The interpreter cannot be used again after an
// error, or if it is lost when the process is closed.
func (w *Interpreter) start(job session.Job) (session.Process, error) {
	if w.next == nil {
		if err := w.prepare(); err != nil {
			return nil, fmt.Errorf("%w: %w", session.ErrLost, err)
		}
	}
	f := w.next
	w.next, w.asked = nil, false
	if err := f.take(job); err != nil {
		f.Close()
		return nil, fmt.Errorf("%w: %w", session.ErrLost, err)
	}
	return f, nil
}

// ended reports whether the interpreter has ended.
func (w *Interpreter) ended() bool { return w.pidfd < 0 || box.Ended(w.pidfd, 0) }

// Kill ends the server: the kernel kills every process of a PID namespace with its
// first, and those of namespaces within.
func (w *Interpreter) Kill() {
	if w.pidfd >= 0 {
		unix.PidfdSendSignal(w.pidfd, unix.SIGKILL, nil, 0)
	}
}

// Close ends the interpreter.
func (w *Interpreter) Close() (err error) {
	w.zygote.forks.Add(-1)
	if w.connection != nil {
		w.connection.Close()
	}
	if w.pidfd >= 0 {
		w.Kill()
		if !box.Ended(w.pidfd, box.DeathTime) {
			err = fmt.Errorf("processes of the sandbox still run %v after they were killed", box.DeathTime)
		}
		unix.Close(w.pidfd)
		w.pidfd = -1 // another file may get the number
	}
	if w.next != nil {
		w.next.close()
	}
	return errors.Join(err, w.pool.groups.Put(w.group))
}

// processID returns the number of a pidfd's process, or 0.
func processID(pidfd int) (pid int) {
	info, _ := os.ReadFile(fmt.Sprintf("/proc/self/fdinfo/%d", pidfd))
	if _, number, found := strings.Cut(string(info), "\nPid:"); found {
		fmt.Sscan(number, &pid)
	}
	return max(pid, 0)
}
