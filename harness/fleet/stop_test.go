package fleet

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"
)

// stuck is a queue that never stops, as River's may.
type stuck struct{ queue }

func (stuck) stop(ctx context.Context) error    { <-ctx.Done(); return ctx.Err() }
func (stuck) stopNow(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }

func TestAQueueThatDoesNotStop(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		underWay int64
		within   time.Duration
		fails    bool
	}{
		"nothing is under way":  {0, 3 * idleWithin, false},
		"one interaction hangs": {1, DefaultGrace + stopsWithin, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := &Fleet{queue: stuck{}, options: Options{Grace: DefaultGrace, Log: zerolog.Nop()}}
				f.underWay.Store(c.underWay)
				began := time.Now()
				err := f.stop(t.Context())
				if took := time.Since(began); (err != nil) != c.fails || took > c.within {
					t.Errorf("stopped after %v with %v", took, err)
				}
			})
		})
	}
}
