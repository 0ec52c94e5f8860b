package chat

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/sashabaranov/go-openai"

	"agentd/models/wire"
)

// Decode implements wire.Codec.
func (Codec) Decode(asked wire.Members) (*wire.Request, error) {
	head := asked.Head()
	r := &head
	var wanted format
	var errs []error
	for name, into := range map[string]any{
		"temperature": &r.Temperature, "top_p": &r.TopP, "reasoning_effort": &r.Effort, "verbosity": &r.Verbosity, "seed": &r.Seed,
		"parallel_tool_calls": &r.Parallel, "response_format": &wanted, OldLimit: &r.MaxOutput,
	} {
		errs = append(errs, wire.Setting(name, asked[name], into))
	}
	errs = append(errs, wire.Setting(NewLimit, asked[NewLimit], &r.MaxOutput), stopIn(r, asked["stop"]), choiceIn(r, asked["tool_choice"]))
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	r.Reasons = r.Effort != "" && r.Effort != "none"
	if wanted.Type != "" && wanted.Type != openai.ChatCompletionResponseFormatTypeText {
		r.Format = &wire.Format{}
		if s := wanted.Schema; s != nil {
			*r.Format = wire.Format(*s)
		}
	}
	if err := toolsIn(r, asked["tools"]); err != nil {
		return nil, err
	}
	if !wire.Given(asked["messages"]) {
		return r, wire.ErrNoMessages
	}
	err := wire.Each("messages", asked["messages"], func(i int, raw json.RawMessage) error {
		m, err := readMessage(fmt.Sprintf("messages[%d]", i), raw)
		r.Messages = append(r.Messages, m)
		return err
	})
	if err == nil && len(r.Messages) == 0 {
		err = wire.ErrNoMessages
	}
	return r, err
}

// stopIn reads a text, or several, at which the answer is to end.
func stopIn(r *wire.Request, raw json.RawMessage) error {
	if len(raw) > 0 && raw[0] == '"' {
		r.Stop = []string{wire.Plain(raw)}
		return nil
	}
	return wire.Setting("stop", raw, &r.Stop)
}

// choiceIn reads a word, or the name of a function.
func choiceIn(r *wire.Request, raw json.RawMessage) error {
	if len(raw) > 0 && raw[0] == '"' {
		r.Choice.Mode = wire.Plain(raw)
		return nil
	}
	var named openai.ToolChoice
	err := wire.Setting("tool_choice", raw, &named)
	r.Choice.Function = named.Function.Name
	return err
}

// toolsIn reads the functions among the tools.
func toolsIn(r *wire.Request, raw json.RawMessage) error {
	if !wire.Given(raw) {
		return nil
	}
	return wire.Each("tools", raw, func(i int, raw json.RawMessage) error {
		path := fmt.Sprintf("tools[%d]", i)
		tool, err := wire.Split(path, raw)
		if err != nil {
			return err
		}
		if kind := wire.Plain(tool["type"]); kind != "" && kind != string(openai.ToolTypeFunction) {
			r.LeftOut = append(r.LeftOut, "a tool of type "+kind)
			return nil
		}
		offered, err := wire.ReadTool(path+".function", tool["function"], "parameters")
		r.Tools = append(r.Tools, offered)
		return err
	})
}

// readMessage reads a message. A developer's is a system's.
func readMessage(path string, raw json.RawMessage) (wire.Message, error) {
	all, err := wire.Split(path, raw)
	if err != nil {
		return wire.Message{}, err
	}
	var m wire.Message
	role := ""
	if err := all.Words(path, map[string]*string{"role": &role, "tool_call_id": &m.ToolCallID}); err != nil {
		return m, err
	}
	switch m.Role = wire.Role(role); m.Role {
	case "developer":
		m.Role = wire.System
	case wire.System, wire.User, wire.Assistant, wire.ToolRole:
	default:
		return m, fmt.Errorf("%s.role: %q is none of system, user, assistant and tool", path, role)
	}
	if m.Reasoning, err = all.Text(path, "reasoning_content"); err != nil {
		return m, err
	}
	if wire.Given(all["tool_calls"]) {
		var calls calls
		if err := wire.Lenient(all["tool_calls"], &calls); err != nil {
			return m, fmt.Errorf("%s.tool_calls: %w", path, err)
		}
		m.ToolCalls = calls.list
	}
	return m, contentIn(&m, path+".content", all["content"])
}

// contentIn reads a text, or a list of texts and pictures.
func contentIn(m *wire.Message, path string, raw json.RawMessage) (err error) {
	if !wire.Given(raw) {
		return nil
	}
	if raw[0] == '"' {
		m.Content, err = wire.ReadText(path, raw)
		return err
	}
	var parts []wire.Part
	err = wire.Each(path, raw, func(i int, raw json.RawMessage) error {
		path := fmt.Sprintf("%s[%d]", path, i)
		part, err := wire.Split(path, raw)
		if err != nil {
			return err
		}
		kind, err := part.Word(path, "type")
		if err != nil {
			return err
		}
		var p wire.Part
		switch kind {
		case "text", "refusal":
			p.Text, err = part.Text(path, kind)
		case "image_url":
			var shown wire.Members
			if shown, err = wire.Split(path+".image_url", part[kind]); err == nil {
				var address string
				address, err = shown.Text(path+".image_url", "url")
				p.Address, p.Detail = wire.Address(address), wire.Plain(shown["detail"])
			}
		default:
			return fmt.Errorf("%s: a part of type %q cannot be sent to the model's server; there are text and image_url", path, kind)
		}
		parts = append(parts, p)
		return err
	})
	m.SetParts(parts)
	return err
}

// Results implements wire.Codec.
func (Codec) Results(asked wire.Members) (all []wire.Result, err error) {
	number := 0
	err = wire.Each("messages", asked["messages"], func(i int, raw json.RawMessage) error {
		number++
		var m struct {
			Role       string `json:"role"`
			ToolCallID string `json:"tool_call_id"`
		}
		if err := wire.Lenient(raw, &m); err != nil {
			return fmt.Errorf("messages[%d] cannot be read: %w", i, err)
		}
		if m.Role != string(wire.ToolRole) {
			return nil
		}
		message, err := wire.Split("messages", raw)
		all = append(all, wire.Result{ID: m.ToolCallID, Text: message["content"]})
		return err
	})
	if err == nil && number == 0 {
		err = wire.ErrNoMessages
	}
	return slices.Clip(all), err
}
