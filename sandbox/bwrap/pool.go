package bwrap

import (
	"errors"
	"fmt"
	"runtime"
	"sync"

	"agentd/sandbox"
	"agentd/sandbox/internal/cgroup"
)

// pool keeps warm interpreters ready for runners that will come, and the zygote that
// forks them.
type pool struct {
	backend *Backend
	size    int

	starting sync.Mutex    // held while a zygote starts
	zygote   *zygote       // nil before the first is needed
	forking  chan struct{} // has room for as many as are forked at a time
	groups   cgroup.Keeper

	mu      sync.Mutex
	limits  sandbox.Limits // of those that are ready
	ready   []*warm
	coming  int
	closed  bool
	filling sync.WaitGroup
}

func newPool(b *Backend, size int) *pool {
	return &pool{backend: b, size: size, forking: make(chan struct{}, 8*runtime.GOMAXPROCS(0))}
}

// take returns a warm interpreter with the limits, one that is ready if there
// is any, and sees to it that others will be.
func (p *pool) take(limits sandbox.Limits) (*warm, error) {
	p.mu.Lock()
	if p.limits != limits {
		p.dismiss()
		p.limits = limits
	}
	var taken *warm
	for taken == nil && len(p.ready) > 0 {
		last := len(p.ready) - 1
		taken, p.ready = p.ready[last], p.ready[:last]
		if taken.gone() { // with its zygote
			p.let(taken)
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

// fork has the zygote fork a warm interpreter. Where many are asked for at once they
// wait here, so that none takes longer than it should.
func (p *pool) fork(limits sandbox.Limits) (*warm, error) {
	p.forking <- struct{}{}
	defer func() { <-p.forking }()
	z, err := p.source()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnwell, err)
	}
	return p.backend.newWarm(z, &p.groups, limits)
}

// source returns the zygote.
func (p *pool) source() (*zygote, error) {
	p.starting.Lock()
	defer p.starting.Unlock()
	if p.zygote != nil && p.zygote.gone() {
		p.zygote.close() // what it says is known
		p.zygote = nil
	}
	var err error
	if p.zygote == nil {
		p.zygote, err = p.backend.newZygote()
	}
	return p.zygote, err
}

// fill starts what is missing. p is locked.
func (p *pool) fill() {
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
			if !keep {
				w.close()
			}
		})
	}
}

// dismiss ends those that are ready. p is locked.
func (p *pool) dismiss() {
	for _, w := range p.ready {
		p.let(w)
	}
	p.ready = nil
}

// let ends one that no runner has taken.
func (p *pool) let(w *warm) { p.filling.Go(func() { w.close() }) }

// close ends all that runners have not taken, and the zygote.
func (p *pool) close() error {
	p.mu.Lock()
	p.closed = true
	var failed []error
	for _, w := range p.ready {
		failed = append(failed, w.close())
	}
	p.ready = nil
	p.mu.Unlock()
	p.filling.Wait()
	p.starting.Lock()
	defer p.starting.Unlock()
	failed = append(failed, p.zygote.close())
	p.zygote = nil
	return errors.Join(append(failed, p.groups.Close())...)
}
