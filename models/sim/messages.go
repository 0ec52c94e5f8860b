package sim

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"net/http"
	"strings"
	"sync"

	"agentd/models/wire"
	codec "agentd/models/wire/messages"
)

// messages is Anthropic's Messages API.
type messages struct {
	spoken
	caches *caches
}

func newMessages(c *caches) messages { return messages{spoken{codec.Codec{}}, c} }

func (d messages) read(h *http.Request, body []byte) (*request, *refusal) {
	if h.Header.Get("Anthropic-Version") == "" {
		return nil, refusedf("anthropic-version: header is required")
	}
	members, err := wire.Split("the request", body)
	if err != nil {
		return nil, refusedf("the request cannot be read: %v", err)
	}
	asked, refused := d.decode(body)
	if refused != nil {
		return nil, refused
	}
	if err := codec.Check(members, &asked.Request); err != nil {
		return nil, refusedf("%v", err)
	}
	for i := range asked.Messages {
		if refused := asked.signedWell(i, &asked.Messages[i]); refused != nil {
			return nil, refused
		}
	}
	prefix := d.caches.begin()
	if err := codec.Prompt(members, prefix.add); err != nil {
		return nil, refusedf("%v", err)
	}
	if prefix.marks > maxMarks {
		return nil, refusedf("A maximum of %d blocks with cache_control may be provided. Found %d.", maxMarks, prefix.marks)
	}
	asked.caching = true
	asked.cached, asked.written = prefix.end()
	asked.asForm()
	return asked, nil
}

// signedWell looks at the thinking of a turn.
func (r *request) signedWell(i int, m *message) *refusal {
	switch {
	case m.Role != assistant:
	case m.Reasoned && m.Signature != signature(m.Reasoning, m.Content, m.ToolCalls):
		return refusedf("messages.%d.content.0: Invalid `signature` in `thinking` block", i)
	case !m.Reasoned && r.Reasons && len(m.ToolCalls) > 0:
		return refusedf("messages.%d.content.0.type: Expected `thinking` or `redacted_thinking`, but found another block. When `thinking` is enabled, a final `assistant` message must start with a thinking block.", i)
	}
	return nil
}

// signed is an answer whose thinking is signed.
func (messages) signed(a answer) answer {
	m := &a.Message
	if m.ToolCalls = wholeCalls(m); m.Reasoning != "" {
		m.Signature = signature(m.Reasoning, m.Content, m.ToolCalls)
	}
	return a
}

func (d messages) whole(r *request, a answer) any { return d.spoken.whole(r, d.signed(a)) }

func (d messages) events(r *request, a answer) []event { return d.spoken.events(r, d.signed(a)) }

func (messages) temperatureRefused() string { return "`temperature` is deprecated for this model." }

// asForm notes that a request without tools ends in the form of a judge's answer. The
// dialect has no other way to ask for JSON.
func (r *request) asForm() {
	lines := strings.Split(strings.TrimSpace(r.firstOfUser()), "\n")
	var form map[string]string
	if len(r.Tools) == 0 && json.Unmarshal([]byte(lines[len(lines)-1]), &form) == nil && len(form) > 0 {
		r.Format = &wire.Format{}
	}
}

// maxMarks is how many places of a prompt a request may mark.
const maxMarks = 4

// caches remember the beginnings of prompts that requests have marked.
type caches struct {
	seed  maphash.Seed
	mu    sync.Mutex
	known map[uint64]bool
}

// mostPrefixes is how many are remembered; then all are forgotten.
const mostPrefixes = 100_000

// prefix is a prompt so far.
type prefix struct {
	caches   *caches
	hash     maphash.Hash
	size     int // in bytes
	read     int // of these, known
	marked   int // up to the last mark
	marks    int
	marksAre []uint64
}

func (c *caches) begin() *prefix {
	p := &prefix{caches: c}
	p.hash.SetSeed(c.seed)
	return p
}

// add adds a block.
func (p *prefix) add(text []byte, marked bool) {
	fmt.Fprintf(&p.hash, "%d:%s", len(text), text)
	p.size += len(text)
	sum := p.hash.Sum64()
	p.caches.mu.Lock()
	if p.caches.known[sum] {
		p.read = p.size
	}
	p.caches.mu.Unlock()
	if marked {
		p.marked = p.size
		p.marks++
		p.marksAre = append(p.marksAre, sum)
	}
}

// end remembers the marks and returns how many bytes were read from a cache, and how
// many were written.
func (p *prefix) end() (read, written int) {
	p.caches.mu.Lock()
	defer p.caches.mu.Unlock()
	if p.caches.known == nil || len(p.caches.known) > mostPrefixes {
		p.caches.known = map[uint64]bool{}
	}
	for _, mark := range p.marksAre {
		p.caches.known[mark] = true
	}
	if p.marks == 0 {
		return 0, 0
	}
	return p.read, max(p.marked-p.read, 0)
}
