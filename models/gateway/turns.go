package gateway

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"math"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"agentd/models"
)

// maxTurnsKept limits the size of the stored turns, in bytes.
const maxTurnsKept = 16 << 20

// turns stores what the model's server sent with each turn and expects back, such as signatures
// and reasoning. A command sends only a turn's text and calls, which identify the turn. turns
// is safe for concurrent use.
type turns struct {
	mu   sync.Mutex
	kept *simplelru.LRU[turnKey, *models.Replay]
	size int // in bytes
}

func newTurns() *turns {
	t := &turns{}
	t.kept, _ = simplelru.NewLRU(math.MaxInt, func(_ turnKey, dropped *models.Replay) { t.size -= len(dropped.Raw) }) // any number is valid
	return t
}

// turnKey is a hash of a turn's calls, or of its text if it has no calls. Commands may drop or
// trim text that comes with calls.
type turnKey [sha256.Size]byte

func keyOfTurn(text string, calls []models.ToolCall) turnKey {
	sum := sha256.New()
	if len(calls) == 0 {
		write(sum, strings.TrimSpace(text))
	}
	for _, call := range calls {
		arguments := DigestOf(call.Arguments) // commands rewrite them
		write(sum, call.ID)
		write(sum, call.Name)
		sum.Write(arguments[:])
	}
	return turnKey(sum.Sum(nil))
}

// write adds a text to the hash with its length, so that different texts cannot hash alike.
func write(sum hash.Hash, text string) { fmt.Fprintf(sum, "%d:%s", len(text), text) }

// keep stores a turn. The least recently used turns are dropped to make room.
func (t *turns) keep(said *models.Message) {
	if said.Replay == nil {
		return
	}
	key := keyOfTurn(said.Content, said.ToolCalls)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept.Remove(key)
	t.kept.Add(key, said.Replay)
	for t.size += len(said.Replay.Raw); t.size > maxTurnsKept; {
		t.kept.RemoveOldest()
	}
}

// recall returns what the server sent with a turn; nil if the turn is unknown.
func (t *turns) recall(text string, calls []models.ToolCall) *models.Replay {
	t.mu.Lock()
	defer t.mu.Unlock()
	replay, _ := t.kept.Get(keyOfTurn(text, calls))
	return replay
}

// any reports whether any turn is stored.
func (t *turns) any() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.kept.Len() > 0
}

// Digest is a hash of a call's arguments that does not depend on how the JSON is formatted.
type Digest [sha256.Size]byte

// DigestOf returns the digest of arguments. Arguments that are not JSON are hashed as they are.
func DigestOf(arguments string) Digest {
	value := jsontext.Value(strings.TrimSpace(arguments))
	if len(value) == 0 {
		value = jsontext.Value("{}")
	}
	_ = value.Canonicalize() // on an error the value is unchanged
	return sha256.Sum256(value)
}
