// Package responses is the codec of OpenAI's Responses API.
//
// A conversation is a list of items: messages, calls, their results and the model's reasoning,
// which the server encrypts. As a client, agentd stores nothing at the server and sends the
// whole conversation. As a server, it may store conversations in a Store; requests can then
// name them instead of sending them again.
package responses

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"agentd/models/wire"
)

// Codec is the dialect's codec.
type Codec struct {
	// Store holds the conversations that a server is asked to store; nil if it stores none.
	Store *Store
}

// API implements wire.Codec.
func (Codec) API() wire.API { return wire.Responses }

// Sampling implements wire.Codec.
func (Codec) Sampling() []string {
	return []string{"temperature", "top_p", "max_output_tokens", "reasoning.effort", "text.verbosity"}
}

// Encode implements wire.Codec.
func (Codec) Encode(r *wire.Request) ([]byte, error) {
	if err := wire.WriteParts(r.Messages, wire.Responses, itemsOf); err != nil {
		return nil, err
	}
	over := map[string]any{}
	r.LayTemperature(over, nil, r.Reasons)
	var all wire.Object
	all.Put("model", r.Model)
	all.Put("tools", toolsOf(r.Tools))
	all.Put("input", wire.List(r.Messages))
	all.Put("store", false)
	all.Put("stream", r.Stream)
	all.Put("temperature", over["temperature"])
	all.PutSome("top_p", r.TopP)
	all.Put("tool_choice", choiceOf(r))
	all.PutSome("max_output_tokens", r.MaxOutput)
	if r.Encrypted {
		all.Put("include", []string{encrypted})
	}
	reasoning := wire.Fields{}
	reasoning.PutSome("effort", r.Effort)
	if r.Summary {
		reasoning["summary"] = "auto"
	}
	if len(reasoning) > 0 {
		all.Put("reasoning", map[string]any(reasoning))
	}
	if len(r.Tools) > 0 {
		all.PutSome("parallel_tool_calls", r.Parallel)
	}
	if r.Format != nil {
		all.Put("text", map[string]any{"format": map[string]string{"type": jsonObject}})
	}
	return all.Write(r.Body)
}

const (
	// encrypted asks for the reasoning, which only the server can read.
	encrypted  = "reasoning.encrypted_content"
	jsonObject = "json_object"
	jsonSchema = "json_schema"
)

// Overlay implements wire.Codec. Nothing is stored at the server.
func (Codec) Overlay(r *wire.Request, members wire.Members) ([]byte, error) {
	over := wire.Fields{"model": r.Model, "stream": r.Stream, "store": false}
	over.PutSome("max_output_tokens", r.MaxOutput)
	if r.Effort != "" {
		over["reasoning"] = map[string]any{"effort": r.Effort}
	}
	r.LayTemperature(over, members["temperature"], r.Reasons || members["reasoning"] != nil)
	if members["tools"] != nil {
		over.PutSome("parallel_tool_calls", r.Parallel)
	}
	return members.Over(over, r.Body)
}

// choiceOf returns the tool choice; nil leaves it to the server.
func choiceOf(r *wire.Request) any {
	switch {
	case len(r.Tools) == 0 || r.Choice == (wire.Choice{}):
		return nil
	case r.Choice.Function != "":
		return map[string]string{"type": "function", "name": r.Choice.Function}
	}
	return r.Choice.Mode
}

// tool is a tool that is offered.
type tool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
	Strict      *bool           `json:"strict"`
}

func toolsOf(offered []wire.Tool) any {
	if len(offered) == 0 {
		return nil
	}
	all := make([]tool, len(offered))
	for i, t := range offered {
		all[i] = tool{"function", t.Name, t.Description, t.Schema(), new(false)}
	}
	return all
}

// item is an item, as it is written.
type item struct {
	Type      string    `json:"type,omitempty"`
	Role      wire.Role `json:"role,omitempty"`
	Content   any       `json:"content,omitempty"`
	CallID    string    `json:"call_id,omitempty"`
	Name      string    `json:"name,omitempty"`
	Arguments *string   `json:"arguments,omitempty"`
	Output    *string   `json:"output,omitempty"`
}

// itemsOf returns the items of a message.
func itemsOf(m *wire.Message) (all []item) {
	switch {
	case m.Role == wire.ToolRole:
		all = append(all, item{Type: functionOutput, CallID: m.ToolCallID, Output: new(m.Text("\n"))})
	case len(m.Parts) > 0:
		var parts []any
		for _, p := range m.AllParts() {
			if p.Address == "" {
				parts = append(parts, map[string]string{"type": inputText, "text": p.Text})
				continue
			}
			parts = append(parts, map[string]string{"type": inputImage, "image_url": string(p.Address)})
		}
		all = append(all, item{Role: m.Role, Content: parts})
	case m.Content != "":
		all = append(all, item{Role: m.Role, Content: m.Content})
	}
	for i := range m.ToolCalls {
		call := &m.ToolCalls[i]
		all = append(all, item{Type: functionCall, CallID: call.ID, Name: call.Name, Arguments: &call.Arguments})
	}
	return all
}

// asked is the part of a request that is needed to encode the answer.
type asked struct {
	created time.Time
	members wire.Members // members that the answer repeats
	tools   offering
	// keep stores the conversation with the answer's items, under the answer's identifier; nil
	// if it is not to be stored.
	keep func(id string, items []map[string]any)
}

// Decode implements wire.Codec.
func (c Codec) Decode(members wire.Members) (*wire.Request, error) {
	own := &asked{created: time.Now(), tools: offering{map[string][2]string{}, map[string]bool{}}}
	head := members.Head()
	r := &head
	r.Own = own
	for _, name := range []string{"conversation", "prompt"} {
		if wire.Given(members[name]) {
			return nil, fmt.Errorf("%s: nothing is stored here that could be named; send input, or previous_response_id", name)
		}
	}
	earlier, added, err := c.Store.conversation(members)
	if err != nil {
		return nil, err
	}
	if err := readInstructions(r, members["instructions"]); err != nil {
		return nil, err
	}
	if err := readItems(r, earlier, added); err != nil {
		return nil, err
	}
	if c.Store != nil && stores(members) {
		own.keep = func(id string, items []map[string]any) { c.Store.keep(id, earlier, added, items) }
	}
	if err := errors.Join(
		wire.Setting("temperature", members["temperature"], &r.Temperature), wire.Setting("top_p", members["top_p"], &r.TopP),
		wire.Setting("max_output_tokens", members["max_output_tokens"], &r.MaxOutput),
		readReasoning(r, members), readText(r, members["text"]), readTools(r, members, &own.tools),
	); err != nil {
		return nil, err
	}
	own.members = short(members)
	return r, nil
}

// maxRepeated limits each member of a request that its response repeats, in bytes.
const maxRepeated = 64 << 10

// short returns copies of the short members, so that the request can be released.
func short(members wire.Members) wire.Members {
	all := wire.Members{}
	for name, value := range members {
		if len(value) <= maxRepeated && name != "input" {
			all[name] = slices.Clone(value)
		}
	}
	return all
}

// readInstructions decodes the request's system message, which is not stored with the
// conversation.
func readInstructions(r *wire.Request, raw json.RawMessage) error {
	if !wire.Given(raw) {
		return nil
	}
	text, err := wire.ReadText("instructions", raw)
	if text != "" {
		r.Messages = append(r.Messages, wire.Message{Role: wire.System, Content: text})
	}
	return err
}

// readReasoning decodes the effort, and which parts of the reasoning the client wants.
func readReasoning(r *wire.Request, members wire.Members) error {
	var reasoning *struct {
		Effort  string `json:"effort"`
		Summary string `json:"summary"`
	}
	if err := wire.Setting("reasoning", members["reasoning"], &reasoning); err != nil {
		return err
	}
	if reasoning != nil {
		r.Effort, r.Reasons, r.Summary = reasoning.Effort, reasoning.Effort != "none", reasoning.Summary != ""
	}
	var include []string
	_ = wire.Setting("include", members["include"], &include) // anything but a list is ignored
	r.Encrypted = slices.Contains(include, encrypted)
	return nil
}

// readText decodes the format of the answer's text.
func readText(r *wire.Request, raw json.RawMessage) error {
	var text struct {
		Format *struct {
			Type string `json:"type"`
			wire.Format
		} `json:"format"`
		Verbosity string `json:"verbosity"`
	}
	if err := wire.Setting("text", raw, &text); err != nil {
		return err
	}
	r.Verbosity = text.Verbosity
	switch f := text.Format; {
	case f == nil || f.Type == "text":
	case f.Type == jsonObject:
		r.Format = &wire.Format{}
	case f.Type == jsonSchema:
		r.Format = &f.Format
	default:
		return fmt.Errorf("text.format.type: %.50q is not text, %s or %s", f.Type, jsonObject, jsonSchema)
	}
	return nil
}

// Results implements wire.Codec.
func (Codec) Results(members wire.Members) (all []wire.Result, err error) {
	if input := members["input"]; len(input) > 0 && input[0] == '"' {
		return nil, nil
	}
	err = members.EachTurn("input", func(_, kind string, raw json.RawMessage) error {
		if strings.HasSuffix(kind, "_output") {
			it := wire.Pick(raw, "call_id", "output")
			all = append(all, wire.Result{ID: wire.Plain(it[0]), Text: it[1]})
		}
		return nil
	})
	return all, err
}
