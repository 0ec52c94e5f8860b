package exec

import (
	"slices"
	"sync"
)

// maxKept bounds what is kept of conversations, in bytes.
const maxKept = maxRequest

// kept are the conversations of an interaction that clients may name, latest last.
// It is safe for concurrent use.
type kept struct {
	mu   sync.Mutex
	list []conversation
	size int // in bytes
}

type conversation struct {
	id     string // of the response that ends it
	pieces []piece
	size   int
}

// keep takes in a conversation. The earliest make room.
func (k *kept) keep(id string, pieces []piece) {
	c := conversation{id: id, pieces: pieces}
	for _, p := range pieces {
		c.size += p.size()
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.list, k.size = append(k.list, c), k.size+c.size
	for k.size > maxKept {
		k.size -= k.list[0].size
		k.list = slices.Delete(k.list, 0, 1)
	}
}

// conversation is the one that a response ends.
func (k *kept) conversation(id string) ([]piece, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, c := range k.list {
		if c.id == id {
			return c.pieces, true
		}
	}
	return nil, false
}

// item is the item of a response that has the id.
func (k *kept) item(id string) (piece, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, c := range k.list {
		for _, p := range c.pieces {
			if p.id == id && id != "" {
				return p, true
			}
		}
	}
	return piece{}, false
}
