// Package chat is the codec of OpenAI's chat completions, which most servers speak.
//
// go-openai's types are the wire types where they fit: tools and the choice among them, the
// form of an answer, errors, usage and the pieces of calls that are written. Messages and
// answers have types here. go-openai's leave out members that servers and clients insist on
// (the content of an empty message, a temperature of 0, empty arguments), have no place for
// further ones (reasoning of OpenRouter, Google's signatures, pictures), and are encoded
// again with every turn, while here a message of a conversation is written once.
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

// NewLimit and OldLimit are the names that servers have for the output limit.
const (
	NewLimit = "max_completion_tokens"
	OldLimit = wire.SettingMaxTokens
)

var limits = [...]string{NewLimit, OldLimit}

// limitField is the member that an output limit is sent under; "" if the body sets the
// limit itself, or leaves that member out. A server that has refused one of the names is
// sent the other, unless the request names it.
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

// message is one as it is written. Only one with tool calls may be without content.
type message struct {
	Role       wire.Role `json:"role"`
	Content    any       `json:"content,omitempty"`
	ToolCalls  []call    `json:"tool_calls,omitempty"`
	ToolCallID string    `json:"tool_call_id,omitempty"`
	reasoned             // as it came
}

type call struct {
	ID       string          `json:"id"`
	Type     openai.ToolType `json:"type"`
	Function function        `json:"function"`
	Extra    jsontext.Value  `json:"extra_content,omitempty"` // as it came
}

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// roomForMessage is about what a message needs around its text, in bytes.
const roomForMessage = 64

// Encode implements wire.Codec.
func (Codec) Encode(r *wire.Request) ([]byte, error) {
	settings, err := wire.Write(settings(r))
	if err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	b, err := writeMessages(r.Messages, len(settings))
	if err != nil {
		return nil, err
	}
	b.WriteByte(']')
	if len(r.Tools) > 0 {
		if err := writeTools(b, r); err != nil {
			return nil, err
		}
	}
	if _, said := r.Body["seed"]; r.Seed != nil && !said {
		fmt.Fprintf(b, `,"seed":%d`, *r.Seed)
	}
	if field := limitField(r); field != "" && r.MaxOutput > 0 && !r.Fixed {
		fmt.Fprintf(b, `,%q:%d`, field, r.MaxOutput)
	}
	if _, said := r.Body["modalities"]; r.Draws && !said {
		b.WriteString(`,"modalities":["image","text"]`)
	}
	b.WriteByte(',')
	b.Write(settings[1:])
	return b.Bytes(), nil
}

// settings are the members of a request other than the conversation and the tools.
func settings(r *wire.Request) map[string]any {
	all := map[string]any{"model": r.Model, "stream": r.Stream}
	if r.Stream && !r.Without.Has(wire.SettingUsage) {
		all["stream_options"] = openai.StreamOptions{IncludeUsage: true}
	}
	if r.Temperature != nil {
		all["temperature"] = *r.Temperature
	}
	if r.TopP != nil {
		all["top_p"] = *r.TopP
	}
	if r.Stop != nil {
		all["stop"] = r.Stop
	}
	if field := limitField(r); r.MaxOutput > 0 && r.Fixed && field != "" {
		all[field] = r.MaxOutput
	}
	if r.Effort != "" {
		all["reasoning_effort"] = r.Effort
	}
	if r.Verbosity != "" {
		all["verbosity"] = r.Verbosity
	}
	if r.Format != nil {
		all["response_format"] = formatOf(r.Format)
	}
	if choice := choiceOf(r.Choice); choice != nil && len(r.Tools) > 0 {
		all["tool_choice"] = choice
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

// format is the form of an answer; of go-openai's type the schema always says if it is strict.
type format struct {
	Type   openai.ChatCompletionResponseFormatType `json:"type"`
	Schema *schema                                 `json:"json_schema,omitempty"`
}

type schema struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"`
	Strict      *bool           `json:"strict,omitempty"`
}

func formatOf(f *wire.Format) format {
	if f.Schema == nil && f.Name == "" {
		return format{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
	}
	return format{openai.ChatCompletionResponseFormatTypeJSONSchema, &schema{f.Name, f.Description, f.Schema, f.Strict}}
}

// writeMessages begins a request with its messages, in one buffer that has room for so many
// bytes of settings. A conversation is long and only its end is new, so the encoded messages
// of the first request are slices of that request, and those of later ones are copies.
func writeMessages(messages []wire.Message, settings int) (*bytes.Buffer, error) {
	first, size := true, settings+wire.RoomForTools
	for i := range messages {
		m := &messages[i]
		first = first && m.Written == nil
		size += max(len(m.Written), len(m.Content)+len(m.Content)/8) + roomForMessage
	}
	b := bytes.NewBuffer(make([]byte, 0, size))
	b.WriteString(`{"messages":[`)
	ends := make([]int, len(messages))
	for i := range messages {
		if i > 0 {
			b.WriteByte(',')
		}
		m := &messages[i]
		switch {
		case m.Written != nil:
			b.Write(m.Written)
		case first:
			if err := wire.WriteTo(b, messageOf(m)); err != nil {
				return nil, err
			}
		default:
			raw, err := wire.Write(messageOf(m))
			if err != nil {
				return nil, err
			}
			m.Written = raw
			b.Write(raw)
		}
		ends[i] = b.Len()
	}
	if first {
		written, start := b.Bytes(), len(`{"messages":[`)
		for i, end := range ends {
			messages[i].Written = written[start:end:end]
			start = end + len(",")
		}
	}
	return b, nil
}

func writeTools(b *bytes.Buffer, r *wire.Request) error {
	tools := make([]openai.Tool, len(r.Tools))
	for i, t := range r.Tools {
		tools[i] = openai.Tool{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{Name: t.Name, Description: t.Description, Parameters: t.Schema(), Strict: t.Strict != nil && *t.Strict}}
	}
	raw, err := wire.Write(tools)
	if err != nil {
		return err
	}
	b.WriteString(`,"tools":`)
	b.Write(raw)
	if r.Parallel != nil { // servers refuse it where there are no tools
		fmt.Fprintf(b, `,"parallel_tool_calls":%t`, *r.Parallel)
	}
	return nil
}

// messageOf is a message as it is written. A user's with parts has its members in the order
// of their names, as recordings know it.
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
	for i, c := range m.ToolCalls {
		written := call{ID: c.ID, Type: openai.ToolTypeFunction, Function: function{c.Name, c.Arguments}}
		if i < len(replay.Extra) && string(replay.Extra[i]) != "null" {
			written.Extra = replay.Extra[i]
		}
		w.ToolCalls = append(w.ToolCalls, written)
	}
	return w
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
	if own["temperature"] == nil { // the model takes none
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
		if value == nil { // what the server does not take
			delete(all, name)
		}
	}
	if own["stream_options"] != nil {
		own["stream_options"] = streamOptions(members["stream_options"])
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

// streamOptions are another client's, with the usage, which has to be counted.
func streamOptions(raw json.RawMessage) map[string]any {
	options := map[string]any{}
	if len(raw) <= wire.MaxSetting {
		_ = json.Unmarshal(raw, &options) // what is no object says nothing
	}
	if options == nil {
		options = map[string]any{}
	}
	options["include_usage"] = true
	return options
}

// layLimit sets the output limit of another client's request: its own, under the
// name that the server knows, unless r has one.
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

// recallIn puts what the server sent of the model's turns into another client's messages.
// A message that has its reasoning already stays as it is, and so does what cannot be read,
// for the server to refuse.
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
