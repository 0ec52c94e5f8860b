package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"agentd/models/wire"
)

// messagesCodec is a server's half of the codec of Anthropic's Messages.
type messagesCodec struct{}

func (messagesCodec) API() wire.API { return wire.Messages }

func (messagesCodec) Sampling() []string {
	return []string{"temperature", "top_p", "top_k", "max_tokens", "thinking", "output_config.effort"}
}

// Decode reads a request. Reasoning in it is left out: the model's own is found by what it
// said and called.
func (messagesCodec) Decode(asked wire.Members) (*wire.Request, error) {
	r := &wire.Request{Model: wire.Plain(asked["model"])}
	if wire.Given(asked["system"]) {
		if err := readBlocks(r, "system", asked["system"], wire.System); err != nil {
			return nil, err
		}
	}
	if !wire.Given(asked["messages"]) {
		return nil, wire.ErrNoMessages
	}
	err := wire.Each("messages", asked["messages"], func(i int, raw json.RawMessage) error {
		path := fmt.Sprintf("messages[%d]", i)
		m, err := wire.Split(path, raw)
		if err != nil {
			return err
		}
		role, err := m.Word(path, "role")
		if err != nil {
			return err
		}
		if !slices.Contains([]string{"user", "assistant", "system"}, role) {
			return fmt.Errorf("%s.role: %q is not user, assistant or system", path, role)
		}
		return readBlocks(r, path+".content", m["content"], wire.Role(role))
	})
	if err != nil {
		return nil, err
	}
	var config struct {
		Effort string `json:"effort"`
	}
	err = errors.Join(readMessagesTools(r, asked),
		wire.Setting("max_tokens", asked["max_tokens"], &r.MaxOutput), wire.Setting("temperature", asked["temperature"], &r.Temperature),
		wire.Setting("top_p", asked["top_p"], &r.TopP), wire.Setting("stop_sequences", asked["stop_sequences"], &r.Stop),
		wire.Setting("output_config", asked["output_config"], &config))
	r.Effort = config.Effort
	return r, err
}

// readBlocks reads a message's content: a text, or blocks. Answers to calls are messages of
// their own, which come first.
func readBlocks(r *wire.Request, path string, value json.RawMessage, role wire.Role) error {
	said := wire.Message{Role: role}
	if !wire.Given(value) {
		return fmt.Errorf("%s: there is none", path)
	}
	if value[0] == '"' {
		text, err := wire.ReadText(path, value)
		said.Content = text
		r.Messages = append(r.Messages, said)
		return err
	}
	var parts []wire.Part
	err := wire.Each(path, value, func(i int, raw json.RawMessage) error {
		path := fmt.Sprintf("%s[%d]", path, i)
		b, err := wire.Split(path, raw)
		if err != nil {
			return err
		}
		kind, err := b.Word(path, "type")
		if err != nil {
			return err
		}
		switch kind {
		case "text":
			text, err := b.Text(path, "text")
			if text != "" {
				parts = append(parts, wire.Part{Text: text})
			}
			return err
		case "image":
			shown, err := readSource(path, b["source"])
			parts = append(parts, shown)
			return err
		case "tool_use":
			call, err := readToolUse(path, b)
			said.ToolCalls = append(said.ToolCalls, call)
			return err
		case "tool_result":
			return readToolResult(r, path, b)
		case "thinking", "redacted_thinking":
		default:
			r.LeftOut = append(r.LeftOut, "a block of type "+kind)
		}
		return nil
	})
	said.SetParts(parts)
	if len(parts)+len(said.ToolCalls) > 0 {
		r.Messages = append(r.Messages, said)
	}
	return err
}

// readToolUse reads a call that the model made.
func readToolUse(path string, b wire.Members) (call wire.ToolCall, err error) {
	if err := b.Words(path, map[string]*string{"id": &call.ID, "name": &call.Name}); err != nil {
		return call, err
	}
	if call.ID == "" || call.Name == "" {
		return call, fmt.Errorf("%s: the call has no id, or no name", path)
	}
	call.Arguments = "{}"
	if wire.Given(b["input"]) {
		call.Arguments = string(b["input"])
	}
	return call, nil
}

// readToolResult reads the answer to a call.
func readToolResult(r *wire.Request, path string, b wire.Members) (err error) {
	answer := wire.Message{Role: wire.ToolRole}
	if answer.ToolCallID, err = b.Word(path, "tool_use_id"); err != nil {
		return err
	}
	if answer.ToolCallID == "" {
		return fmt.Errorf("%s: the result has no tool_use_id", path)
	}
	var parts []wire.Part
	switch value := b["content"]; {
	case !wire.Given(value):
	case value[0] == '"':
		answer.Content, err = wire.ReadText(path+".content", value)
	default:
		err = wire.Each(path+".content", value, func(i int, raw json.RawMessage) error {
			path := fmt.Sprintf("%s.content[%d]", path, i)
			part, err := wire.Split(path, raw)
			if err != nil {
				return err
			}
			if kind, err := part.Word(path, "type"); kind != "text" {
				r.LeftOut = append(r.LeftOut, "a block of type "+kind+" in a tool's result")
				return err
			}
			text, err := part.Text(path, "text")
			if text != "" {
				parts = append(parts, wire.Part{Text: text})
			}
			return err
		})
		answer.SetParts(parts)
	}
	r.Messages = append(r.Messages, answer)
	return err
}

// readSource reads a picture: an address, or its type and its bytes in base64.
func readSource(path string, source json.RawMessage) (wire.Part, error) {
	all, err := wire.Split(path+".source", source)
	if err != nil {
		return wire.Part{}, err
	}
	address, err := all.Text(path+".source", "url")
	if err != nil || address != "" {
		return wire.Part{Address: wire.Address(address)}, err
	}
	kind, wrong := all.Word(path+".source", "media_type")
	data, unfit := all.Text(path+".source", "data")
	if err := errors.Join(wrong, unfit); err != nil {
		return wire.Part{}, err
	}
	return wire.ShownAs(path, kind, data)
}

// readMessagesTools reads the functions among the tools, and which of them the model must
// call.
func readMessagesTools(r *wire.Request, asked wire.Members) error {
	if !wire.Given(asked["tools"]) {
		return nil
	}
	err := wire.Each("tools", asked["tools"], func(i int, raw json.RawMessage) error {
		path := fmt.Sprintf("tools[%d]", i)
		tool, err := wire.Split(path, raw)
		if err != nil {
			return err
		}
		kind, err := tool.Word(path, "type")
		if err != nil {
			return err
		}
		switch {
		case kind != "" && kind != "custom": // one that the maker's server runs itself
			r.LeftOut = append(r.LeftOut, "a tool of type "+kind)
			return nil
		case string(tool["defer_loading"]) == "true":
			r.LeftOut = append(r.LeftOut, "a tool that is to be loaded later")
			return nil
		}
		function, err := wire.ReadTool(path, raw, "input_schema")
		r.Tools = append(r.Tools, function)
		return err
	})
	if err != nil || len(r.Tools) == 0 {
		return err
	}
	var choice struct {
		Type     string `json:"type"`
		Name     string `json:"name"`
		Disabled *bool  `json:"disable_parallel_tool_use"`
	}
	if err := wire.Setting("tool_choice", asked["tool_choice"], &choice); err != nil {
		return err
	}
	if choice.Disabled != nil {
		parallel := !*choice.Disabled
		r.Parallel = &parallel
	}
	switch choice.Type {
	case "", "auto":
	case "any":
		r.Choice.Mode = wire.Must
	case "none":
		r.Choice.Mode = wire.Never
	case "tool":
		r.Choice.Function = choice.Name
	default:
		return fmt.Errorf("tool_choice.type: %q is not auto, any, tool or none", choice.Type)
	}
	return nil
}

// Results finds the answers to calls.
func (messagesCodec) Results(asked wire.Members) (all []wire.Result, err error) {
	if !wire.Given(asked["messages"]) || string(asked["messages"]) == "[]" {
		return nil, wire.ErrNoMessages
	}
	err = wire.Each("messages", asked["messages"], func(i int, raw json.RawMessage) error {
		it, err := wire.Split(fmt.Sprintf("messages[%d]", i), raw)
		if err != nil || len(it["content"]) == 0 || it["content"][0] != '[' {
			return err
		}
		return wire.Each("content", it["content"], func(_ int, raw json.RawMessage) error {
			block, err := wire.Split("content", raw)
			if string(block["type"]) == `"tool_result"` {
				all = append(all, wire.Result{ID: wire.Plain(block["tool_use_id"]), Text: block["content"]})
			}
			return err
		})
	})
	return all, err
}

// stopReason is why an answer ended, in the dialect's words.
func stopReason(answer *wire.Answer) string {
	switch {
	case answer.FinishReason == wire.Length:
		return "max_tokens"
	case answer.FinishReason == wire.Filter:
		return "refusal"
	case len(answer.Message.ToolCalls) > 0:
		return "tool_use"
	}
	return "end_turn"
}

// messagesUsage counts what is not read from the cache or written to it apart.
func messagesUsage(u wire.Usage) map[string]any {
	return map[string]any{
		"input_tokens": u.Prompt - u.Cached - u.CacheWrite, "cache_read_input_tokens": u.Cached,
		"cache_creation_input_tokens": u.CacheWrite, "output_tokens": u.Completion,
	}
}

func messageOf(a *wire.Answer, blocks any, reason any, usage map[string]any) map[string]any {
	return map[string]any{
		"id": "msg_" + a.ID, "type": "message", "role": "assistant", "model": a.Model, "content": blocks,
		"stop_reason": reason, "stop_sequence": nil, "usage": usage,
	}
}

// EncodeAnswer returns an answer as an object.
func (messagesCodec) EncodeAnswer(_ *wire.Request, a *wire.Answer) any {
	var blocks []map[string]any
	if text := a.Message.Content; text != "" || len(a.Message.ToolCalls) == 0 {
		blocks = append(blocks, map[string]any{"type": "text", "text": text})
	}
	for i := range a.Message.ToolCalls {
		call := &a.Message.ToolCalls[i]
		blocks = append(blocks, map[string]any{"type": "tool_use", "id": call.ID, "name": call.Name, "input": call.Object()})
	}
	return messageOf(a, blocks, stopReason(a), messagesUsage(a.Usage))
}

// messagesWriter writes a message as events. The arguments of a call are written when it is
// whole, because they must be an object.
type messagesWriter struct {
	head      *wire.Answer
	emit      func(wire.Event)
	blocks    int    // begun
	kind      string // of the open block; "" if none is
	call      int    // that is open, or was
	arguments bytes.Buffer
	last      time.Time // of the last event
}

// Writer returns what writes an answer as events.
func (messagesCodec) Writer(_ *wire.Request, head *wire.Answer, emit func(wire.Event)) wire.Writer {
	return &messagesWriter{head: head, emit: emit, call: -1}
}

func (w *messagesWriter) send(kind string, data map[string]any) {
	data["type"], w.last = kind, time.Now()
	w.emit(wire.Event{Name: kind, Data: data})
}

// open begins a block, and the message if it is the first.
func (w *messagesWriter) open(block map[string]any) {
	if w.last.IsZero() {
		begun := messagesUsage(w.head.Usage)
		begun["output_tokens"] = 1
		w.send("message_start", map[string]any{"message": messageOf(w.head, []any{}, nil, begun)})
	}
	w.close()
	w.kind = block["type"].(string)
	w.send("content_block_start", map[string]any{"index": w.blocks, "content_block": block})
	w.blocks++
}

// add adds to the open block.
func (w *messagesWriter) add(kind, name, text string) {
	w.send("content_block_delta", map[string]any{"index": w.blocks - 1, "delta": map[string]any{"type": kind, name: text}})
}

// close ends the open block.
func (w *messagesWriter) close() {
	if w.kind == "" {
		return
	}
	if w.kind == "tool_use" {
		call := wire.ToolCall{Arguments: w.arguments.String()}
		w.add("input_json_delta", "partial_json", string(call.Object()))
		w.arguments.Reset()
	}
	w.send("content_block_stop", map[string]any{"index": w.blocks - 1})
	w.kind = ""
}

// pingAfter is how long a client hears nothing while a call's arguments come.
const pingAfter = 5 * time.Second

func (w *messagesWriter) Delta(d wire.Delta) error {
	if d.Text != "" {
		if w.kind != "text" {
			w.open(map[string]any{"type": "text", "text": ""})
		}
		w.add("text_delta", "text", d.Text)
	}
	switch {
	case !d.OfCall():
		return nil
	case d.Call > w.call:
		w.open(map[string]any{"type": "tool_use", "id": d.ID, "name": d.Name, "input": map[string]any{}})
		w.call = d.Call
	case d.Call < w.call || w.kind != "tool_use":
		return wire.ErrOutOfOrder
	case time.Since(w.last) > pingAfter:
		w.send("ping", map[string]any{})
	}
	w.arguments.WriteString(d.Arguments)
	return nil
}

func (w *messagesWriter) End(a *wire.Answer) {
	if w.blocks == 0 {
		w.open(map[string]any{"type": "text", "text": ""})
	}
	w.close()
	w.send("message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": stopReason(a), "stop_sequence": nil}, "usage": messagesUsage(a.Usage),
	})
	w.send("message_stop", map[string]any{})
}

func (w *messagesWriter) Broken(err error) {
	w.send("error", map[string]any{"error": map[string]any{"type": "api_error", "message": err.Error()}})
}
