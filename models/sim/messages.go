package sim

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"net/http"
	"slices"
	"strings"
	"sync"

	"agentd/models/wire"
)

// messages is Anthropic's Messages API.
type messages struct{ caches *caches }

type messagesRequest struct {
	Model       string            `json:"model"`
	MaxTokens   *int              `json:"max_tokens"`
	System      json.RawMessage   `json:"system"`
	Messages    []messagesTurn    `json:"messages"`
	Tools       []json.RawMessage `json:"tools"`
	Stream      bool              `json:"stream"`
	Temperature *float64          `json:"temperature"`
	Thinking    *struct {
		Type   string `json:"type"`
		Budget int    `json:"budget_tokens"`
	} `json:"thinking"`
	Output struct {
		Effort string `json:"effort"`
	} `json:"output_config"`
}

type messagesTurn struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

type messagesBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	Signature string          `json:"signature"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	CallID    string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	Cache     json.RawMessage `json:"cache_control"`
}

// known are the members that a request may have.
var known = []string{
	"model", "max_tokens", "system", "messages", "tools", "tool_choice", "stream", "temperature", "top_p", "top_k", "stop_sequences",
	"thinking", "output_config", "metadata", "service_tier", "cache_control", "context_management", "container", "mcp_servers",
}

func (m messages) read(h *http.Request, body []byte) (*request, *refusal) {
	if h.Header.Get("Anthropic-Version") == "" {
		return nil, refusedf("anthropic-version: header is required")
	}
	var members map[string]json.RawMessage
	var in messagesRequest
	if err := wire.Lenient(body, &members); err != nil {
		return nil, refusedf("the request cannot be read: %v", err)
	}
	for name := range members {
		if !slices.Contains(known, name) {
			return nil, refusedf("%s: Extra inputs are not permitted", name)
		}
	}
	if err := wire.Lenient(body, &in); err != nil {
		return nil, refusedf("the request cannot be read: %v", err)
	}
	out := &request{Request: wire.Request{Model: in.Model, Stream: in.Stream, Settings: wire.Settings{Temperature: in.Temperature, Effort: in.Output.Effort}}, caching: true}
	if in.MaxTokens == nil || *in.MaxTokens < 1 {
		return nil, refusedf("max_tokens: Field required")
	}
	if refused := in.thinking(out); refused != nil {
		return nil, refused
	}
	prefix := m.caches.begin()
	if refused := in.tools(out, prefix); refused != nil {
		return nil, refused
	}
	if refused := in.conversation(out, prefix); refused != nil {
		return nil, refused
	}
	if prefix.marks > maxMarks {
		return nil, refusedf("A maximum of %d blocks with cache_control may be provided. Found %d.", maxMarks, prefix.marks)
	}
	out.cached, out.written = prefix.end()
	out.asForm()
	return out, nil
}

// asForm notes that a request without tools ends in the form of a judge's answer. The
// dialect has no other way to ask for JSON.
func (r *request) asForm() {
	lines := strings.Split(strings.TrimSpace(r.firstOfUser()), "\n")
	var form map[string]string
	if len(r.Tools) == 0 && json.Unmarshal([]byte(lines[len(lines)-1]), &form) == nil && len(form) > 0 {
		r.Format = &wire.Format{}
	}
}

func (in *messagesRequest) thinking(out *request) *refusal {
	if in.Thinking == nil || in.Thinking.Type == "disabled" {
		return nil
	}
	switch {
	case in.Thinking.Type != "adaptive" && in.Thinking.Type != "enabled":
		return refusedf("thinking.type: %q is not known", in.Thinking.Type)
	case in.Thinking.Type == "enabled" && in.Thinking.Budget < 1024:
		return refusedf("thinking.enabled.budget_tokens: Input should be greater than or equal to 1024")
	case in.Thinking.Type == "enabled" && in.Thinking.Budget >= *in.MaxTokens:
		return refusedf("`max_tokens` must be greater than `thinking.budget_tokens`.")
	case in.Temperature != nil && *in.Temperature != 1:
		return refusedf("`temperature` may only be set to 1 when thinking is enabled.")
	}
	out.Reasons = true
	return nil
}

func (in *messagesRequest) tools(out *request, prefix *prefix) *refusal {
	for i, raw := range in.Tools {
		var t struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Schema      json.RawMessage `json:"input_schema"`
			Cache       json.RawMessage `json:"cache_control"`
		}
		if err := wire.Lenient(raw, &t); err != nil || t.Name == "" || len(t.Schema) == 0 {
			return refusedf("tools.%d: a tool needs a name and an input_schema", i)
		}
		var offered wire.Tool
		offered.Name, offered.Description, offered.Parameters = t.Name, t.Description, t.Schema
		out.Tools = append(out.Tools, offered)
		prefix.add(t.Name+t.Description+string(t.Schema), t.Cache)
	}
	return nil
}

// blocks are those of a content, which may be a text.
func blocks(raw json.RawMessage) ([]messagesBlock, error) {
	if len(raw) > 0 && raw[0] == '"' {
		var text string
		err := wire.Lenient(raw, &text)
		return []messagesBlock{{Type: "text", Text: text}}, err
	}
	var all []messagesBlock
	if len(raw) == 0 {
		return nil, nil
	}
	err := wire.Lenient(raw, &all)
	return all, err
}

func (in *messagesRequest) conversation(out *request, prefix *prefix) *refusal {
	said, err := blocks(in.System)
	if err != nil {
		return refusedf("system: %v", err)
	}
	for _, b := range said {
		prefix.add(b.Text, b.Cache)
		out.Messages = append(out.Messages, message{Role: system, Content: b.Text})
	}
	if len(in.Messages) == 0 || in.Messages[0].Role != string(user) {
		return refusedf("messages: first message must use the \"user\" role")
	}
	var open []string // calls without an answer
	for i, turn := range in.Messages {
		all, err := blocks(turn.Content)
		switch {
		case err != nil:
			return refusedf("messages.%d.content: %v", i, err)
		case len(all) == 0:
			return refusedf("messages.%d: all messages must have non-empty content", i)
		}
		for j, b := range all {
			if b.Type == "text" && strings.TrimSpace(b.Text) == "" {
				return refusedf("messages: text content blocks must be non-empty (messages.%d.content.%d)", i, j)
			}
			prefix.add(b.Text+b.Thinking+b.ID+b.CallID+b.Name+string(b.Input)+string(b.Content), b.Cache)
		}
		var refused *refusal
		switch wire.Role(turn.Role) {
		case user:
			open, refused = out.userTurn(i, all, open)
		case assistant:
			open, refused = out.modelTurn(i, all)
		default:
			refused = refusedf("messages.%d.role: Input should be 'user' or 'assistant'", i)
		}
		if refused != nil {
			return refused
		}
	}
	return nil
}

// userTurn takes what a user says, and the answers to the calls before.
func (r *request) userTurn(i int, all []messagesBlock, open []string) ([]string, *refusal) {
	for j, b := range all {
		switch b.Type {
		case "tool_result":
			at := slices.Index(open, b.CallID)
			if at < 0 {
				return nil, refusedf("messages.%d.content.%d: unexpected `tool_use_id` found in `tool_result` blocks: %s. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.", i, j, b.CallID)
			}
			open = slices.Delete(open, at, at+1)
			inner, err := blocks(b.Content)
			if err != nil {
				return nil, refusedf("messages.%d.content.%d: %v", i, j, err)
			}
			text := ""
			for _, part := range inner {
				text += part.Text
			}
			r.Messages = append(r.Messages, message{Role: fromTool, ToolCallID: b.CallID, Content: text})
		case "text":
			r.Messages = append(r.Messages, message{Role: user, Content: b.Text})
		}
	}
	if len(open) > 0 {
		return nil, refusedf("messages.%d: `tool_use` ids were found without `tool_result` blocks immediately after: %s.", i, strings.Join(open, ", "))
	}
	return nil, nil
}

// modelTurn takes what the model said, and looks at its thinking.
func (r *request) modelTurn(i int, all []messagesBlock) (open []string, refused *refusal) {
	m := message{Role: assistant}
	text, thought := "", -1
	for j, b := range all {
		switch b.Type {
		case "text":
			text += b.Text
		case "thinking":
			if j > 0 {
				return nil, refusedf("messages.%d.content.%d: a `thinking` block must come first", i, j)
			}
			thought = j
		case "tool_use":
			m.ToolCalls = append(m.ToolCalls, toolCall{ID: b.ID, Name: b.Name, Arguments: string(b.Input)})
			open = append(open, b.ID)
		default:
			return nil, refusedf("messages.%d.content.%d.type: %q is not known", i, j, b.Type)
		}
	}
	m.Content = text
	switch {
	case thought >= 0 && all[0].Signature != signature(all[0].Thinking, text, m.ToolCalls):
		return nil, refusedf("messages.%d.content.0: Invalid `signature` in `thinking` block", i)
	case thought < 0 && r.Reasons && len(m.ToolCalls) > 0:
		return nil, refusedf("messages.%d.content.0.type: Expected `thinking` or `redacted_thinking`, but found `%s`. When `thinking` is enabled, a final `assistant` message must start with a thinking block.", i, all[0].Type)
	}
	r.Messages = append(r.Messages, m)
	return open, nil
}

func (messages) temperatureRefused() string { return "`temperature` is deprecated for this model." }

func (messages) failure(why *refusal) any {
	kind := "invalid_request_error"
	switch {
	case why.status == http.StatusTooManyRequests:
		kind = "rate_limit_error"
	case why.status == http.StatusNotFound:
		kind = "not_found_error"
	case why.status >= http.StatusInternalServerError:
		kind = "api_error"
	}
	return map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": why.message}, "request_id": "req_sim"}
}

// content is an answer as blocks.
func (messages) content(a answer) []any {
	content := []any{}
	if a.Empty {
		return content
	}
	m := &a.Message
	calls := wholeCalls(m)
	if m.Reasoning != "" {
		content = append(content, map[string]any{"type": "thinking", "thinking": m.Reasoning, "signature": signature(m.Reasoning, m.Text(between), calls)})
	}
	if text := m.Text(between); text != "" {
		content = append(content, map[string]any{"type": "text", "text": text})
	}
	for _, call := range calls {
		content = append(content, map[string]any{"type": "tool_use", "id": call.ID, "name": call.Name, "input": json.RawMessage(call.Arguments)})
	}
	return content
}

func (messages) reason(a answer) any {
	if a.Empty {
		return nil
	}
	return map[string]string{wire.Stop: "end_turn", wire.Calls: "tool_use", wire.Length: "max_tokens", wire.Filter: "refusal"}[a.FinishReason]
}

func (messages) usage(u wire.Usage) map[string]any {
	return map[string]any{
		"input_tokens": max(u.Prompt-u.Cached-u.CacheWrite, 0), "cache_read_input_tokens": u.Cached,
		"cache_creation_input_tokens": u.CacheWrite, "output_tokens": u.Completion,
	}
}

func (m messages) whole(_ *request, a answer) any {
	return map[string]any{
		"id": a.ID, "type": "message", "role": assistant, "model": a.Model, "content": m.content(a),
		"stop_reason": m.reason(a), "stop_sequence": nil, "usage": m.usage(a.Usage),
	}
}

func (m messages) events(r *request, a answer) []event {
	var events []event
	send := func(name string, data map[string]any) {
		data["type"] = name
		events = append(events, event{Name: name, Data: data})
	}
	begun := m.whole(r, a).(map[string]any)
	begun["content"], begun["stop_reason"] = []any{}, nil
	send("message_start", map[string]any{"message": begun})
	send("ping", map[string]any{})
	for i, block := range m.content(a) {
		all := block.(map[string]any)
		delta := func(kind, name, text string) {
			for _, piece := range halves(text) {
				send("content_block_delta", map[string]any{"index": i, "delta": map[string]any{"type": kind, name: piece}})
			}
		}
		switch all["type"] {
		case "thinking":
			send("content_block_start", map[string]any{"index": i, "content_block": map[string]any{"type": "thinking", "thinking": "", "signature": ""}})
			delta("thinking_delta", "thinking", all["thinking"].(string))
			send("content_block_delta", map[string]any{"index": i, "delta": map[string]any{"type": "signature_delta", "signature": all["signature"]}})
		case "text":
			send("content_block_start", map[string]any{"index": i, "content_block": map[string]any{"type": "text", "text": ""}})
			delta("text_delta", "text", all["text"].(string))
		case "tool_use":
			send("content_block_start", map[string]any{"index": i, "content_block": map[string]any{
				"type": "tool_use", "id": all["id"], "name": all["name"], "input": map[string]any{},
			}})
			delta("input_json_delta", "partial_json", string(all["input"].(json.RawMessage)))
		}
		send("content_block_stop", map[string]any{"index": i})
	}
	send("message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": m.reason(a), "stop_sequence": nil}, "usage": map[string]any{"output_tokens": a.Usage.Completion},
	})
	send("message_stop", map[string]any{})
	return events
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

// add adds a block. mark is its cache_control, nil if it has none.
func (p *prefix) add(text string, mark json.RawMessage) {
	fmt.Fprintf(&p.hash, "%d:%s", len(text), text)
	p.size += len(text)
	sum := p.hash.Sum64()
	p.caches.mu.Lock()
	if p.caches.known[sum] {
		p.read = p.size
	}
	p.caches.mu.Unlock()
	if len(mark) > 0 && string(mark) != "null" {
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
