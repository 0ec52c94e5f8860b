package viewer

import (
	"context"
	"sync"
	"time"

	"agentd/results"
)

const (
	// rest is how long what was built of a running experiment is shown at least.
	rest = 5 * time.Second
	// patience is how long a page waits for a newer one before it shows an older.
	patience = 200 * time.Millisecond
)

// cache keeps what is built from all interactions of an experiment. It is built
// once for a number of stored interactions. While an experiment runs it is built
// again now and then; requests in between get what there is.
type cache[T any] struct {
	ctx     context.Context
	working *sync.WaitGroup
	build   func(context.Context, results.Experiment) (T, error)

	mu  sync.Mutex
	one sync.Mutex // held while building: a large one needs much memory
	of  map[string]*slot[T]
}

type slot[T any] struct {
	ready    *built[T]
	building chan struct{} // closed when it is done; nil if nothing is being built
	err      error         // of the last building
}

type built[T any] struct {
	value  T
	stored int // interactions
	at     time.Time
}

func newCache[T any](ctx context.Context, working *sync.WaitGroup, build func(context.Context, results.Experiment) (T, error)) *cache[T] {
	return &cache[T]{ctx: ctx, working: working, build: build, of: map[string]*slot[T]{}}
}

// get returns what is built of an experiment of which so many interactions are
// stored, or of the fewer that were stored a few seconds ago.
func (c *cache[T]) get(ctx context.Context, e results.Experiment, stored int) (T, error) {
	c.mu.Lock()
	s := c.of[e.ID]
	if s == nil {
		s = &slot[T]{}
		c.of[e.ID] = s
	}
	if s.building == nil && (s.ready == nil || s.ready.stored != stored && time.Since(s.ready.at) >= rest) {
		s.building = make(chan struct{})
		c.working.Go(func() { c.fill(s, e, stored) })
	}
	ready, building := s.ready, s.building
	c.mu.Unlock()
	if building == nil {
		return ready.value, nil
	}
	var enough <-chan time.Time // never, if there is nothing to show
	if ready != nil {
		enough = time.After(patience)
	}
	select {
	case <-building:
	case <-enough:
		return ready.value, nil
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.err != nil {
		var none T
		return none, s.err
	}
	return s.ready.value, nil
}

func (c *cache[T]) fill(s *slot[T], e results.Experiment, stored int) {
	c.one.Lock()
	value, err := c.build(c.ctx, e)
	c.one.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.err = err; err == nil {
		s.ready = &built[T]{value, stored, time.Now()}
	}
	close(s.building)
	s.building = nil
}
