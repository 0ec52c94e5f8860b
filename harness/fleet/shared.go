package fleet

import (
	"sync"

	"golang.org/x/sync/singleflight"
)

// shared runs one query for all callers that wait for the same key. A caller never gets
// a result that was read before it asked. The zero value is ready for use.
type shared[T any] struct {
	flights singleflight.Group
	turn    sync.Mutex // held by the query that runs
}

func (s *shared[T]) get(key string, ask func() (T, error)) (T, error) {
	answer, err, _ := s.flights.Do(key, func() (any, error) {
		s.turn.Lock()
		defer s.turn.Unlock()
		s.flights.Forget(key) // callers that come from here on ask again
		return ask()
	})
	return answer.(T), err
}
