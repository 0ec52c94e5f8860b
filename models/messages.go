package models

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// messages is the dialect of Anthropic's Messages API.
//
// Its server caches a prompt up to the places that a request marks. Marks stand after the
// tools, the system's message and the last message, so that each turn of a conversation
// reads what the turns before it have written. A request without tools is asked once and
// has no marks, because writing a cache costs more than not caching.
type messages struct{ envelope }

// Settings of the dialect.
const (
	messagesVersion = "2023-06-01"
	// usualMaxTokens is the output limit of models that are not known; one must be sent.
	usualMaxTokens = 32_000
	// longAnswer is the output limit from which on answers are streamed, in tokens. The
	// server wants that, because a connection without data might be cut.
	longAnswer = 21_333
	// minThinking is the smallest budget that may be asked for, in tokens.
	minThinking = 1024
)

const cacheMark = `,"cache_control":{"type":"ephemeral"}`

// endpoint implements dialect.
func (m *messages) endpoint(key string, _ bool) (string, http.Header) {
	header := keyHeader("X-Api-Key", key)
	header.Set("Anthropic-Version", messagesVersion)
	return m.path("/messages"), header
}

// encode implements dialect.
func (m *messages) encode(req Request, without omissions) ([]byte, error) {
	if req.Verbatim {
		return m.overlay(req, without)
	}
	_, e := m.wantsJSON() // there is no such setting; the prompt asks for it too
	req, err := e.conversation(req)
	if err != nil {
		return nil, err
	}
	system, turns, err := m.turns(req.Messages, len(req.Tools) > 0)
	if err != nil {
		return nil, err
	}
	tools, err := m.tools(req.Tools)
	if err != nil {
		return nil, err
	}
	limit := cmp.Or(e.limitOf(req), e.profile.MaxOutput, usualMaxTokens)
	thinking, effort, err := m.thinking(limit)
	if err != nil {
		return nil, err
	}
	members := []member{
		{"model", m.spec.Model}, {"max_tokens", limit}, {"tools", tools}, {"system", system}, {"messages", turns},
		{"temperature", e.temperatureOf(req, without, thinking != nil)},
		{"thinking", thinking}, {"output_config", effort}, {"tool_choice", m.toolChoice(req, without)},
	}
	if m.spec.Stream || req.Stream || limit > longAnswer {
		members = append(members, member{"stream", true})
	}
	return e.write(members)
}

// thinking returns how the spec's effort is asked for; nil for nothing.
func (m *messages) thinking(limit int) (thinking, effort any, err error) {
	switch {
	case m.spec.Reasoning == "" || m.spec.Reasoning == "none":
		return nil, nil, nil
	case m.profile.Thinking != "budget":
		return map[string]any{"type": "adaptive"}, map[string]any{"effort": m.spec.Reasoning}, nil
	}
	budget, err := budgetOf(m.spec.Reasoning)
	if err != nil {
		return nil, nil, err
	}
	budget = max(min(budget, limit/2), minThinking)
	return map[string]any{"type": "enabled", "budget_tokens": budget}, nil, nil
}

// budgetOf is what an effort stands for with a model that takes a number of tokens.
func budgetOf(effort string) (int, error) {
	switch effort {
	case "minimal":
		return 1024, nil
	case "low":
		return 4096, nil
	case "medium":
		return 10_240, nil
	case "high":
		return 24_576, nil
	}
	return 0, fmt.Errorf("reasoning %q is none of minimal, low, medium and high, which the model takes", effort)
}

func (m *messages) toolChoice(req Request, without omissions) any {
	if len(req.Tools) == 0 {
		return nil
	}
	choice := map[string]any{"type": "auto"}
	word, function := req.choice()
	switch {
	case function != "":
		choice = map[string]any{"type": "tool", "name": function}
	case word == "required":
		choice["type"] = "any"
	case word == "none":
		choice["type"] = "none"
	}
	if p := m.spec.ParallelTools; p != nil && word != "none" && !without.has(settingParallel) {
		choice["disable_parallel_tool_use"] = !*p
	} else if word == "" && function == "" {
		return nil // the server's own choice
	}
	return choice
}

// tools returns the tools, with a mark after the last one; nil for none.
func (m *messages) tools(offered []Tool) (json.RawMessage, error) {
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
		all[i] = tool{t.Name, t.Description, schemaOf(t)}
	}
	raw, err := writeJSON(all)
	if err != nil {
		return nil, err
	}
	return append(raw[:len(raw)-len("}]")], cacheMark+"}]"...), nil
}

// schemaOf is a tool's parameters; those of a tool without any are an empty object.
func schemaOf(t Tool) json.RawMessage {
	if len(t.Parameters) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return t.Parameters
}

// turns returns the system's messages as one, and the others as turns of the user's and
// the model's, which alternate: the answers to the calls of a turn are one message. With
// marks, the server caches the conversation.
func (m *messages) turns(list []Message, marked bool) (system any, turns json.RawMessage, err error) {
	if err := joinWire(list, m.blocks); err != nil {
		return nil, nil, err
	}
	size := 0
	for i := range list {
		size += len(list[i].wire) + len(`{"role":"assistant","content":[]},`)
	}
	var said []string
	b := bytes.NewBuffer(make([]byte, 0, size+len(cacheMark)))
	b.WriteByte('[')
	before := Role("")
	for i := range list {
		it := &list[i]
		if it.Role == System {
			said = append(said, it.Content)
			continue
		}
		if len(it.wire) == 0 {
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
		b.Write(it.wire)
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
func (m *messages) blocks(it *Message) ([]byte, error) {
	if it.Role == Assistant {
		if raw := it.replayOf(Messages); raw != nil {
			return elementsOf(raw), nil
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
		all = append(all, block{Type: "tool_result", CallID: it.ToolCallID, Content: it.Content})
	default:
		if strings.TrimSpace(it.Content) != "" { // the server refuses empty ones
			all = append(all, block{Type: "text", Text: it.Content})
		}
		for _, p := range it.pictures {
			all = append(all, block{Type: "image", Source: p.source()})
		}
	}
	for i := range it.ToolCalls {
		call := &it.ToolCalls[i]
		all = append(all, block{Type: "tool_use", ID: call.ID, Name: call.Name, Input: call.object()})
	}
	if len(all) == 0 {
		return nil, nil
	}
	raw, err := writeJSON(all)
	return elementsOf(raw), err
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
	if err := counted(&w.Input, &w.Read, &w.Written, &w.Output, &w.Details.Thinking); err != nil {
		return Usage{}, err
	}
	return Usage{
		Prompt: int(w.Input + w.Read + w.Written), Cached: int(w.Read), CacheWrite: int(w.Written),
		Completion: int(w.Output), Reasoning: int(w.Details.Thinking),
	}, nil
}

// wireBlock is a block of an answer's content.
type wireBlock struct {
	Type     string        `json:"type"`
	Text     string        `json:"text"`
	Thinking string        `json:"thinking"`
	ID       string        `json:"id"`
	Name     string        `json:"name"`
	Input    wireArguments `json:"input"`
}

// decode implements dialect.
func (m *messages) decode(body []byte) (Response, error) {
	var answer wireMessagesAnswer
	if err := leniently(body, &answer); err != nil {
		return Response{}, err
	}
	usage, err := answer.Usage.usage()
	if err != nil {
		return Response{}, err
	}
	if err := errorInside(answer.Error); err != nil {
		return Response{Usage: usage}, explained(body)
	}
	if len(answer.Content) == 0 || answer.Content.Kind() != '[' || answer.StopReason == "" {
		return Response{Usage: usage}, errNoAnswer
	}
	said := Message{Role: Assistant, Replay: &Replay{API: Messages, Raw: string(answer.Content)}}
	if err := said.readBlocks(answer.Content); err != nil {
		return Response{Usage: usage}, err
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
	return Response{Message: said, FinishReason: reason, Usage: usage}, nil
}

// readBlocks reads what a list of blocks says, calls and shows of its reasoning.
func (m *Message) readBlocks(list jsontext.Value) error {
	var text, thought strings.Builder
	err := eachOf(list, "content", func(b *wireBlock) error {
		switch b.Type {
		case "text":
			text.WriteString(b.Text)
		case "thinking":
			thought.WriteString(b.Thinking)
		case "tool_use":
			return m.addCall(ToolCall{b.ID, b.Name, string(b.Input)})
		}
		return nil
	})
	m.Content, m.Reasoning = text.String(), thought.String()
	return err
}

// addCall adds a call of an answer.
func (m *Message) addCall(call ToolCall) error {
	if len(m.ToolCalls) == maxCallsRead {
		return fmt.Errorf("the answer has more than %d tool calls", maxCallsRead)
	}
	m.ToolCalls = append(m.ToolCalls, call)
	return nil
}

// explain implements dialect.
func (m *messages) explain(body []byte) *serverError { return explained(body) }

// assembly implements dialect.
func (m *messages) assembly() assembly { return &messagesAssembly{} }

// messagesAssembly puts a stream's blocks together.
type messagesAssembly struct {
	news
	kept   kept
	usage  map[string]any
	blocks []*streamedBlock
	reason string
	done   bool
	calls  int
}

func (a *messagesAssembly) ended() bool { return a.done }

// streamedBlock is a block as it began, with what came since.
type streamedBlock struct {
	begun                            map[string]json.RawMessage
	text, thinking, signature, input strings.Builder
	call                             int // its place among the calls, if it is one
}

func (a *messagesAssembly) add(_ string, data []byte) error {
	a.news = a.news[:0]
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
	if err := a.kept.add(len(e.Delta.Text) + len(e.Delta.Thinking) + len(e.Delta.Signature) + len(e.Delta.Partial)); err != nil {
		return err
	}
	switch e.Type {
	case "error":
		return explained(data)
	case "message_start":
		a.usage = e.Message.Usage
	case "content_block_start":
		if e.Index != len(a.blocks) || len(a.blocks) > 2*maxCallsRead {
			return fmt.Errorf("reading the stream: block %d comes after %d others", e.Index, len(a.blocks))
		}
		if err := a.kept.add(len(data)); err != nil {
			return err
		}
		b := &streamedBlock{begun: e.Block}
		a.blocks = append(a.blocks, b)
		if kind := textOf(e.Block["type"]); kind == "tool_use" {
			b.call = a.calls
			a.calls++
			a.news = append(a.news, Delta{Call: b.call, ID: textOf(e.Block["id"]), Name: textOf(e.Block["name"])})
		} else if text := textOf(e.Block["text"]); text != "" {
			a.news = append(a.news, Delta{Text: text})
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
		a.news = append(a.news, Delta{Text: e.Delta.Text, Thought: e.Delta.Thinking, Call: b.call, Arguments: e.Delta.Partial})
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

// textOf is a member that is a text; "" if it is none.
func textOf(raw json.RawMessage) (text string) {
	_ = json.Unmarshal(raw, &text)
	return text
}

func (a *messagesAssembly) whole() ([]byte, error) {
	if !a.done {
		return nil, errCutOff
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
			raw, err := writeJSON(before + more)
			if err != nil {
				return nil, err
			}
			all[name] = raw
		}
		if b.input.Len() > 0 {
			if all["input"] = json.RawMessage(b.input.String()); !json.Valid(all["input"]) {
				call := ToolCall{Arguments: b.input.String()} // cut off at the output limit
				all["input"] = call.object()
			}
		}
		content[i] = all
	}
	return writeJSON(map[string]any{"type": "message", "role": "assistant", "content": content, "stop_reason": a.reason, "usage": a.usage})
}
