package viewer

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"agentd/results"
)

func TestWhatIsBuiltIsKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var working sync.WaitGroup
		defer working.Wait()
		var builds atomic.Int64
		takes := time.Duration(0)
		var fails error
		c := newCache(t.Context(), &working, func(context.Context, results.Experiment) (int64, error) {
			n, err := builds.Add(1), fails
			time.Sleep(takes)
			return n, err
		})
		want := func(what string, stored int, want int64) {
			t.Helper()
			if got, err := c.get(t.Context(), results.Experiment{ID: "x"}, stored); got != want || err != nil {
				t.Errorf("%s: build %d, want %d (%v)", what, got, want, err)
			}
		}
		want("the first is built", 10, 1)
		want("the same is kept", 10, 1)
		want("a newer one is not built at once", 11, 1)
		time.Sleep(rest)
		want("a newer one is built after a while", 11, 2)
		time.Sleep(rest)
		want("what did not change is not built again", 11, 2)
		takes = time.Minute
		want("an older one is shown while a large one is built", 12, 2)
		want("and it is built once", 13, 2)
		time.Sleep(takes)
		want("until it is built", 12, 3)
		takes, fails = 0, errors.New("no")
		time.Sleep(rest)
		if _, err := c.get(t.Context(), results.Experiment{ID: "x"}, 14); !errors.Is(err, fails) {
			t.Errorf("a failure is %v", err)
		}
		fails = nil
		want("a failure is not kept", 14, 5)
		takes = time.Minute
		gone, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := c.get(gone, results.Experiment{ID: "y"}, 1); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("who gives up gets %v", err)
		}
	})
}
