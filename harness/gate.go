package harness

import (
	"runtime"
	"sync"
)

// gate lets a few do at a time what takes a processor, in the order in which they
// came: of a thousand that are answered at once, the first go on before the last have
// begun. Its zero value is ready for use; nil lets all through.
type gate struct {
	once   sync.Once
	places chan struct{}
}

// places is how many are let through at a time: as many as are stored together, or, of
// many processors, a few for each.
func places() int { return max(32, 4*runtime.GOMAXPROCS(0)) }

func (g *gate) do(work func() error) error {
	if g == nil {
		return work()
	}
	g.once.Do(func() { g.places = make(chan struct{}, places()) })
	g.places <- struct{}{}
	defer func() { <-g.places }()
	return work()
}
