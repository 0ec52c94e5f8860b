// Package gemini is the codec of Google's generateContent.
//
// Its server signs what a model thought into the parts of a turn, and refuses a conversation
// without the signatures. Calls need no identifiers: those without one are answered in
// order. Model and method stand in the address of a request, so Decode does not find them.
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

// madeID begins the identifiers that agentd gives to calls, of which the server's own need
// none.
const madeID = "agentd_call_"

// Unsigned stands for the signature of a call that the server did not make, as Google's
// documentation has it.
const Unsigned = "skip_thought_signature_validator"

const jsonType = "application/json"

// Encode implements wire.Codec.
func (Codec) Encode(r *wire.Request) ([]byte, error) {
	names := map[string]string{} // of functions, by the identifiers of calls
	for i := range r.Messages {
		for _, call := range r.Messages[i].ToolCalls {
			names[call.ID] = call.Name
		}
	}
	if err := wire.WriteParts(r.Messages, wire.Gemini, func(m *wire.Message) []part { return partsOf(m, names) }); err != nil {
		return nil, err
	}
	said, contents, _ := wire.Turns(r.Messages, "parts", "model", func(before, next wire.Role) bool {
		return before == wire.ToolRole && next == wire.ToolRole // the answers to the calls of a turn
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

// seedOf is as much of the seed as the server knows.
func seedOf(r *wire.Request) int32 { return int32(*r.Seed & 0x7fffffff) }

// Overlay implements wire.Codec.
func (Codec) Overlay(r *wire.Request, members wire.Members) ([]byte, error) {
	var own struct {
		Temperature json.RawMessage `json:"temperature"`
	}
	if raw := members["generationConfig"]; len(raw) <= wire.MaxSetting {
		_ = json.Unmarshal(raw, &own) // what is no object has none
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

// callingConfig is which function the model is to call; nil for its own choice.
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

// thinkingOf returns how an effort is asked for; nil for nothing.
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

// function is one that is offered.
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

// part is one of a content, as it is written.
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

// partsOf are the parts of a message. names are those of the functions that were called.
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

// partOf is a text, or a picture.
func partOf(p *wire.Part) part {
	if p.Address == "" {
		return part{Text: &p.Text}
	}
	if kind, data, ok := p.Address.Data(); ok {
		return part{Inline: &inline{kind, data}}
	}
	return part{File: &file{string(p.Address)}}
}

// callsOf are the calls of a turn. The server signs the first one.
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

// given is a call's identifier if it is the server's own, otherwise "".
func given(id string) string {
	if strings.HasPrefix(id, madeID) {
		return ""
	}
	return id
}
