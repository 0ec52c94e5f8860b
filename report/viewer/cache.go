package viewer

import (
	"context"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"

	"agentd/results"
)

const (
	// rest is the least time between two builds of a value of a running experiment.
	rest = 5 * time.Second
	// patience is how long a page waits for a newer value before it shows an older one.
	patience = 200 * time.Millisecond
	// mostBuilt is how many experiments' values are kept.
	mostBuilt = 64
)

// cache keeps values that are built from all interactions of an experiment. A value is
// built again when more interactions are stored, but only every few seconds while the
// experiment runs; requests in between get the last value.
type cache[T any] struct {
	ctx     context.Context
	working *sync.WaitGroup
	build   func(context.Context, results.Experiment) (T, error)

	one     sync.Mutex // held while building, because a large value needs much memory
	flights singleflight.Group
	kept    *lru.Cache[string, built[T]] // by ID
}

type built[T any] struct {
	value  T
	stored int // interactions
	at     time.Time
}

// fresh reports whether the value can be shown without building it again.
func (b built[T]) fresh(stored int) bool { return b.stored == stored || time.Since(b.at) < rest }

func newCache[T any](ctx context.Context, working *sync.WaitGroup, build func(context.Context, results.Experiment) (T, error)) *cache[T] {
	kept, err := lru.New[string, built[T]](mostBuilt)
	if err != nil {
		panic(err) // it only fails for a size below 1
	}
	return &cache[T]{ctx: ctx, working: working, build: build, kept: kept}
}

// get returns the value of an experiment with the given number of stored interactions,
// or an older one from a few seconds ago.
func (c *cache[T]) get(ctx context.Context, e results.Experiment, stored int) (T, error) {
	ready, found := c.kept.Get(e.ID)
	if found && ready.fresh(stored) {
		return ready.value, nil
	}
	type answer struct {
		value T
		err   error
	}
	answered := make(chan answer, 1)
	c.working.Go(func() {
		value, err, _ := c.flights.Do(e.ID, func() (any, error) { return c.fill(e, stored) })
		answered <- answer{value.(T), err}
	})
	var enough <-chan time.Time // never fires if there is nothing to show
	if found {
		enough = time.After(patience)
	}
	select {
	case a := <-answered:
		return a.value, a.err
	case <-enough:
		return ready.value, nil
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// fill builds a value and caches it, unless an earlier request has just done so.
func (c *cache[T]) fill(e results.Experiment, stored int) (T, error) {
	c.one.Lock()
	defer c.one.Unlock()
	if ready, found := c.kept.Get(e.ID); found && ready.fresh(stored) {
		return ready.value, nil
	}
	value, err := c.build(c.ctx, e)
	if err == nil {
		c.kept.Add(e.ID, built[T]{value, stored, time.Now()})
	}
	return value, err
}
