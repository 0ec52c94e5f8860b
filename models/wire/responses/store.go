package responses

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"agentd/models/wire"
)

// MaxStored is the largest size of a Store, in bytes.
const MaxStored = 16 << 20

// Store holds the conversations that a client may name, oldest first, as items written by
// client and server. It is safe for concurrent use. A nil Store holds nothing.
type Store struct {
	mu   sync.Mutex
	list []stored
	size int // in bytes
}

type stored struct {
	id    string // of the response that ends it
	items []json.RawMessage
	size  int
}

var errNotKept = errors.New("it was not given in this interaction, was not to be stored, or has made room for later ones: not found")

// perItem estimates the memory of an item in addition to its text, in bytes.
const perItem = 200

// stores reports whether a request is to be stored, which is the default.
func stores(members wire.Members) bool {
	store := true
	_ = wire.Setting("store", members["store"], &store) // values other than booleans are ignored
	return store
}

// Needed reports whether a request uses stored conversations, so that it cannot be forwarded to
// a server that stores nothing. size estimates the bytes that it names in the codec's Store.
func (c Codec) Needed(members wire.Members) (size int, needed bool) {
	s := c.Store
	previous := wire.Plain(members["previous_response_id"])
	for _, name := range []string{"previous_response_id", "conversation", "prompt"} {
		needed = needed || wire.Given(members[name])
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.find(previous); i >= 0 {
		size = s.list[i].size
	}
	items := sync.OnceValue(s.items)
	_ = wire.Each("input", members["input"], func(_ int, raw json.RawMessage) error { // errors are reported later
		if id := s.referred(raw); id != "" {
			size += len(items()[id])
		}
		return nil
	})
	return size, needed || stores(members)
}

// find returns the index of the conversation that ends with a response; -1 if it is not stored.
// s.mu must be held.
func (s *Store) find(id string) int {
	return slices.IndexFunc(s.list, func(c stored) bool { return c.id == id })
}

// items returns the items of all conversations by their identifiers. s.mu must be held.
func (s *Store) items() map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	for _, c := range s.list {
		for _, raw := range c.items {
			all[wire.Plain(wire.Pick(raw, "id")[0])] = raw // "" for those without one
		}
	}
	return all
}

// referred returns the identifier of the item to which a reference points; "" for other items, and
// if nothing is stored. s.mu must be held.
func (s *Store) referred(raw json.RawMessage) string {
	if len(s.list) == 0 {
		return ""
	}
	it := wire.Pick(raw, "type", "role", "id")
	if kind := wire.Plain(it[0]); kind != reference && (kind != "" || wire.Given(it[1])) {
		return ""
	}
	return wire.Plain(it[2])
}

// conversation returns the stored items that a request names, and those that it adds, with
// references resolved.
func (s *Store) conversation(members wire.Members) (earlier, added []json.RawMessage, err error) {
	const name = "previous_response_id"
	var previous string
	if err := wire.Setting(name, members[name], &previous); err != nil {
		return nil, nil, err
	}
	if s == nil {
		s = &Store{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if previous != "" {
		i := s.find(previous)
		if i < 0 {
			return nil, nil, fmt.Errorf("%s: there is no response %s: %w", name, previous, errNotKept)
		}
		earlier = s.list[i].items
	}
	input := members["input"]
	switch {
	case !wire.Given(input):
		return earlier, nil, nil
	case input[0] == '"':
		return earlier, []json.RawMessage{input}, nil
	}
	items := sync.OnceValue(s.items)
	named := map[string]bool{} // without it, a short request could name an endless conversation
	err = wire.Each("input", input, func(i int, raw json.RawMessage) error {
		if !wire.Given(raw) {
			return fmt.Errorf("input[%d] is nothing", i)
		}
		if id := s.referred(raw); id != "" && items()[id] != nil {
			if named[id] {
				return fmt.Errorf("input[%d]: the item %s is there already", i, id)
			}
			named[id], raw = true, items()[id]
		}
		added = append(added, raw)
		return nil
	})
	return earlier, added, err
}

// keep stores a conversation: what a request named, copies of what it added, and the items of
// the answer. The copies allow the request to be released. The oldest conversations are dropped
// to make room.
func (s *Store) keep(id string, earlier, added []json.RawMessage, answer []map[string]any) {
	c := stored{id: id, items: slices.Grow(slices.Clone(earlier), len(added)+len(answer))}
	for _, raw := range added {
		c.items = append(c.items, slices.Clone(raw))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, item := range answer {
		raw, err := wire.Write(item)
		if err != nil { // cannot fail: it was decoded from JSON
			continue
		}
		c.items = append(c.items, raw)
	}
	for _, raw := range c.items {
		c.size += perItem + len(raw)
	}
	s.list, s.size = append(s.list, c), s.size+c.size
	for s.size > MaxStored {
		s.size -= s.list[0].size
		s.list = slices.Delete(s.list, 0, 1)
	}
}
