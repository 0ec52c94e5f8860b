package fleet

import "sync"

// shared is a question that many ask at once: who asks while an answer is on its
// way shares the next one, which is of a time after all of them asked.
type shared[T any] struct {
	turn sync.Mutex // held by who asks
	mu   sync.Mutex
	next *answer[T] // nil if nobody waits for a turn
}

type answer[T any] struct {
	done  chan struct{}
	value T
	err   error
}

func (s *shared[T]) get(ask func() (T, error)) (T, error) {
	s.mu.Lock()
	a := s.next
	first := a == nil
	if first {
		a = &answer[T]{done: make(chan struct{})}
		s.next = a
	}
	s.mu.Unlock()
	if !first {
		<-a.done
		return a.value, a.err
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	s.mu.Lock()
	s.next = nil // who comes from here on asks again
	s.mu.Unlock()
	defer close(a.done)
	a.value, a.err = ask()
	return a.value, a.err
}
