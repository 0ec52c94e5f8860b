package fleet

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A caller that asks while a query runs gets the result of the next one, never one that
// was read before it asked.
func TestSharedAnswersAreNew(t *testing.T) {
	t.Parallel()
	var s shared[time.Time]
	var asked atomic.Int64
	ask := func() {
		came := time.Now()
		sought, err := s.get("key", func() (time.Time, error) {
			asked.Add(1)
			begun := time.Now()
			time.Sleep(20 * time.Millisecond)
			return begun, nil
		})
		if err != nil || sought.Before(came) {
			t.Errorf("an answer of %v for a question of %v (%v)", sought, came, err)
		}
	}
	const questions = 200
	var all sync.WaitGroup
	for range questions {
		all.Go(ask)
	}
	all.Wait()
	if n := asked.Load(); n > questions/2 {
		t.Errorf("asked %d times for %d questions at once", n, questions)
	}
	broken := errors.New("broken")
	if _, err := s.get("key", func() (time.Time, error) { return time.Time{}, broken }); !errors.Is(err, broken) {
		t.Errorf("%v, want broken", err)
	}
}
