package gateway

import (
	"slices"
	"sync"
)

// maxKept bounds what is kept of conversations, in bytes.
const maxKept = 16 << 20

// kept holds the conversations of an interaction that a client may name, the latest
// last. It is safe for concurrent use.
type kept struct {
	mu    sync.Mutex
	list  []conversation
	size  int // in bytes
	items map[string]located
	count int // of conversations that were ever kept
}

type conversation struct {
	id     string // of the response that ends it
	number int
	pieces []piece
	size   int
}

// located is an item with the number of the last conversation that has it.
type located struct {
	piece
	number int
}

// keep adds a conversation. The earliest ones are dropped to make room for it.
func (k *kept) keep(id string, pieces []piece) {
	c := conversation{id: id, pieces: pieces}
	for _, p := range pieces {
		c.size += p.size()
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.count++
	c.number = k.count
	if k.items == nil {
		k.items = map[string]located{}
	}
	for _, p := range pieces {
		if p.id != "" {
			k.items[p.id] = located{p, c.number}
		}
	}
	k.list, k.size = append(k.list, c), k.size+c.size
	for k.size > maxKept {
		k.drop(k.list[0])
		k.list = slices.Delete(k.list, 0, 1)
	}
}

// drop forgets a conversation, and its items that no later one has. k.mu is held.
func (k *kept) drop(c conversation) {
	k.size -= c.size
	for _, p := range c.pieces {
		if p.id != "" && k.items[p.id].number == c.number {
			delete(k.items, p.id)
		}
	}
}

// conversation returns the conversation that ends with a response.
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

// item returns the item with an id.
func (k *kept) item(id string) (piece, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	found, ok := k.items[id]
	return found.piece, ok
}
