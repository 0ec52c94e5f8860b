package sim

import (
	"hash/maphash"
	"sync"
)

// works is a cache of the results of jobs. A conversation is sent again with every turn, and
// without the cache the stand-in would do all of its work again each time.
type works struct {
	seed          maphash.Seed
	mu            sync.Mutex
	fresh, former map[uint64]map[string]string // by the hash of what they depend on
	size          int                          // of the fresh ones, in bytes
}

// mostWorks is how many bytes of results are fresh at most. When there are more, the
// former ones are forgotten and the fresh ones become former.
const mostWorks = 32 << 20

// of returns the result of a scene's job on the documents, from the cache if it is there. The
// result must not be changed.
func (w *works) of(s *scene, documents map[string]string) map[string]string {
	var hash maphash.Hash
	hash.SetSeed(w.seed)
	maphash.WriteComparable(&hash, s.profile)
	maphash.WriteComparable(&hash, s.request.seed())
	hash.WriteString(s.request.wanted())
	for _, name := range sortedNames(documents) {
		maphash.WriteComparable(&hash, [2]string{name, documents[name]})
	}
	key := hash.Sum64()
	w.mu.Lock()
	result, known := w.fresh[key]
	if !known {
		result, known = w.former[key]
	}
	w.mu.Unlock()
	if known {
		return result
	}
	result = s.job.Do(documents, s.damage)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fresh == nil || w.size > mostWorks {
		w.fresh, w.former, w.size = map[uint64]map[string]string{}, w.fresh, 0
	}
	w.fresh[key] = result
	for _, content := range result {
		w.size += len(content)
	}
	return result
}
