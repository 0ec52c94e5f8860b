// Package messages is the codec of Anthropic's Messages API.
//
// Its server caches a prompt up to the places that a request marks. Encode marks the end of
// the tools, of the system's message and of the last message, so that each turn of a
// conversation reads what the turns before it have written. A request without tools is asked
// once and has no marks, because writing a cache costs more than not caching.
package messages

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"agentd/models/wire"
)

// Codec is the dialect's codec.
type Codec struct{}

// API implements wire.Codec.
func (Codec) API() wire.API { return wire.Messages }

// Sampling implements wire.Codec.
func (Codec) Sampling() []string {
	return []string{"temperature", "top_p", "top_k", "max_tokens", "thinking", "output_config.effort"}
}

// Counted is the member of an answer that says how many tokens a request has.
const Counted = "input_tokens"

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

// Encode implements wire.Codec.
func (Codec) Encode(r *wire.Request) ([]byte, error) {
	if err := wire.WriteParts(r.Messages, wire.Messages, blocksOf); err != nil {
		return nil, err
	}
	tools, err := toolsOf(r.Tools)
	if err != nil {
		return nil, err
	}
	system, turns := turnsOf(r.Messages, len(r.Tools) > 0)
	limit := cmp.Or(r.MaxOutput, r.MostOutput, usualMaxTokens)
	thinking, effort := thinkingOf(r, limit)
	over := map[string]any{}
	r.LayTemperature(over, nil, thinking != nil)
	var all wire.Object
	all.Put("model", r.Model)
	all.Put("max_tokens", limit)
	all.Put("tools", tools)
	all.Put("system", system)
	all.Put("messages", turns)
	all.Put("temperature", over["temperature"])
	all.PutSome("top_p", r.TopP)
	all.PutSome("stop_sequences", r.Stop)
	all.Put("thinking", thinking)
	all.Put("output_config", effort)
	all.Put("tool_choice", choiceOf(r))
	all.PutSome("stream", r.Stream || limit > longAnswer)
	return all.Write(r.Body)
}

// Overlay implements wire.Codec.
func (Codec) Overlay(r *wire.Request, members wire.Members) ([]byte, error) {
	asked := 0
	_ = json.Unmarshal(members["max_tokens"], &asked) // what is no number is none
	limit := cmp.Or(r.MaxOutput, asked, r.MostOutput, usualMaxTokens)
	over := wire.Fields{"model": r.Model, "stream": r.Stream, "max_tokens": limit}
	thinking, effort := thinkingOf(r, limit)
	over.PutSome("thinking", thinking)
	over.PutSome("output_config", effort)
	r.LayTemperature(over, members["temperature"], thinking != nil || members["thinking"] != nil)
	if r.Parallel != nil && members["tools"] != nil {
		choice := map[string]any{"disable_parallel_tool_use": !*r.Parallel}
		if members["tool_choice"] == nil {
			choice["type"] = "auto"
		}
		over["tool_choice"] = choice
	}
	own, said := r.Body["thinking"]
	if said {
		thinking = own
	}
	// It is refused where there is no thinking to be cleared.
	if thinking == nil && (said || members["thinking"] == nil) && bytes.Contains(members["context_management"], []byte("clear_thinking")) {
		over["context_management"] = nil
	}
	return members.Over(over, r.Body)
}

// thinkingOf returns how an effort is asked for; nil for nothing.
func thinkingOf(r *wire.Request, limit int) (thinking, effort any) {
	switch {
	case r.Budget > 0:
		return map[string]any{"type": "enabled", "budget_tokens": max(min(r.Budget, limit/2), minThinking)}, nil
	case r.Effort == "" || r.Effort == "none":
		return nil, nil
	}
	return map[string]any{"type": "adaptive"}, map[string]any{"effort": r.Effort}
}

func choiceOf(r *wire.Request) any {
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

// tool is a function that is offered.
type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema"`
	Strict      *bool           `json:"strict,omitempty"`
	Later       bool            `json:"defer_loading,omitempty"`
}

// toolsOf returns the tools, with a mark after the last one; nil for none.
func toolsOf(offered []wire.Tool) (json.RawMessage, error) {
	if len(offered) == 0 {
		return nil, nil
	}
	all := make([]tool, len(offered))
	for i, t := range offered {
		all[i] = tool{Name: t.Name, Description: t.Description, InputSchema: t.Schema()}
	}
	raw, err := wire.Write(all)
	if err != nil {
		return nil, err
	}
	return append(raw[:len(raw)-len("}]")], cacheMark+"}]"...), nil
}

// turnsOf returns the system's messages as one, and the others as turns of the user's and
// the model's, which alternate: the answers to the calls of a turn are one message. With
// marks, the server caches the conversation.
func turnsOf(list []wire.Message, marked bool) (system any, turns json.RawMessage) {
	said, turns, last := wire.Turns(list, "content", "assistant", func(before, next wire.Role) bool {
		return (before == wire.Assistant) == (next == wire.Assistant)
	})
	if last != wire.Assistant && last != "" && marked { // in the last block
		turns = append(turns[:len(turns)-len("}]}]")], cacheMark+"}]}]"...)
	}
	if said != "" {
		block := map[string]any{"type": "text", "text": said}
		if marked {
			block["cache_control"] = map[string]string{"type": "ephemeral"}
		}
		system = []any{block}
	}
	return system, turns
}

// written is a block as it is written.
type written struct {
	Type    string          `json:"type"`
	Text    string          `json:"text,omitempty"`
	ID      string          `json:"id,omitempty"`
	Name    string          `json:"name,omitempty"`
	Input   json.RawMessage `json:"input,omitempty"`
	Source  any             `json:"source,omitempty"`
	CallID  string          `json:"tool_use_id,omitempty"`
	Content string          `json:"content,omitempty"`
}

// blocksOf are the blocks of a message. The server refuses empty texts.
func blocksOf(it *wire.Message) (all []written) {
	switch it.Role {
	case wire.System:
		return nil
	case wire.ToolRole:
		all = append(all, written{Type: "tool_result", CallID: it.ToolCallID, Content: it.Text("\n")})
	default:
		for _, p := range it.AllParts() {
			switch {
			case p.Address != "":
				all = append(all, written{Type: "image", Source: sourceOf(p.Address)})
			case strings.TrimSpace(p.Text) != "":
				all = append(all, written{Type: "text", Text: p.Text})
			}
		}
	}
	for i := range it.ToolCalls {
		call := &it.ToolCalls[i]
		all = append(all, written{Type: "tool_use", ID: call.ID, Name: call.Name, Input: call.Object()})
	}
	return all
}

// sourceOf is where a picture is.
func sourceOf(a wire.Address) any {
	if kind, data, ok := a.Data(); ok {
		return map[string]string{"type": "base64", "media_type": kind, "data": data}
	}
	return map[string]string{"type": "url", "url": string(a)}
}
