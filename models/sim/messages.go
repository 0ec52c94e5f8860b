package sim

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"net/http"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"

	"agentd/models/wire"
	codec "agentd/models/wire/messages"
)

// messages is Anthropic's Messages API.
type messages struct {
	spoken
	caches caches
}

func newMessages(c caches) messages {
	return messages{spoken{Codec: codec.Codec{}, signed: signedMessage, noTemperature: "`temperature` is deprecated for this model."}, c}
}

func (d messages) read(h *http.Request, body []byte) (*request, *refusal) {
	if h.Header.Get("Anthropic-Version") == "" {
		return nil, refusedf("anthropic-version: header is required")
	}
	asked, members, refused := d.decode(body)
	if refused != nil {
		return nil, refused
	}
	if err := codec.Check(members, &asked.Request); err != nil {
		return nil, refusedf("%v", err)
	}
	for i := range asked.Messages {
		if refused := asked.checkThinking(i, &asked.Messages[i]); refused != nil {
			return nil, refused
		}
	}
	prefix := d.caches.begin()
	if err := codec.Prompt(members, prefix.add); err != nil {
		return nil, refusedf("%v", err)
	}
	if marks := len(prefix.marks); marks > maxMarks {
		return nil, refusedf("A maximum of %d blocks with cache_control may be provided. Found %d.", maxMarks, marks)
	}
	asked.caching = true
	asked.cached, asked.written = prefix.end()
	asked.asForm()
	return asked, nil
}

// checkThinking refuses a turn whose thinking is not what the stand-in sent.
func (r *request) checkThinking(i int, m *message) *refusal {
	switch {
	case m.Role != assistant:
	case m.Reasoned && m.Signature != signature(m.Reasoning, m):
		return refusedf("messages.%d.content.0: Invalid `signature` in `thinking` block", i)
	case !m.Reasoned && r.Reasons && len(m.ToolCalls) > 0:
		return refusedf("messages.%d.content.0.type: Expected `thinking` or `redacted_thinking`, but found another block. When `thinking` is enabled, a final `assistant` message must start with a thinking block.", i)
	}
	return nil
}

// signedMessage is an answer whose thinking is signed.
func signedMessage(a answer) answer {
	m := &a.Message
	if m.ToolCalls = wholeCalls(m); m.Reasoning != "" {
		m.Signature = signature(m.Reasoning, m)
	}
	return a
}

// asForm notes that a request without tools ends in the form of a judge's answer. The
// dialect has no other way to ask for JSON.
func (r *request) asForm() {
	lines := strings.Split(strings.TrimSpace(r.firstOf(user)), "\n")
	var form map[string]string
	if len(r.Tools) == 0 && json.Unmarshal([]byte(lines[len(lines)-1]), &form) == nil && len(form) > 0 {
		r.Format = &wire.Format{}
	}
}

// maxMarks is how many places of a prompt a request may mark.
const maxMarks = 4

// caches remember the beginnings of prompts that requests have marked, by their hashes.
type caches struct {
	seed  maphash.Seed
	known *lru.Cache[uint64, struct{}]
}

// mostPrefixes is how many are remembered.
const mostPrefixes = 100_000

func newCaches() caches {
	known, err := lru.New[uint64, struct{}](mostPrefixes)
	if err != nil {
		panic(err) // it fails for a size below 1 alone
	}
	return caches{maphash.MakeSeed(), known}
}

// prefix is a prompt so far. Sizes are in bytes.
type prefix struct {
	caches caches
	hash   maphash.Hash
	size   int
	read   int      // of these, known
	marked int      // up to the last mark
	marks  []uint64 // hashes of the prompt up to each mark
}

func (c caches) begin() *prefix {
	p := &prefix{caches: c}
	p.hash.SetSeed(c.seed)
	return p
}

// add adds a block.
func (p *prefix) add(text []byte, marked bool) {
	fmt.Fprintf(&p.hash, "%d:%s", len(text), text)
	p.size += len(text)
	sum := p.hash.Sum64()
	if p.caches.known.Contains(sum) {
		p.read = p.size
	}
	if marked {
		p.marked = p.size
		p.marks = append(p.marks, sum)
	}
}

// end remembers the marks and returns how many bytes were read from a cache, and how
// many were written.
func (p *prefix) end() (read, written int) {
	for _, mark := range p.marks {
		p.caches.known.Add(mark, struct{}{})
	}
	if len(p.marks) == 0 {
		return 0, 0
	}
	return p.read, max(p.marked-p.read, 0)
}
