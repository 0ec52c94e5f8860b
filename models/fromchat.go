package models

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// fromChat reads the messages and tools of another client's chat completion, for a model
// whose server speaks another dialect. Its members stay for the settings among them.
func fromChat(req Request) (Request, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(req.Members["messages"], &list); err != nil {
		return req, fmt.Errorf("reading the messages: %w", err)
	}
	req.Messages, req.Tools = make([]Message, len(list)), nil
	for i, raw := range list {
		m, err := chatMessageOf(raw)
		if err != nil {
			return req, fmt.Errorf("reading the messages: message %d: %w", i, err)
		}
		if m.Role == Assistant && req.Recall != nil {
			m.Replay = req.Recall(m.Content, m.ToolCalls)
		}
		req.Messages[i] = m
	}
	var offered []struct {
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"function"`
	}
	if raw := req.Members["tools"]; raw != nil {
		if err := json.Unmarshal(raw, &offered); err != nil {
			return req, fmt.Errorf("reading the tools: %w", err)
		}
	}
	for _, t := range offered {
		req.Tools = append(req.Tools, Tool{t.Function.Name, t.Function.Description, t.Function.Parameters})
	}
	return req, nil
}

// picture is one that a user shows: an address, or data: with its bytes in base64.
type picture string

// data returns the picture's type and bytes in base64; false if it is an address.
func (p picture) data() (kind, base64 string, ok bool) {
	rest, ok := strings.CutPrefix(string(p), "data:")
	if !ok {
		return "", "", false
	}
	head, base64, ok := strings.Cut(rest, ",")
	return strings.TrimSuffix(head, ";base64"), base64, ok
}

// source is a picture in the words of Messages.
func (p picture) source() any {
	if kind, data, ok := p.data(); ok {
		return map[string]string{"type": "base64", "media_type": kind, "data": data}
	}
	return map[string]string{"type": "url", "url": string(p)}
}

// part is a picture in the words of generateContent.
func (p picture) part() geminiPart {
	if kind, data, ok := p.data(); ok {
		return geminiPart{Inline: map[string]string{"mimeType": kind, "data": data}}
	}
	return geminiPart{File: map[string]string{"fileUri": string(p)}}
}

// chatMessageOf reads a message of a chat completion. A developer's is a system's.
func chatMessageOf(raw json.RawMessage) (Message, error) {
	var said struct {
		Role       Role            `json:"role"`
		Content    json.RawMessage `json:"content"`
		ToolCallID string          `json:"tool_call_id"`
		ToolCalls  []struct {
			ID       string       `json:"id"`
			Function wireFunction `json:"function"`
		} `json:"tool_calls"`
	}
	if err := json.Unmarshal(raw, &said); err != nil {
		return Message{}, err
	}
	m := Message{Role: said.Role, ToolCallID: said.ToolCallID}
	switch m.Role {
	case "developer":
		m.Role = System
	case System, User, Assistant, ToolRole:
	default:
		return Message{}, fmt.Errorf("role %q is none of system, user, assistant and tool", m.Role)
	}
	for _, call := range said.ToolCalls {
		m.ToolCalls = append(m.ToolCalls, ToolCall{call.ID, call.Function.Name, call.Function.Arguments})
	}
	return m, m.readContent(said.Content)
}

// readContent reads a text, or a list of texts and pictures.
func (m *Message) readContent(raw json.RawMessage) error {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	if raw[0] == '"' {
		return json.Unmarshal(raw, &m.Content)
	}
	var parts []struct {
		Type    string `json:"type"`
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
		Image   struct {
			URL string `json:"url"`
		} `json:"image_url"`
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		switch p.Type {
		case "text", "refusal":
			m.Content += p.Text + p.Refusal
		case "image_url":
			m.pictures = append(m.pictures, picture(p.Image.URL))
		default:
			return fmt.Errorf("a part of type %q cannot be sent to the model's server; there are text and image_url", p.Type)
		}
	}
	return nil
}

// choice is which tool another client wants called: a word of chat completions, or a
// function's name; both "" if it does not say.
func (r *Request) choice() (word, function string) {
	raw := r.Members["tool_choice"]
	if json.Unmarshal(raw, &word) == nil {
		return word, ""
	}
	var named struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	}
	_ = json.Unmarshal(raw, &named) // what is neither is not meant
	return "", named.Function.Name
}

// toolChoice is the choice in the words of Responses; nil for none.
func (r *Request) toolChoice() any {
	word, function := r.choice()
	switch {
	case len(r.Tools) == 0 || word == "" && function == "":
		return nil
	case function != "":
		return map[string]string{"type": "function", "name": function}
	}
	return word
}

// callingConfig is the choice in the words of generateContent; nil for none.
func (r *Request) callingConfig() any {
	word, function := r.choice()
	config := map[string]any{}
	switch {
	case function != "":
		config["mode"], config["allowedFunctionNames"] = "ANY", []string{function}
	case word == "required":
		config["mode"] = "ANY"
	case word == "none":
		config["mode"] = "NONE"
	default:
		return nil
	}
	return map[string]any{"functionCallingConfig": config}
}

// wantsJSON reports whether another client asks for a JSON object or more.
func (r *Request) wantsJSON() bool {
	var format struct {
		Type string `json:"type"`
	}
	_ = json.Unmarshal(r.Members["response_format"], &format) // what is no object is not meant
	return slices.Contains([]string{"json_object", "json_schema"}, format.Type)
}

// recallIn puts what the server sent of the model's turns into another client's messages.
// A message that has its reasoning already stays as it is.
func recallIn(raw json.RawMessage, recall func(string, []ToolCall) *Replay) (json.RawMessage, error) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return raw, nil // for the server to refuse
	}
	changed := false
	for i, message := range list {
		if !bytes.Contains(message, []byte(`"assistant"`)) || bytes.Contains(message, []byte(`"reasoning`)) {
			continue
		}
		m, err := chatMessageOf(message)
		if err != nil || m.Role != Assistant {
			continue // likewise
		}
		if m.Replay = recall(m.Content, m.ToolCalls); m.Replay == nil || m.Replay.API != Chat {
			continue
		}
		if list[i], err = writeJSON(wireOf(&m)); err != nil {
			return nil, err
		}
		changed = true
	}
	if !changed {
		return raw, nil
	}
	return writeJSON(list)
}
