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

// check is the check of Anthropic's Messages API. It counts what of the prompt is cached.
func (c caches) check(h *http.Request, members wire.Members, asked *request) *refusal {
	if h.Header.Get("Anthropic-Version") == "" {
		return refusedf("anthropic-version: header is required")
	}
	if err := codec.Check(members, &asked.Request); err != nil {
		return refusedf("%v", err)
	}
	for i := range asked.Messages {
		if refused := asked.checkThinking(i, &asked.Messages[i]); refused != nil {
			return refused
		}
	}
	asked.asForm()
	return c.count(members, asked)
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

// signMessage signs an answer's thinking.
func signMessage(a *answer) {
	m := &a.Message
	if m.ToolCalls = wholeCalls(m); m.Reasoning != "" {
		m.Signature = signature(m.Reasoning, m)
	}
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
	known, _ := lru.New[uint64, struct{}](mostPrefixes) // the number is valid
	return caches{maphash.MakeSeed(), known}
}

// count sets how many bytes of a prompt are read from a cache, and how many are written to one:
// those up to the last mark. It remembers the marks.
func (c caches) count(members wire.Members, r *request) *refusal {
	var hash maphash.Hash
	hash.SetSeed(c.seed)
	size, marked := 0, 0
	var marks []uint64 // hashes of the prompt up to each mark
	err := codec.Prompt(members, func(text []byte, mark bool) {
		fmt.Fprintf(&hash, "%d:%s", len(text), text)
		size += len(text)
		sum := hash.Sum64()
		if c.known.Contains(sum) {
			r.cached = size
		}
		if mark {
			marked, marks = size, append(marks, sum)
		}
	})
	if err != nil {
		return refusedf("%v", err)
	}
	if len(marks) > maxMarks {
		return refusedf("A maximum of %d blocks with cache_control may be provided. Found %d.", maxMarks, len(marks))
	}
	for _, mark := range marks {
		c.known.Add(mark, struct{}{})
	}
	if len(marks) == 0 {
		r.cached = 0
	}
	r.caching, r.written = true, max(marked-r.cached, 0)
	return nil
}
