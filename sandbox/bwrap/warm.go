package bwrap

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"agentd/sandbox"
	"agentd/sandbox/internal/cgroup"
	"agentd/sandbox/internal/output"
	"agentd/sandbox/internal/session"
	"agentd/vfs"
)

// A warm interpreter is a Python that has started and waits, in a sandbox. For
// each script it forks, ahead, into namespaces of users, processes, mounts and
// IPC that the script has for itself: nothing that it does there can reach the
// interpreter or the next script. See server.py.

//go:embed server.py
var server string

// errUnwell is wrapped by errors of a warm interpreter that did not get as far
// as to let a script go, so that it can still be run alone.
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
