package bwrap

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"agentd/sandbox"
	"agentd/sandbox/internal/cgroup"
	"agentd/sandbox/internal/output"
	"agentd/sandbox/internal/session"
	"agentd/vfs"
)

// A warm interpreter is a Python that waits in a sandbox of one interaction, forked
// from a zygote, and forks for each script. It is the first process of its namespaces,
// so that nothing a script does there can reach it, and all that a script leaves, it
// ends before the next. See zygote.py.

// errUnwell is wrapped by errors of a warm interpreter that did not get as far as to
// let a script go, or whose zygote ended beside it. The script can still be run alone:
// nothing that it did counts yet.
var errUnwell = errors.New("the warm interpreter is unwell")

// warm is a warm interpreter.
type warm struct {
	zygote  *zygote
	pidfd   int // of the server, the first process of its namespaces; or -1
	group   *cgroup.Group
	groups  *cgroup.Keeper // to which it goes back
	channel *os.File       // our end, from the server
	asked   bool           // for what the next script will run in
	next    *fork          // that, if it has been received
	hits    cgroup.Hits    // of the cgroup until now
}

// newWarm has a zygote fork a warm interpreter and waits until it is ready.
func (b *Backend) newWarm(z *zygote, groups *cgroup.Keeper, limits sandbox.Limits) (*warm, error) {
	z.forks.Add(1)
	w := &warm{zygote: z, groups: groups, pidfd: -1}
	if err := w.open(b, limits); err != nil {
		return nil, fmt.Errorf("%w: %w", errUnwell, errors.Join(err, w.close()))
	}
	return w, nil
}

func (w *warm) open(b *Backend, limits sandbox.Limits) error {
	ours, theirs, err := channelPair()
	if err != nil {
		return err
	}
	w.channel = ours
	err = w.zygote.fork(theirs)
	theirs.Close() // or we would not see it close
	if err != nil {
		return err
	}
	server, err := expect(ours, "settled", 1, time.Now().Add(setupTime))
	if err != nil {
		return err
	}
	w.pidfd, err = unix.FcntlInt(server[0].Fd(), unix.F_DUPFD_CLOEXEC, 0)
	server[0].Close()
	if err != nil {
		return err
	}
	// It waits for us, so the number is still its own.
	if w.group, err = w.groups.Take(b.parent, limits, limits.Processes+own); err != nil {
		return err
	}
	if err := w.group.Add(processID(w.pidfd)); err != nil {
		return err
	}
	if err := errors.Join(send(ours, b.filter), send(ours, []byte(b.request(limits)))); err != nil {
		return err
	}
	w.asked = true // the first comes by itself
	return w.prepare()
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

// ask has the server prepare what the next script will run in.
func (w *warm) ask() error {
	w.asked = true
	return send(w.channel, []byte("next"))
}

// prepare receives what the next script will run in.
func (w *warm) prepare() error {
	if !w.asked {
		if err := w.ask(); err != nil {
			return err
		}
	}
	deadline := time.Now().Add(setupTime)
	inside, err := expect(w.channel, "next", 4, deadline)
	if err != nil {
		return err
	}
	f := &fork{warm: w, gate: inside[0], above: inside[1], tmp: inside[2], run: inside[3]}
	if _, err := expect(f.gate, "ready", 0, deadline); err != nil {
		f.close()
		return err
	}
	w.next = f
	return nil
}

// gone reports whether the server has ended.
func (w *warm) gone() bool { return ended(w.pidfd, 0) }

// abandoned reports whether a script that was killed was so because the zygote was,
// which ends after all that it has forked.
func (w *warm) abandoned() bool {
	const after = 100 * time.Millisecond
	return ended(w.zygote.box.initFD, after)
}

// kill ends the server: the kernel kills every process of a PID namespace with its
// first, and those of namespaces within.
func (w *warm) kill() {
	if w.pidfd >= 0 {
		unix.PidfdSendSignal(w.pidfd, unix.SIGKILL, nil, 0)
	}
}

// close ends a warm interpreter; nil is no harm.
func (w *warm) close() (err error) {
	if w == nil {
		return nil
	}
	w.zygote.forks.Add(-1)
	w.channel.Close()
	if w.pidfd >= 0 {
		w.kill()
		if !ended(w.pidfd, deathTime) {
			err = fmt.Errorf("processes of the sandbox still run %v after they were killed", deathTime)
		}
		unix.Close(w.pidfd)
	}
	w.next.close()
	return errors.Join(err, w.groups.Give(w.group))
}

// warmly runs a script in the runner's warm interpreter. An error that wraps
// errUnwell says that it did not come to its end there.
func (r *runner) warmly(ctx context.Context, before vfs.Files, s sandbox.Script) (result sandbox.Result, visit *session.Visit, err error) {
	// Python runs a text that ends like an archive as one, which a warm
	// interpreter does not look for.
	if r.backend.pool == nil || strings.Contains(s.Code, "PK\x05\x06") {
		return result, nil, errUnwell
	}
	if r.warm == nil {
		if r.warm, err = r.backend.pool.take(r.limits); err != nil {
			return result, nil, err
		}
	}
	budget := output.NewBudget(r.limits.OutputChars)
	f, err := r.warm.fork(r.backend, s, room(before, r.limits), budget)
	defer r.closing.Go(f.close)
	if err != nil {
		r.dropWarm()
		return result, nil, fmt.Errorf("%w: %w", errUnwell, err)
	}
	result, visit, err = r.perform(ctx, f.script(), before, budget)
	if err == nil && ctx.Err() == nil && (!f.released || !result.TimedOut && f.status == "" && r.warm.abandoned()) {
		err = errUnwell
	}
	if err != nil || f.status == "" { // it was killed, by us or for want of memory
		r.dropWarm()
	}
	return result, visit, err
}

// dropWarm has the next script start with a new interpreter.
func (r *runner) dropWarm() {
	dropped := r.warm
	r.warm = nil
	r.closing.Go(func() { dropped.close() })
}
