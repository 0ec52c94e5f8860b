package gateway

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"agentd/models"
)

// maxTurnsKept limits the size of the stored turns, in bytes.
const maxTurnsKept = 16 << 20

// turns stores what the model's server sent with each turn and expects back, such as signatures
// and reasoning. A command sends only a turn's text and calls, which identify the turn. turns
// is safe for concurrent use.
type turns struct {
	mu    sync.Mutex
	kept  map[turnKey]*models.Replay
	order []turnKey // oldest first
	size  int       // in bytes
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

// keep stores a turn. The oldest turns are dropped to make room.
func (t *turns) keep(said *models.Message) {
	if said.Replay == nil {
		return
	}
	key := keyOfTurn(said.Content, said.ToolCalls)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.kept == nil {
		t.kept = map[turnKey]*models.Replay{}
	}
	if before := t.kept[key]; before != nil {
		t.size -= len(before.Raw)
	} else {
		t.order = append(t.order, key)
	}
	t.kept[key] = said.Replay
	t.size += len(said.Replay.Raw)
	for t.size > maxTurnsKept {
		t.size -= len(t.kept[t.order[0]].Raw)
		delete(t.kept, t.order[0])
		t.order = t.order[1:]
	}
}

// recall returns what the server sent with a turn; nil if the turn is unknown.
func (t *turns) recall(text string, calls []models.ToolCall) *models.Replay {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.kept) == 0 {
		return nil
	}
	return t.kept[keyOfTurn(text, calls)]
}

// any reports whether any turn is stored.
func (t *turns) any() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.kept) > 0
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
