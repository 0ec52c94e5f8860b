//go:build linux

package warm

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"agentd/sandbox"
	"agentd/sandbox/bwrap/internal/box"
	"agentd/sandbox/internal/cgroup"
	"agentd/sandbox/internal/passing"
	"agentd/sandbox/internal/session"
)

// Pool makes warm interpreters, and keeps some ready for later runners. Its methods may
// be called concurrently.
type Pool struct {
	host  *box.Host
	size  int
	fresh bool // each script has an interpreter of its own

	starting sync.Mutex    // held while a zygote starts
	zygote   *zygote       // nil before the first is needed
	forking  chan struct{} // a semaphore that limits concurrent forks
	groups   cgroup.Cache

	mu      sync.Mutex
	limits  sandbox.Limits // limits of the interpreters that are ready
	ready   []*Interpreter
	coming  int
	closed  bool
	filling sync.WaitGroup
}

// NewPool returns a pool that keeps size interpreters ready, with the limits of the last one
// taken. If fresh is set, each script starts a new interpreter in the prepared sandbox.
func NewPool(host *box.Host, size int, fresh bool) *Pool {
	return &Pool{host: host, size: size, fresh: fresh, forking: make(chan struct{}, 8*runtime.GOMAXPROCS(0))}
}

// take returns a warm interpreter with the limits, a ready one if possible, and starts
// replacements. The caller must close it. Errors wrap session.ErrLost.
func (p *Pool) take(limits sandbox.Limits) (*Interpreter, error) {
	p.mu.Lock()
	if p.limits != limits {
		for _, w := range p.ready {
			p.discard(w)
		}
		p.ready, p.limits = nil, limits
	}
	var taken *Interpreter
	for taken == nil && len(p.ready) > 0 {
		last := len(p.ready) - 1
		taken, p.ready = p.ready[last], p.ready[:last]
		if taken.ended() { // together with its zygote
			p.discard(taken)
			taken = nil
		}
	}
	p.fill()
	p.mu.Unlock()
	if taken != nil {
		return taken, nil
	}
	return p.fork(limits)
}

// fork has the zygote fork a warm interpreter. Concurrent callers queue here, so that none exceeds
// the setup time.
func (p *Pool) fork(limits sandbox.Limits) (*Interpreter, error) {
	p.forking <- struct{}{}
	defer func() { <-p.forking }()
	z, err := p.source()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", session.ErrLost, err)
	}
	return p.newInterpreter(z, limits)
}

// source returns the zygote.
func (p *Pool) source() (*zygote, error) {
	p.starting.Lock()
	defer p.starting.Unlock()
	if p.zygote != nil && p.zygote.box.Ended(0) {
		p.zygote.close() // its error is known already
		p.zygote = nil
	}
	var err error
	if p.zygote == nil {
		p.zygote, err = newZygote(p.host)
	}
	return p.zygote, err
}

// fill starts the missing interpreters. The caller holds p's lock.
func (p *Pool) fill() {
	for !p.closed && len(p.ready)+p.coming < p.size {
		p.coming++
		limits := p.limits
		p.filling.Go(func() {
			w, err := p.fork(limits)
			p.mu.Lock()
			p.coming--
			keep := err == nil && !p.closed && limits == p.limits
			if keep {
				p.ready = append(p.ready, w)
			}
			p.mu.Unlock()
			if err == nil && !keep {
				w.Close()
			}
		})
	}
}

// discard ends an interpreter that no runner has taken.
func (p *Pool) discard(w *Interpreter) { p.filling.Go(func() { w.Close() }) }

// Close ends the zygote and all interpreters that no runner has taken.
func (p *Pool) Close() error {
	p.mu.Lock()
	p.closed = true
	var failed []error
	for _, w := range p.ready {
		failed = append(failed, w.Close())
	}
	p.ready = nil
	p.mu.Unlock()
	p.filling.Wait()
	p.starting.Lock()
	defer p.starting.Unlock()
	if p.zygote != nil {
		failed = append(failed, p.zygote.close())
		p.zygote = nil
	}
	return errors.Join(append(failed, p.groups.Close())...)
}

//go:embed zygote.py
var source string

// zygote is a Python that has started, loaded what scripts import most often, and waits in
// a sandbox. It forks interpreters within milliseconds, and they share its memory until they
// write to it. It is in no cgroup, since it runs only our code. See zygote.py. Its methods
// may be called concurrently.
type zygote struct {
	box   *box.Box
	stop  chan struct{} // closed to end the zygote
	ended chan error
	forks atomic.Int32 // warm interpreters that are not closed
}

// idle reports whether so few interpreters run that some may be started in advance.
func (z *zygote) idle() bool { return int(z.forks.Load()) <= 4*runtime.GOMAXPROCS(0) }

// newZygote starts a zygote. If the zygote fails later, its forks fail.
func newZygote(host *box.Host) (*zygote, error) {
	z := &zygote{stop: make(chan struct{}), ended: make(chan error, 1)}
	started := make(chan error)
	go func() { // a box needs a goroutine of its own
		var err error
		z.box, err = host.OpenZygote(source)
		started <- err
		if err != nil {
			return
		}
		<-z.stop
		z.ended <- z.box.Close()
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return z, nil
}

// fork has the zygote fork a server that gets the other end of a connection.
func (z *zygote) fork(theirs *os.File) error { return passing.Send(z.box.Channel, "fork", theirs) }

// close ends the zygote and all its forks.
func (z *zygote) close() error {
	close(z.stop)
	return <-z.ended
}
