// Package messages is the codec of Anthropic's Messages API.
//
// The server caches a prompt up to the places that a request marks. Encode marks the end of the
// tools, of the system message and of the last message, so that each turn reads what earlier
// turns have written to the cache. A request without tools is sent only once. It has no marks,
// because writing to the cache costs more than not caching.
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

// Counted is the member of an answer that holds the number of tokens in a request.
const Counted = "input_tokens"

// Settings of the dialect.
const (
	// usualMaxTokens is the output limit for unknown models. The server requires a limit.
	usualMaxTokens = 32_000
	// longAnswer is the output limit, in tokens, from which answers are streamed. The server
	// requires it, because idle connections might be closed.
	longAnswer = 21_333
	// minThinking is the smallest thinking budget that the server accepts, in tokens.
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
	_ = json.Unmarshal(members["max_tokens"], &asked) // anything but a number is ignored
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
	// The server refuses it if there is no thinking to clear.
	if thinking == nil && (said || members["thinking"] == nil) && bytes.Contains(members["context_management"], []byte("clear_thinking")) {
		over["context_management"] = nil
	}
	return members.Over(over, r.Body)
}

// thinkingOf returns the settings for an effort; nil for none.
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

// tool is a tool that is offered.
type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema"`
	Strict      *bool           `json:"strict,omitempty"`
	Later       bool            `json:"defer_loading,omitempty"`
}

// toolsOf returns the tools, with a cache mark after the last one; nil for none.
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

// turnsOf returns the system messages as one, and the others as alternating turns of user and
// model. The results of one turn's calls are one message. With marks, the server caches the
// conversation.
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

// written is a block, as it is written.
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

// blocksOf returns the blocks of a message. It omits empty texts, which the server refuses.
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

// sourceOf returns the source of a picture.
func sourceOf(a wire.Address) any {
	if kind, data, ok := a.Data(); ok {
		return map[string]string{"type": "base64", "media_type": kind, "data": data}
	}
	return map[string]string{"type": "url", "url": string(a)}
}
