package harness

import (
	"slices"
	"sync"
)

// recent remembers values that relays share, the latest that were made. Relays begin
// in the order of environments, so these suffice.
type recent[K comparable, V any] struct {
	mu     sync.Mutex
	latest []remembered[K, V]
}

type remembered[K comparable, V any] struct {
	key   K
	value V
}

// mostRecent bounds the memory: a seed of 5,000 tokens, or what an edit should make of
// it, takes about 200 kB once read.
const mostRecent = 128

// of returns the value of a key, which it makes if it is not remembered.
func (r *recent[K, V]) of(key K, value func() V) V {
	r.mu.Lock()
	defer r.mu.Unlock()
	if at := slices.IndexFunc(r.latest, func(known remembered[K, V]) bool { return known.key == key }); at >= 0 {
		return r.latest[at].value
	}
	if len(r.latest) == mostRecent {
		r.latest = slices.Delete(r.latest, 0, 1)
	}
	made := value()
	r.latest = append(r.latest, remembered[K, V]{key, made})
	return made
}
