// Package gemini is the codec of Google's generateContent.
//
// Its server signs what a model thought into the parts of a turn, and refuses a conversation
// without the signatures. Calls need no identifiers: those without one are answered in
// order. Model and method stand in the address of a request, so Decode does not find them.
package gemini

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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
	system, contents, err := contentsOf(r.Messages)
	if err != nil {
		return nil, err
	}
	config := map[string]any{}
	if r.Temperature != nil {
		config["temperature"] = *r.Temperature
	}
	if r.TopP != nil {
		config["topP"] = *r.TopP
	}
	if r.Stop != nil {
		config["stopSequences"] = r.Stop
	}
	if thinking := thinkingOf(r); thinking != nil {
		config["thinkingConfig"] = thinking
	}
	if r.MaxOutput > 0 {
		config["maxOutputTokens"] = r.MaxOutput
	}
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
	all.Put("contents", contents)
	all.Put("systemInstruction", system)
	all.Put("generationConfig", config)
	if len(r.Tools) > 0 {
		tools, err := toolsOf(r.Tools)
		if err != nil {
			return nil, err
		}
		all.Put("tools", tools)
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
	config := map[string]any{}
	r.LayTemperature(config, own.Temperature, false)
	if r.MaxOutput > 0 {
		config["maxOutputTokens"] = r.MaxOutput
	}
	if r.Seed != nil {
		config["seed"] = seedOf(r)
	}
	if r.Effort != "" {
		config["thinkingConfig"] = thinkingOf(r)
	}
	all := maps.Clone(members)
	if err := errors.Join(all.Lay(map[string]any{"generationConfig": config}), all.Lay(r.Body)); err != nil {
		return nil, err
	}
	return all.Write()
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
	config := map[string]any{}
	if r.Summary {
		config["includeThoughts"] = true
	}
	switch {
	case r.Budget > 0:
		config["thinkingBudget"] = r.Budget
	case r.Effort != "":
		config["thinkingLevel"] = r.Effort
	}
	if len(config) == 0 {
		return nil
	}
	return config
}

// function is one that is offered.
type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parametersJsonSchema"`
	Strict      *bool           `json:"strict,omitempty"`
}

func toolsOf(offered []wire.Tool) (json.RawMessage, error) {
	all := make([]function, len(offered))
	for i, t := range offered {
		all[i] = function{Name: t.Name, Description: t.Description, Parameters: t.Schema()}
	}
	return wire.Write([]any{map[string]any{"functionDeclarations": all}})
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

// contentsOf returns the system's messages as one, and the others as contents. The answers
// to the calls of a turn are one content.
func contentsOf(list []wire.Message) (system any, contents json.RawMessage, err error) {
	names := map[string]string{} // of functions, by the identifiers of calls
	for i := range list {
		for _, call := range list[i].ToolCalls {
			names[call.ID] = call.Name
		}
	}
	err = wire.WriteEach(list, func(m *wire.Message) ([]byte, error) { return partsOf(m, names) })
	if err != nil {
		return nil, nil, err
	}
	size := 0
	for i := range list {
		size += len(list[i].Written) + len(`{"role":"model","parts":[]},`)
	}
	var said []string
	b := bytes.NewBuffer(make([]byte, 0, size))
	b.WriteByte('[')
	open := false
	before := wire.Role("")
	for i := range list {
		m := &list[i]
		if m.Role == wire.System {
			said = append(said, m.Text("\n\n"))
			continue
		}
		if len(m.Written) == 0 {
			continue
		}
		if open && m.Role == wire.ToolRole && before == wire.ToolRole {
			b.WriteByte(',')
		} else {
			if open {
				b.WriteString("]},")
			}
			role := "user"
			if m.Role == wire.Assistant {
				role = "model"
			}
			fmt.Fprintf(b, `{"role":%q,"parts":[`, role)
		}
		open, before = true, m.Role
		b.Write(m.Written)
	}
	if open {
		b.WriteString("]}")
	}
	b.WriteByte(']')
	if len(said) > 0 {
		system = map[string]any{"parts": []any{map[string]string{"text": strings.Join(said, "\n\n")}}}
	}
	return system, b.Bytes(), nil
}

// partsOf writes a message as parts with commas between them: the model's as the server
// sent them, if that is known. names are those of the functions that were called.
func partsOf(m *wire.Message, names map[string]string) ([]byte, error) {
	if m.Role == wire.Assistant {
		if raw := m.ReplayIn(wire.Gemini); raw != nil {
			return wire.Elements(raw), nil
		}
	}
	var all []part
	switch {
	case m.Role == wire.System:
		return nil, nil
	case m.Role == wire.ToolRole:
		all = append(all, part{Response: &response{given(m.ToolCallID), names[m.ToolCallID], map[string]string{"output": m.Text("\n")}}})
	case m.Content != "":
		all = append(all, part{Text: &m.Content})
	}
	if m.Role != wire.ToolRole {
		for i := range m.Parts {
			all = append(all, partOf(&m.Parts[i]))
		}
	}
	all = append(all, callsOf(m, Unsigned)...)
	if len(all) == 0 {
		return nil, nil
	}
	raw, err := wire.Write(all)
	return wire.Elements(raw), err
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
