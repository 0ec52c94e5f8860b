package harness

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

func TestGate(t *testing.T) {
	t.Parallel()
	open := newGate()
	var within, most atomic.Int32
	var all sync.WaitGroup
	full := make(chan struct{})
	for range 10 * gateWidth() {
		all.Go(func() {
			err := open.do(func() error {
				if int(within.Add(1)) == gateWidth() && most.CompareAndSwap(0, 1) {
					close(full)
				}
				<-full // so that all places are taken at one time
				if int(within.Load()) > gateWidth() {
					t.Error("more are within than there are places")
				}
				within.Add(-1)
				return errors.ErrUnsupported
			})
			if !errors.Is(err, errors.ErrUnsupported) {
				t.Errorf("it returns %v", err)
			}
		})
	}
	all.Wait()
}
