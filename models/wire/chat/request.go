// Package chat is the codec of OpenAI's chat completions, which most servers speak.
//
// It uses go-openai's types where they fit: tools and the choice among them, the answer format,
// errors, usage and the pieces of calls in answers. Messages and answers have their own types,
// for three reasons. go-openai omits members that servers and clients require (the content of
// an empty message, a temperature of 0, empty arguments). It has no members for OpenRouter's
// reasoning, Google's signatures and pictures. And it encodes every message again in each turn,
// while this package encodes each message once.
package chat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/sashabaranov/go-openai"

	"agentd/models/wire"
)

// Codec is the dialect's codec.
type Codec struct{}

// API implements wire.Codec.
func (Codec) API() wire.API { return wire.Chat }

// Sampling implements wire.Codec.
func (Codec) Sampling() []string {
	return []string{
		"temperature", "top_p", "top_k", "min_p", "max_tokens", "max_completion_tokens", "reasoning", "reasoning_effort", "verbosity",
		"presence_penalty", "frequency_penalty", "repetition_penalty", "thinking", "enable_thinking", "thinking_budget",
	}
}

// NewLimit and OldLimit are the two names of the output limit.
const (
	NewLimit = "max_completion_tokens"
	OldLimit = wire.SettingMaxTokens
)

var limits = [...]string{NewLimit, OldLimit}

// limitField returns the member for the output limit; "" if the body sets the limit or removes
// that member. If a server has refused one of the names, the other is used, unless the request
// sets the name.
func limitField(r *wire.Request) string {
	field := r.LimitField
	switch {
	case field != "":
	case !r.Without.Has(NewLimit):
		field = NewLimit
	case !r.Without.Has(OldLimit):
		field = OldLimit
	default:
		return ""
	}
	for _, name := range limits {
		if value, said := r.Body[name]; said && (value != nil || name == field) {
			return ""
		}
	}
	return field
}

// message is a message as it is written. Only a message with tool calls may have no content.
type message struct {
	Role       wire.Role `json:"role"`
	Content    any       `json:"content,omitempty"`
	ToolCalls  []call    `json:"tool_calls,omitempty"`
	ToolCallID string    `json:"tool_call_id,omitempty"`
	reasoned             // unchanged
}

type call struct {
	ID       string          `json:"id"`
	Type     openai.ToolType `json:"type"`
	Function function        `json:"function"`
	Extra    jsontext.Value  `json:"extra_content,omitempty"` // unchanged
}

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Encode implements wire.Codec.
func (Codec) Encode(r *wire.Request) ([]byte, error) {
	if err := wire.WriteEach(r.Messages, func(m *wire.Message) ([]byte, error) { return wire.Write(messageOf(m)) }); err != nil {
		return nil, err
	}
	said := func(name string) bool { _, said := r.Body[name]; return said }
	var all wire.Object
	all.Put("messages", wire.List(r.Messages))
	all.PutSome("tools", toolsOf(r.Tools))
	if len(r.Tools) > 0 { // servers refuse this setting without tools
		all.PutSome("parallel_tool_calls", r.Parallel)
	}
	if !said("seed") {
		all.PutSome("seed", r.Seed)
	}
	if field := limitField(r); field != "" && !r.Fixed {
		all.PutSome(field, r.MaxOutput)
	}
	if r.Draws && !said("modalities") {
		all.Put("modalities", []string{"image", "text"})
	}
	return all.Write(settings(r))
}

// settings returns the members of a request other than the conversation and the tools.
func settings(r *wire.Request) wire.Fields {
	all := wire.Fields{"model": r.Model, "stream": r.Stream}
	if r.Stream && !r.Without.Has(wire.SettingUsage) {
		all["stream_options"] = openai.StreamOptions{IncludeUsage: true}
	}
	all.PutSome("temperature", r.Temperature)
	all.PutSome("top_p", r.TopP)
	all.PutSome("stop", r.Stop)
	if field := limitField(r); r.Fixed && field != "" {
		all.PutSome(field, r.MaxOutput)
	}
	all.PutSome("reasoning_effort", r.Effort)
	all.PutSome("verbosity", r.Verbosity)
	if r.Format != nil {
		all["response_format"] = formatOf(r.Format)
	}
	if len(r.Tools) > 0 {
		all.PutSome("tool_choice", choiceOf(r.Choice))
	}
	for name, value := range r.Body {
		all[name] = value
		if value == nil || r.Without.Has(name) {
			delete(all, name)
		}
	}
	return all
}

func choiceOf(c wire.Choice) any {
	switch {
	case c.Function != "":
		return openai.ToolChoice{Type: openai.ToolTypeFunction, Function: openai.ToolFunction{Name: c.Function}}
	case c.Mode != "":
		return c.Mode
	}
	return nil
}

// format is the format of an answer. go-openai's type is not used because it always writes
// strict.
type format struct {
	Type   openai.ChatCompletionResponseFormatType `json:"type"`
	Schema *wire.Format                            `json:"json_schema,omitempty"`
}

func formatOf(f *wire.Format) format {
	if f.Schema == nil && f.Name == "" {
		return format{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
	}
	return format{openai.ChatCompletionResponseFormatTypeJSONSchema, f}
}

func toolsOf(offered []wire.Tool) (all []tool) {
	for _, t := range offered {
		all = append(all, tool{openai.ToolTypeFunction, openai.FunctionDefinition{
			Name: t.Name, Description: t.Description, Parameters: t.Schema(), Strict: t.Strict != nil && *t.Strict,
		}})
	}
	return all
}

// tool is a tool as it is offered. Recordings depend on the type coming first; go-openai's type
// sorts members by name.
type tool struct {
	Type     openai.ToolType           `json:"type"`
	Function openai.FunctionDefinition `json:"function"`
}

// messageOf returns a message as it is written. A user's message with parts has its members
// sorted by name, because recordings depend on it.
func messageOf(m *wire.Message) any {
	if m.Role == wire.User && len(m.Parts) > 0 {
		return map[string]any{"role": m.Role, "content": partsOf(m)}
	}
	w := message{Role: m.Role, ToolCallID: m.ToolCallID}
	var replay replay
	if raw := m.ReplayIn(wire.Chat); raw != nil && json.Unmarshal(raw, &replay) == nil {
		w.reasoned = replay.reasoned
	}
	switch {
	case len(m.Parts) > 0:
		w.Content = partsOf(m)
	case m.Content != "" || len(m.ToolCalls) == 0:
		w.Content = &m.Content
	}
	w.ToolCalls = callsOf(m)
	for i, extra := range replay.Extra[:min(len(replay.Extra), len(w.ToolCalls))] {
		if string(extra) != "null" {
			w.ToolCalls[i].Extra = extra
		}
	}
	return w
}

func callsOf(m *wire.Message) (all []call) {
	for _, c := range m.ToolCalls {
		all = append(all, call{ID: c.ID, Type: openai.ToolTypeFunction, Function: function{c.Name, c.Arguments}})
	}
	return all
}

func partsOf(m *wire.Message) []any {
	var parts []any
	for _, p := range m.AllParts() {
		if p.Address == "" {
			parts = append(parts, map[string]string{"type": "text", "text": p.Text})
			continue
		}
		shown := map[string]string{"url": string(p.Address)}
		if p.Detail != "" {
			shown["detail"] = p.Detail
		}
		parts = append(parts, map[string]any{"type": "image_url", "image_url": shown})
	}
	return parts
}

// Overlay implements wire.Codec.
func (Codec) Overlay(r *wire.Request, members wire.Members) ([]byte, error) {
	own := settings(r)
	all := maps.Clone(members)
	_, chosen := r.Body["temperature"]
	if own["temperature"] == nil { // the model supports none
		delete(all, "temperature")
	}
	for _, setting := range r.Without {
		delete(all, setting)
	}
	if _, said := all["temperature"]; said && r.Usual && !chosen {
		delete(own, "temperature")
	}
	if r.Recall != nil {
		recalled, err := recallIn(all["messages"], r.Recall)
		if err != nil {
			return nil, err
		}
		all["messages"] = recalled
	}
	layLimit(r, all)
	if _, said := r.Body["seed"]; r.Seed != nil && !said {
		all["seed"] = fmt.Append(nil, *r.Seed)
	}
	for name, value := range r.Body {
		if value == nil { // the server refuses this setting
			delete(all, name)
		}
	}
	if own["stream_options"] != nil { // another client's stay
		delete(own, "stream_options")
		if err := all.Lay(map[string]any{"stream_options": map[string]any{"include_usage": true}}); err != nil {
			return nil, err
		}
	}
	for name, value := range own {
		raw, err := wire.Write(value)
		if err != nil {
			return nil, err
		}
		all[name] = raw
	}
	return all.Write()
}

// layLimit sets the output limit in another client's request: r's limit if it has one,
// otherwise the client's own, under the name that the server knows.
func layLimit(r *wire.Request, all wire.Members) {
	field := limitField(r)
	wanted := field != "" && r.MaxOutput > 0 && !r.Fixed
	decided := field == "" || r.Fixed
	for _, name := range limits {
		limit, said := all[name]
		switch {
		case !said:
		case decided || wanted:
			delete(all, name)
		case r.LimitField != "" && name != field:
			delete(all, name)
			all[field] = limit
		}
	}
	if wanted {
		all[field] = fmt.Append(nil, r.MaxOutput)
	}
}

// recallIn adds what the server sent with the model's turns to another client's messages.
// Messages that already contain their reasoning are not changed. Neither are unreadable ones,
// which the server will refuse.
func recallIn(raw json.RawMessage, recall func(string, []wire.ToolCall) *wire.Replay) (json.RawMessage, error) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return raw, nil
	}
	changed := false
	for i, message := range list {
		if !bytes.Contains(message, []byte(`"assistant"`)) || bytes.Contains(message, []byte(`"reasoning`)) {
			continue
		}
		var said heardMessage
		if wire.Lenient(message, &said) != nil || said.Role != wire.Assistant {
			continue
		}
		m, err := said.message()
		if err != nil {
			continue
		}
		if m.Replay = recall(m.Content, m.ToolCalls); m.Replay == nil || m.Replay.API != wire.Chat {
			continue
		}
		if list[i], err = wire.Write(messageOf(&m)); err != nil {
			return nil, err
		}
		changed = true
	}
	if !changed {
		return raw, nil
	}
	return wire.Write(list)
}
