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
	// rest is how long what was built of a running experiment is shown at least.
	rest = 5 * time.Second
	// patience is how long a page waits for a newer one before it shows an older.
	patience = 200 * time.Millisecond
	// mostBuilt is how many experiments' values are kept.
	mostBuilt = 64
)

// cache keeps what is built from all interactions of an experiment. It is built
// once for a number of stored interactions. While an experiment runs it is built
// again now and then; requests in between get what there is.
type cache[T any] struct {
	ctx     context.Context
	working *sync.WaitGroup
	build   func(context.Context, results.Experiment) (T, error)

	one     sync.Mutex // held while building: a large one needs much memory
	flights singleflight.Group
	kept    *lru.Cache[string, built[T]] // by ID
}

type built[T any] struct {
	value  T
	stored int // interactions
	at     time.Time
}

// fresh reports whether it is shown without building anew.
func (b built[T]) fresh(stored int) bool { return b.stored == stored || time.Since(b.at) < rest }

func newCache[T any](ctx context.Context, working *sync.WaitGroup, build func(context.Context, results.Experiment) (T, error)) *cache[T] {
	kept, err := lru.New[string, built[T]](mostBuilt)
	if err != nil {
		panic(err) // it fails for a size below 1 alone
	}
	return &cache[T]{ctx: ctx, working: working, build: build, kept: kept}
}

// get returns what is built of an experiment of which so many interactions are
// stored, or of the fewer that were stored a few seconds ago.
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
	var enough <-chan time.Time // never, if there is nothing to show
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

// fill builds a value and keeps it, unless a request before has just done so.
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
