package harness

import (
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
)

// kept makes the value of each key once and keeps the values that were used last. It may
// be used concurrently.
type kept[K comparable, V any] struct{ values *lru.Cache[K, func() V] }

// mostKept bounds the memory: a seed of 5,000 tokens, or what an edit should make of it,
// takes about 200 kB once read. Relays begin in the order of environments, so these
// suffice.
const mostKept = 128

func newKept[K comparable, V any]() kept[K, V] {
	values, err := lru.New[K, func() V](mostKept)
	if err != nil {
		panic(err) // it fails for a size below 1 alone
	}
	return kept[K, V]{values}
}

// of returns the value of a key and makes it if it is not kept. Callers that ask for the
// same key wait for the same value.
func (k kept[K, V]) of(key K, value func() V) V {
	if known, found := k.values.Get(key); found {
		return known()
	}
	once := sync.OnceValue(value)
	if known, found, _ := k.values.PeekOrAdd(key, once); found {
		return known()
	}
	return once()
}
