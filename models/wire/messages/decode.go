package messages

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"agentd/models/wire"
)

// Decode implements wire.Codec.
func (Codec) Decode(asked wire.Members) (*wire.Request, error) {
	r := &wire.Request{Usage: true}
	var config struct {
		Effort string `json:"effort"`
	}
	var thinking struct {
		Type   string `json:"type"`
		Budget int    `json:"budget_tokens"`
	}
	var errs []error
	for name, into := range map[string]any{
		"model": &r.Model, "max_tokens": &r.MaxOutput, "temperature": &r.Temperature, "top_p": &r.TopP, "stop_sequences": &r.Stop,
		"output_config": &config, "thinking": &thinking,
	} {
		errs = append(errs, wire.Setting(name, asked[name], into))
	}
	errs = append(errs, toolsIn(r, asked))
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	_ = wire.Setting("stream", asked["stream"], &r.Stream) // values that are no booleans are ignored
	r.Effort, r.Budget, r.Reasons = config.Effort, thinking.Budget, thinking.Type != "" && thinking.Type != "disabled"
	return r, conversationIn(r, asked)
}

// conversationIn reads the messages, the system's first.
func conversationIn(r *wire.Request, asked wire.Members) error {
	if wire.Given(asked["system"]) {
		if err := contentIn(r, "system", asked["system"], wire.System); err != nil {
			return err
		}
	}
	if !wire.Given(asked["messages"]) {
		return wire.ErrNoMessages
	}
	return wire.Each("messages", asked["messages"], func(i int, raw json.RawMessage) error {
		path := fmt.Sprintf("messages[%d]", i)
		m, err := wire.Split(path, raw)
		if err != nil {
			return err
		}
		role, err := m.Word(path, "role")
		if err != nil {
			return err
		}
		if !slices.Contains([]wire.Role{wire.User, wire.Assistant, wire.System}, wire.Role(role)) {
			return fmt.Errorf("%s.role: %q is not user, assistant or system", path, role)
		}
		return contentIn(r, path+".content", m["content"], wire.Role(role))
	})
}

// contentIn reads what a message says: a text, or blocks. Answers to calls are messages of
// their own, which come first.
func contentIn(r *wire.Request, path string, value json.RawMessage, role wire.Role) (err error) {
	said := wire.Message{Role: role}
	switch {
	case !wire.Given(value):
		return fmt.Errorf("%s: there is none", path)
	case value[0] == '"':
		said.Content, err = wire.ReadText(path, value)
		r.Messages = append(r.Messages, said)
		return err
	}
	var parts []wire.Part
	err = wire.Each(path, value, func(i int, raw json.RawMessage) error {
		part, err := blockIn(r, &said, fmt.Sprintf("%s[%d]", path, i), raw)
		if part != (wire.Part{}) {
			parts = append(parts, part)
		}
		return err
	})
	if said.SetParts(parts); len(parts)+len(said.ToolCalls) > 0 || said.Reasoned {
		r.Messages = append(r.Messages, said)
	}
	return err
}

// blockIn reads a block of a message: a part, a call, reasoning, or the answer to a call.
func blockIn(r *wire.Request, said *wire.Message, path string, raw json.RawMessage) (part wire.Part, err error) {
	b, err := wire.Split(path, raw)
	if err != nil {
		return part, err
	}
	kind, err := b.Word(path, "type")
	if err != nil {
		return part, err
	}
	switch kind {
	case "text":
		part.Text, err = b.Text(path, "text")
	case "image":
		part, err = sourceIn(path, b["source"])
	case "tool_use":
		call := wire.ToolCall{Arguments: "{}"}
		err = b.Words(path, map[string]*string{"id": &call.ID, "name": &call.Name})
		if err == nil && (call.ID == "" || call.Name == "") {
			err = fmt.Errorf("%s: the call has no id, or no name", path)
		}
		if wire.Given(b["input"]) {
			call.Arguments = string(b["input"])
		}
		said.ToolCalls = append(said.ToolCalls, call)
	case "tool_result":
		err = resultIn(r, path, b)
	case "thinking":
		said.Reasoned = true
		var thought string
		thought, err = b.Text(path, "thinking")
		said.Reasoning += thought
		said.Signature, _ = b.Text(path, "signature") // one that is no text is none
	case "redacted_thinking":
	default:
		r.LeftOut = append(r.LeftOut, "a block of type "+kind)
	}
	return part, err
}

// sourceIn reads a picture: an address, or its type and its bytes in base64.
func sourceIn(path string, source json.RawMessage) (wire.Part, error) {
	path += ".source"
	all, err := wire.Split(path, source)
	if err != nil {
		return wire.Part{}, err
	}
	address, err := all.Text(path, "url")
	if err != nil || address != "" {
		return wire.Part{Address: wire.Address(address)}, err
	}
	kind, err := all.Word(path, "media_type")
	data, wrong := all.Text(path, "data")
	if err := errors.Join(err, wrong); err != nil {
		return wire.Part{}, err
	}
	return wire.ShownAs(path, kind, data)
}

// resultIn reads the answer to a call.
func resultIn(r *wire.Request, path string, b wire.Members) error {
	answer := wire.Message{Role: wire.ToolRole}
	var err error
	if answer.ToolCallID, err = b.Word(path, "tool_use_id"); err != nil {
		return err
	}
	if answer.ToolCallID == "" {
		return fmt.Errorf("%s: the result has no tool_use_id", path)
	}
	path += ".content"
	switch value := b["content"]; {
	case !wire.Given(value):
	case value[0] == '"':
		answer.Content, err = wire.ReadText(path, value)
	default:
		var parts []wire.Part
		err = wire.Each(path, value, func(i int, raw json.RawMessage) error {
			path := fmt.Sprintf("%s[%d]", path, i)
			part, err := wire.Split(path, raw)
			if err != nil {
				return err
			}
			kind, err := part.Word(path, "type")
			if kind != "text" { // no other dialect has a place for it
				r.LeftOut = append(r.LeftOut, "a block of type "+kind+" in a tool's result")
				return err
			}
			text, wrong := part.Text(path, "text")
			parts = append(parts, wire.Part{Text: text})
			return errors.Join(err, wrong)
		})
		answer.SetParts(parts)
	}
	r.Messages = append(r.Messages, answer)
	return err
}

// toolsIn reads the functions among the tools, and the choice among them.
func toolsIn(r *wire.Request, asked wire.Members) error {
	if !wire.Given(asked["tools"]) {
		return nil
	}
	err := wire.Each("tools", asked["tools"], func(i int, raw json.RawMessage) error {
		path := fmt.Sprintf("tools[%d]", i)
		tool, err := wire.Split(path, raw)
		if err != nil {
			return err
		}
		kind, err := tool.Word(path, "type")
		switch {
		case err != nil:
			return err
		case kind != "" && kind != "custom": // one that the maker's server runs itself
			r.LeftOut = append(r.LeftOut, "a tool of type "+kind)
			return nil
		case string(tool["defer_loading"]) == "true":
			r.LeftOut = append(r.LeftOut, "a tool that is to be loaded later")
			return nil
		}
		offered, err := wire.ReadTool(path, raw, "input_schema")
		r.Tools = append(r.Tools, offered)
		return err
	})
	if err != nil || len(r.Tools) == 0 {
		return err
	}
	var choice struct {
		Type     string `json:"type"`
		Name     string `json:"name"`
		Disabled *bool  `json:"disable_parallel_tool_use"`
	}
	if err := wire.Setting("tool_choice", asked["tool_choice"], &choice); err != nil {
		return err
	}
	if choice.Disabled != nil {
		r.Parallel = new(!*choice.Disabled)
	}
	switch choice.Type {
	case "", "auto":
	case "any":
		r.Choice.Mode = wire.Must
	case "none":
		r.Choice.Mode = wire.Never
	case "tool":
		r.Choice.Function = choice.Name
	default:
		return fmt.Errorf("tool_choice.type: %q is not auto, any, tool or none", choice.Type)
	}
	return nil
}

// Results implements wire.Codec.
func (Codec) Results(asked wire.Members) (all []wire.Result, err error) {
	if !wire.Given(asked["messages"]) || string(asked["messages"]) == "[]" {
		return nil, wire.ErrNoMessages
	}
	err = wire.Each("messages", asked["messages"], func(i int, raw json.RawMessage) error {
		m, err := wire.Split(fmt.Sprintf("messages[%d]", i), raw)
		if err != nil {
			return err
		}
		return eachBlock(m["content"], func(_ int, b wire.Members) error {
			if string(b["type"]) == `"tool_result"` {
				all = append(all, wire.Result{ID: wire.Plain(b["tool_use_id"]), Text: b["content"]})
			}
			return nil
		})
	})
	return all, err
}

// eachBlock goes through the blocks of a message's content. A text is none.
func eachBlock(content json.RawMessage, look func(i int, b wire.Members) error) error {
	if len(content) == 0 || content[0] != '[' {
		return nil
	}
	return wire.Each("content", content, func(i int, raw json.RawMessage) error {
		b, err := wire.Split("content", raw)
		if err != nil {
			return err
		}
		return look(i, b)
	})
}
