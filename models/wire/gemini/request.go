// Package gemini is the codec of Google's generateContent.
//
// Google's server signs the model's reasoning within the parts of a turn, and refuses a
// conversation without these signatures. Calls need no identifiers: results of calls without
// them are matched by order. Decode does not set the model, because model and method are part
// of the address.
package gemini

import (
	"encoding/json"
	"strings"

	"agentd/models/wire"
)

// Codec is the dialect's codec.
type Codec struct{}

// API implements wire.Codec.
func (Codec) API() wire.API { return wire.Gemini }

// Sampling implements wire.Codec.
func (Codec) Sampling() []string {
	return []string{
		"generationConfig.temperature", "generationConfig.topP", "generationConfig.topK", "generationConfig.maxOutputTokens",
		"generationConfig.presencePenalty", "generationConfig.frequencyPenalty",
		"generationConfig.thinkingConfig.thinkingBudget", "generationConfig.thinkingConfig.thinkingLevel",
	}
}

// madeID is the prefix of identifiers that agentd gives to calls which have none.
const madeID = "agentd_call_"

// Unsigned replaces the signature of a call that the server did not make, as described in
// Google's documentation.
const Unsigned = "skip_thought_signature_validator"

const jsonType = "application/json"

// Encode implements wire.Codec.
func (Codec) Encode(r *wire.Request) ([]byte, error) {
	names := map[string]string{} // names of functions, by call identifier
	for i := range r.Messages {
		for _, call := range r.Messages[i].ToolCalls {
			names[call.ID] = call.Name
		}
	}
	if err := wire.WriteParts(r.Messages, wire.Gemini, func(m *wire.Message) []part { return partsOf(m, names) }); err != nil {
		return nil, err
	}
	said, contents, _ := wire.Turns(r.Messages, "parts", "model", func(before, next wire.Role) bool {
		return before == wire.ToolRole && next == wire.ToolRole // results of one turn's calls
	})
	config := wire.Fields{}
	config.PutSome("temperature", r.Temperature)
	config.PutSome("topP", r.TopP)
	config.PutSome("stopSequences", r.Stop)
	config.PutSome("thinkingConfig", thinkingOf(r))
	config.PutSome("maxOutputTokens", r.MaxOutput)
	if r.Draws {
		config["responseModalities"] = []string{"TEXT", "IMAGE"}
	}
	if r.Seed != nil {
		config["seed"] = seedOf(r)
	}
	if r.Format != nil {
		config["responseMimeType"] = jsonType
	}
	var all wire.Object
	all.Put("contents", json.RawMessage(contents))
	var system any
	if said != "" {
		system = map[string]any{"parts": []any{map[string]string{"text": said}}}
	}
	all.Put("systemInstruction", system)
	all.Put("generationConfig", map[string]any(config))
	if len(r.Tools) > 0 {
		all.Put("tools", toolsOf(r.Tools))
		all.Put("toolConfig", callingConfig(r.Choice))
	}
	return all.Write(r.Body)
}

// seedOf returns the lower 31 bits of the seed, which is all that the server accepts.
func seedOf(r *wire.Request) int32 { return int32(*r.Seed & 0x7fffffff) }

// Overlay implements wire.Codec.
func (Codec) Overlay(r *wire.Request, members wire.Members) ([]byte, error) {
	var own struct {
		Temperature json.RawMessage `json:"temperature"`
	}
	if raw := members["generationConfig"]; len(raw) <= wire.MaxSetting {
		_ = json.Unmarshal(raw, &own) // anything but an object is ignored
	}
	config := wire.Fields{}
	r.LayTemperature(config, own.Temperature, false)
	config.PutSome("maxOutputTokens", r.MaxOutput)
	if r.Seed != nil {
		config["seed"] = seedOf(r)
	}
	if r.Effort != "" {
		config["thinkingConfig"] = thinkingOf(r)
	}
	return members.Over(map[string]any{"generationConfig": map[string]any(config)}, r.Body)
}

// callingConfig returns the tool choice; nil leaves it to the server.
func callingConfig(c wire.Choice) any {
	config := map[string]any{}
	switch {
	case c.Function != "":
		config["mode"], config["allowedFunctionNames"] = "ANY", []string{c.Function}
	case c.Mode == wire.Must:
		config["mode"] = "ANY"
	case c.Mode == wire.Never:
		config["mode"] = "NONE"
	default:
		return nil
	}
	return map[string]any{"functionCallingConfig": config}
}

// thinkingOf returns the setting for an effort; nil for none.
func thinkingOf(r *wire.Request) any {
	config := wire.Fields{}
	config.PutSome("includeThoughts", r.Summary)
	config.PutSome("thinkingBudget", r.Budget)
	if r.Budget <= 0 {
		config.PutSome("thinkingLevel", r.Effort)
	}
	if len(config) == 0 {
		return nil
	}
	return map[string]any(config)
}

// function is a function that is offered.
type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parametersJsonSchema"`
	Strict      *bool           `json:"strict,omitempty"`
}

func toolsOf(offered []wire.Tool) any {
	all := make([]function, len(offered))
	for i, t := range offered {
		all[i] = function{Name: t.Name, Description: t.Description, Parameters: t.Schema()}
	}
	return []any{map[string]any{"functionDeclarations": all}}
}

// part is a part of a content, as it is written.
type part struct {
	Text      *string   `json:"text,omitempty"`
	Thought   bool      `json:"thought,omitempty"`
	Inline    *inline   `json:"inlineData,omitempty"`
	File      *file     `json:"fileData,omitempty"`
	Call      *call     `json:"functionCall,omitempty"`
	Response  *response `json:"functionResponse,omitempty"`
	Signature string    `json:"thoughtSignature,omitempty"`
}

type inline struct {
	Type string `json:"mimeType"`
	Data string `json:"data"`
}

type file struct {
	URI string `json:"fileUri"`
}

type call struct {
	ID   string          `json:"id,omitempty"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

type response struct {
	ID       string            `json:"id,omitempty"`
	Name     string            `json:"name"`
	Response map[string]string `json:"response"`
}

// partsOf returns the parts of a message. names are the called functions, by call identifier.
func partsOf(m *wire.Message, names map[string]string) (all []part) {
	switch m.Role {
	case wire.System:
		return nil
	case wire.ToolRole:
		all = append(all, part{Response: &response{given(m.ToolCallID), names[m.ToolCallID], map[string]string{"output": m.Text("\n")}}})
	default:
		for _, p := range m.AllParts() {
			all = append(all, partOf(&p))
		}
	}
	return append(all, callsOf(m, Unsigned)...)
}

// partOf returns a text or a picture.
func partOf(p *wire.Part) part {
	if p.Address == "" {
		return part{Text: &p.Text}
	}
	if kind, data, ok := p.Address.Data(); ok {
		return part{Inline: &inline{kind, data}}
	}
	return part{File: &file{string(p.Address)}}
}

// callsOf returns the calls of a turn. The signature belongs to the first one.
func callsOf(m *wire.Message, signature string) (all []part) {
	for i := range m.ToolCalls {
		c := &m.ToolCalls[i]
		one := part{Call: &call{given(c.ID), c.Name, c.Object()}}
		if i == 0 {
			one.Signature = signature
		}
		all = append(all, one)
	}
	return all
}

// given returns a call's identifier if the server gave it, otherwise "".
func given(id string) string {
	if strings.HasPrefix(id, madeID) {
		return ""
	}
	return id
}
