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

// maxTurnsKept bounds what is kept of the model's turns, in bytes.
const maxTurnsKept = 16 << 20

// turns holds what the model's server sent of each turn and wants back: signatures,
// reasoning. A command speaks a protocol of its own, and sends a turn's text and calls
// only; they tell which turn it is. It is safe for concurrent use.
type turns struct {
	mu    sync.Mutex
	kept  map[turnKey]*models.Replay
	order []turnKey // the earliest first
	size  int       // in bytes
}

// turnKey stands for a turn's calls, or for its text if it has none. Commands may leave
// out or trim what is said in addition to calls.
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

// write writes a text so that no other texts look the same.
func write(sum hash.Hash, text string) { fmt.Fprintf(sum, "%d:%s", len(text), text) }

// keep keeps a turn. The earliest are dropped to make room for it.
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

// recall returns what the server sent of a turn; nil if that is not known.
func (t *turns) recall(text string, calls []models.ToolCall) *models.Replay {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.kept) == 0 {
		return nil
	}
	return t.kept[keyOfTurn(text, calls)]
}

// any reports whether anything is kept.
func (t *turns) any() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.kept) > 0
}

// Digest stands for the arguments of a call, however they are written.
type Digest [sha256.Size]byte

// DigestOf is that of arguments as a model or a client wrote them.
func DigestOf(arguments string) Digest {
	value := jsontext.Value(strings.TrimSpace(arguments))
	if len(value) == 0 {
		value = jsontext.Value("{}")
	}
	_ = value.Canonicalize() // what is no JSON stays as it is
	return sha256.Sum256(value)
}
