package models

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"agentd/models/wire"
)

// messages is the dialect of Anthropic's Messages API.
//
// Its server caches a prompt up to the places that a request marks. Marks stand after the
// tools, the system's message and the last message, so that each turn of a conversation
// reads what the turns before it have written. A request without tools is asked once and
// has no marks, because writing a cache costs more than not caching.
type messages struct{}

// Settings of the dialect.
const (
	// usualMaxTokens is the output limit of models that are not known; one must be sent.
	usualMaxTokens = 32_000
	// longAnswer is the output limit from which on answers are streamed, in tokens. The
	// server wants that, because a connection without data might be cut.
	longAnswer = 21_333
	// minThinking is the smallest budget that may be asked for, in tokens.
	minThinking = 1024
)

const cacheMark = `,"cache_control":{"type":"ephemeral"}`

// Encode implements codec.
func (m messages) Encode(r *wire.Request) ([]byte, error) {
	system, turns, err := m.turns(r.Messages, len(r.Tools) > 0)
	if err != nil {
		return nil, err
	}
	tools, err := m.tools(r.Tools)
	if err != nil {
		return nil, err
	}
	limit := cmp.Or(r.MaxOutput, r.MostOutput, usualMaxTokens)
	thinking, effort := m.thinking(r, limit)
	over := map[string]any{}
	r.LayTemperature(over, nil, thinking != nil)
	var all wire.Object
	all.Put("model", r.Model)
	all.Put("max_tokens", limit)
	all.Put("tools", tools)
	all.Put("system", system)
	all.Put("messages", turns)
	all.Put("temperature", over["temperature"])
	all.Put("thinking", thinking)
	all.Put("output_config", effort)
	all.Put("tool_choice", m.toolChoice(r))
	if r.Stream || limit > longAnswer {
		all.Put("stream", true)
	}
	return all.Write(r.Body)
}

// Overlay implements codec.
func (m messages) Overlay(r *wire.Request, members wire.Members) ([]byte, error) {
	over := map[string]any{"model": r.Model, "stream": r.Stream}
	own := 0
	_ = json.Unmarshal(members["max_tokens"], &own) // what is no number is none
	limit := cmp.Or(r.MaxOutput, own, r.MostOutput, usualMaxTokens)
	over["max_tokens"] = limit
	thinking, effort := m.thinking(r, limit)
	if thinking != nil {
		over["thinking"] = thinking
	}
	if effort != nil {
		over["output_config"] = effort
	}
	r.LayTemperature(over, members["temperature"], thinking != nil || members["thinking"] != nil)
	if r.Parallel != nil && members["tools"] != nil {
		choice := map[string]any{"disable_parallel_tool_use": !*r.Parallel}
		if members["tool_choice"] == nil {
			choice["type"] = "auto"
		}
		over["tool_choice"] = choice
	}
	all := maps.Clone(members)
	if err := errors.Join(all.Lay(over), all.Lay(r.Body)); err != nil {
		return nil, err
	}
	// It is refused where there is no thinking to be cleared.
	if all["thinking"] == nil && bytes.Contains(all["context_management"], []byte("clear_thinking")) {
		delete(all, "context_management")
	}
	return all.Write()
}

// thinking returns how an effort is asked for; nil for nothing.
func (messages) thinking(r *wire.Request, limit int) (thinking, effort any) {
	switch {
	case r.Budget > 0:
		return map[string]any{"type": "enabled", "budget_tokens": max(min(r.Budget, limit/2), minThinking)}, nil
	case r.Effort == "" || r.Effort == "none":
		return nil, nil
	}
	return map[string]any{"type": "adaptive"}, map[string]any{"effort": r.Effort}
}

func (messages) toolChoice(r *wire.Request) any {
	if len(r.Tools) == 0 {
		return nil
	}
	choice := map[string]any{"type": "auto"}
	switch {
	case r.Choice.Function != "":
		choice = map[string]any{"type": "tool", "name": r.Choice.Function}
	case r.Choice.Mode == wire.Must:
		choice["type"] = "any"
	case r.Choice.Mode == wire.Never:
		choice["type"] = "none"
	}
	if r.Parallel != nil && r.Choice.Mode != wire.Never {
		choice["disable_parallel_tool_use"] = !*r.Parallel
	} else if r.Choice == (wire.Choice{}) {
		return nil // the server's own choice
	}
	return choice
}

// tools returns the tools, with a mark after the last one; nil for none.
func (m messages) tools(offered []Tool) (json.RawMessage, error) {
	if len(offered) == 0 {
		return nil, nil
	}
	type tool struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		InputSchema json.RawMessage `json:"input_schema"`
	}
	all := make([]tool, len(offered))
	for i, t := range offered {
		all[i] = tool{t.Name, t.Description, t.Schema()}
	}
	raw, err := wire.Write(all)
	if err != nil {
		return nil, err
	}
	return append(raw[:len(raw)-len("}]")], cacheMark+"}]"...), nil
}

// turns returns the system's messages as one, and the others as turns of the user's and
// the model's, which alternate: the answers to the calls of a turn are one message. With
// marks, the server caches the conversation.
func (m messages) turns(list []Message, marked bool) (system any, turns json.RawMessage, err error) {
	if err := wire.WriteEach(list, m.blocks); err != nil {
		return nil, nil, err
	}
	size := 0
	for i := range list {
		size += len(list[i].Written) + len(`{"role":"assistant","content":[]},`)
	}
	var said []string
	b := bytes.NewBuffer(make([]byte, 0, size+len(cacheMark)))
	b.WriteByte('[')
	before := Role("")
	for i := range list {
		it := &list[i]
		if it.Role == System {
			said = append(said, it.Text("\n\n"))
			continue
		}
		if len(it.Written) == 0 {
			continue
		}
		role := it.Role
		if role == ToolRole {
			role = User
		}
		switch {
		case role == before:
			b.WriteByte(',')
		case before == "":
			fmt.Fprintf(b, `{"role":%q,"content":[`, role)
		default:
			fmt.Fprintf(b, `]},{"role":%q,"content":[`, role)
		}
		before = role
		b.Write(it.Written)
	}
	if before == User && marked {
		b.Truncate(b.Len() - 1) // into the last block
		b.WriteString(cacheMark + "}")
	}
	if before != "" {
		b.WriteString("]}")
	}
	b.WriteByte(']')
	if len(said) > 0 {
		block := map[string]any{"type": "text", "text": strings.Join(said, "\n\n")}
		if marked {
			block["cache_control"] = map[string]string{"type": "ephemeral"}
		}
		system = []any{block}
	}
	return system, b.Bytes(), nil
}

// blocks writes a message as blocks with commas between them: the model's as the server
// sent them, if that is known.
func (m messages) blocks(it *Message) ([]byte, error) {
	if it.Role == Assistant {
		if raw := it.ReplayIn(Messages); raw != nil {
			return wire.Elements(raw), nil
		}
	}
	type block struct {
		Type    string          `json:"type"`
		Text    string          `json:"text,omitempty"`
		ID      string          `json:"id,omitempty"`
		Name    string          `json:"name,omitempty"`
		Input   json.RawMessage `json:"input,omitempty"`
		Source  any             `json:"source,omitempty"`
		CallID  string          `json:"tool_use_id,omitempty"`
		Content string          `json:"content,omitempty"`
	}
	var all []block
	switch it.Role {
	case System:
		return nil, nil
	case ToolRole:
		all = append(all, block{Type: "tool_result", CallID: it.ToolCallID, Content: it.Text("\n")})
	default:
		if strings.TrimSpace(it.Content) != "" { // the server refuses empty ones
			all = append(all, block{Type: "text", Text: it.Content})
		}
		for _, p := range it.Parts {
			switch {
			case p.Address != "":
				all = append(all, block{Type: "image", Source: sourceOf(p.Address)})
			case strings.TrimSpace(p.Text) != "":
				all = append(all, block{Type: "text", Text: p.Text})
			}
		}
	}
	for i := range it.ToolCalls {
		call := &it.ToolCalls[i]
		all = append(all, block{Type: "tool_use", ID: call.ID, Name: call.Name, Input: call.Object()})
	}
	if len(all) == 0 {
		return nil, nil
	}
	raw, err := wire.Write(all)
	return wire.Elements(raw), err
}

// sourceOf is where a picture is.
func sourceOf(a wire.Address) any {
	if kind, data, ok := a.Data(); ok {
		return map[string]string{"type": "base64", "media_type": kind, "data": data}
	}
	return map[string]string{"type": "url", "url": string(a)}
}

// wireMessagesAnswer is an answer as the server writes it.
type wireMessagesAnswer struct {
	Content    jsontext.Value    `json:"content"`
	StopReason string            `json:"stop_reason"`
	Usage      wireMessagesUsage `json:"usage"`
	Error      jsontext.Value    `json:"error"`
}

type wireMessagesUsage struct {
	Input   int64 `json:"input_tokens"` // neither read from the cache nor written to it
	Read    int64 `json:"cache_read_input_tokens"`
	Written int64 `json:"cache_creation_input_tokens"`
	Output  int64 `json:"output_tokens"`
	Details struct {
		Thinking int64 `json:"thinking_tokens"`
	} `json:"output_tokens_details"`
}

func (w *wireMessagesUsage) usage() (Usage, error) {
	if err := wire.Counted(&w.Input, &w.Read, &w.Written, &w.Output, &w.Details.Thinking); err != nil {
		return Usage{}, err
	}
	return Usage{
		Prompt: int(w.Input + w.Read + w.Written), Cached: int(w.Read), CacheWrite: int(w.Written),
		Completion: int(w.Output), Reasoning: int(w.Details.Thinking),
	}, nil
}

// wireBlock is a block of an answer's content.
type wireBlock struct {
	Type     string         `json:"type"`
	Text     string         `json:"text"`
	Thinking string         `json:"thinking"`
	ID       string         `json:"id"`
	Name     string         `json:"name"`
	Input    wire.Arguments `json:"input"`
}

// DecodeAnswer implements codec.
func (m messages) DecodeAnswer(body []byte) (wire.Answer, error) {
	var answer wireMessagesAnswer
	if err := wire.ReadAnswer(body, &answer); err != nil {
		return wire.Answer{}, err
	}
	usage, err := answer.Usage.usage()
	if err != nil {
		return wire.Answer{}, err
	}
	if err := wire.ErrorInside(answer.Error); err != nil {
		return wire.Answer{Usage: usage}, wire.Explained(body)
	}
	if len(answer.Content) == 0 || answer.Content.Kind() != '[' || answer.StopReason == "" {
		return wire.Answer{Usage: usage}, wire.ErrNoAnswer
	}
	said := Message{Role: Assistant, Replay: &Replay{API: Messages, Raw: string(answer.Content)}}
	if err := readBlocks(&said, answer.Content); err != nil {
		return wire.Answer{Usage: usage}, err
	}
	reason := answer.StopReason
	switch reason {
	case "end_turn", "stop_sequence":
		reason = "stop"
	case "tool_use":
		reason = "tool_calls"
	case "max_tokens", "model_context_window_exceeded":
		reason = "length"
	case "refusal":
		reason = "content_filter"
	}
	return wire.Answer{Message: said, FinishReason: reason, Usage: usage}, nil
}

// readBlocks reads what a list of blocks says, calls and shows of its reasoning.
func readBlocks(m *Message, list jsontext.Value) error {
	var text, thought strings.Builder
	err := wire.EachOf(list, "content", func(b *wireBlock) error {
		switch b.Type {
		case "text":
			text.WriteString(b.Text)
		case "thinking":
			thought.WriteString(b.Thinking)
		case "tool_use":
			return m.AddCall(ToolCall{ID: b.ID, Name: b.Name, Arguments: string(b.Input)})
		}
		return nil
	})
	m.Content, m.Reasoning = text.String(), thought.String()
	return err
}

// DecodeError implements codec.
func (m messages) DecodeError(body []byte) *wire.Error { return wire.Explained(body) }

// Reader implements codec.
func (m messages) Reader() wire.Reader { return &messagesAssembly{} }

// messagesAssembly puts a stream's blocks together.
type messagesAssembly struct {
	wire.News
	kept   wire.Kept
	usage  map[string]any
	blocks []*streamedBlock
	reason string
	done   bool
	calls  int
}

func (a *messagesAssembly) Ended() bool { return a.done }

// streamedBlock is a block as it began, with what came since.
type streamedBlock struct {
	begun                            map[string]json.RawMessage
	text, thinking, signature, input strings.Builder
	call                             int // its place among the calls, if it is one
}

func (a *messagesAssembly) Add(_ string, data []byte) error {
	a.News = a.News[:0]
	var e struct {
		Type    string `json:"type"`
		Index   int    `json:"index"`
		Message struct {
			Usage map[string]any `json:"usage"`
		} `json:"message"`
		Block map[string]json.RawMessage `json:"content_block"`
		Delta struct {
			Type       string `json:"type"`
			Text       string `json:"text"`
			Thinking   string `json:"thinking"`
			Signature  string `json:"signature"`
			Partial    string `json:"partial_json"`
			StopReason string `json:"stop_reason"`
		} `json:"delta"`
		Usage map[string]any `json:"usage"`
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return fmt.Errorf("reading the stream: %w", err)
	}
	if err := a.kept.Add(len(e.Delta.Text) + len(e.Delta.Thinking) + len(e.Delta.Signature) + len(e.Delta.Partial)); err != nil {
		return err
	}
	switch e.Type {
	case "error":
		return wire.Explained(data)
	case "message_start":
		a.usage = e.Message.Usage
	case "content_block_start":
		if e.Index != len(a.blocks) || len(a.blocks) > 2*wire.MaxCalls {
			return fmt.Errorf("reading the stream: block %d comes after %d others", e.Index, len(a.blocks))
		}
		if err := a.kept.Add(len(data)); err != nil {
			return err
		}
		b := &streamedBlock{begun: e.Block}
		a.blocks = append(a.blocks, b)
		if kind := wire.TextOf(e.Block["type"]); kind == "tool_use" {
			b.call = a.calls
			a.calls++
			a.News = append(a.News, Delta{Call: b.call, ID: wire.TextOf(e.Block["id"]), Name: wire.TextOf(e.Block["name"])})
		} else if text := wire.TextOf(e.Block["text"]); text != "" {
			a.News = append(a.News, Delta{Text: text})
		}
	case "content_block_delta":
		if e.Index < 0 || e.Index >= len(a.blocks) {
			return fmt.Errorf("reading the stream: there is no block %d", e.Index)
		}
		b := a.blocks[e.Index]
		b.text.WriteString(e.Delta.Text)
		b.thinking.WriteString(e.Delta.Thinking)
		b.input.WriteString(e.Delta.Partial)
		b.signature.WriteString(e.Delta.Signature)
		a.News = append(a.News, Delta{Text: e.Delta.Text, Thought: e.Delta.Thinking, Call: b.call, Arguments: e.Delta.Partial})
	case "message_delta":
		a.reason = e.Delta.StopReason
		for name, n := range e.Usage { // sums so far
			if a.usage == nil {
				a.usage = map[string]any{}
			}
			if n != nil {
				a.usage[name] = n
			}
		}
	case "message_stop":
		a.done = true
	}
	return nil
}

func (a *messagesAssembly) Whole() ([]byte, error) {
	if !a.done {
		return nil, wire.ErrCutOff
	}
	content := make([]map[string]json.RawMessage, len(a.blocks))
	for i, b := range a.blocks {
		all := b.begun
		if all == nil {
			all = map[string]json.RawMessage{}
		}
		for name, more := range map[string]string{"text": b.text.String(), "thinking": b.thinking.String(), "signature": b.signature.String()} {
			if more == "" {
				continue
			}
			var before string
			_ = json.Unmarshal(all[name], &before) // what is no text was nothing
			raw, err := wire.Write(before + more)
			if err != nil {
				return nil, err
			}
			all[name] = raw
		}
		if b.input.Len() > 0 {
			if all["input"] = json.RawMessage(b.input.String()); !json.Valid(all["input"]) {
				call := ToolCall{Arguments: b.input.String()} // cut off at the output limit
				all["input"] = call.Object()
			}
		}
		content[i] = all
	}
	return wire.Write(map[string]any{"type": "message", "role": "assistant", "content": content, "stop_reason": a.reason, "usage": a.usage})
}
