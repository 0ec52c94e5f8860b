package messages

import (
	"cmp"
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
	_ = wire.Setting("stream", asked["stream"], &r.Stream) // values other than booleans are ignored
	r.Effort, r.Budget, r.Reasons = config.Effort, thinking.Budget, thinking.Type != "" && thinking.Type != "disabled"
	return r, conversationIn(r, asked)
}

// conversationIn decodes the messages, those of the system first.
func conversationIn(r *wire.Request, asked wire.Members) error {
	if wire.Given(asked["system"]) {
		if err := contentIn(r, "system", asked["system"], wire.System); err != nil {
			return err
		}
	}
	return asked.EachTurn("messages", func(path, _ string, raw json.RawMessage) error {
		m := wire.Pick(raw, "role", "content")
		role := wire.Role(wire.Plain(m[0]))
		if !slices.Contains([]wire.Role{wire.User, wire.Assistant, wire.System}, role) {
			return fmt.Errorf("%s.role: %.50q is not user, assistant or system", path, role)
		}
		return contentIn(r, path+".content", m[1], role)
	})
}

// contentIn decodes the content of a message: a text, or blocks. Results of calls become
// separate messages, which come first.
func contentIn(r *wire.Request, path string, value json.RawMessage, role wire.Role) error {
	said := wire.Message{Role: role}
	err := said.ReadContent(path, value, func(path, kind string, raw json.RawMessage) (*wire.Part, error) {
		return blockIn(r, &said, path, kind, raw)
	})
	if said.Content != "" || len(said.Parts)+len(said.ToolCalls) > 0 || said.Reasoned || len(value) > 0 && value[0] == '"' {
		r.Messages = append(r.Messages, said)
	}
	return err
}

// block is a block of a message's content.
type block struct {
	heardBlock
	Signature wire.Text `json:"signature"` // anything but a text is ignored
	CallID    string    `json:"tool_use_id"`
	Source    struct {
		URL  wire.Address `json:"url"`
		Type string       `json:"media_type"`
		Data string       `json:"data"` // in base64
	} `json:"source"`
}

// blockIn decodes a block: a part, a call, reasoning, or the result of a call.
func blockIn(r *wire.Request, said *wire.Message, path, kind string, raw json.RawMessage) (*wire.Part, error) {
	switch {
	case kind == "redacted_thinking":
		return nil, nil
	case !slices.Contains([]string{"text", "image", "tool_use", "tool_result", "thinking"}, kind):
		r.LeftOut = append(r.LeftOut, "a block of type "+kind)
		return nil, nil
	}
	var b block
	if err := wire.ReadAs(path, raw, &b); err != nil {
		return nil, err
	}
	switch {
	case kind == "text":
		return &wire.Part{Text: b.Text}, nil
	case kind == "image" && b.Source.URL != "":
		return &wire.Part{Address: b.Source.URL}, nil
	case kind == "image":
		part, err := wire.ShownAs(path+".source", b.Source.Type, b.Source.Data)
		return &part, err
	case kind == "thinking":
		said.Reasoned, said.Signature = true, string(b.Signature)
		said.Reasoning += b.Thinking
		return nil, nil
	case kind == "tool_use" && (b.ID == "" || b.Name == ""):
		return nil, fmt.Errorf("%s: the call has no id, or no name", path)
	case kind == "tool_use":
		said.ToolCalls = append(said.ToolCalls, wire.ToolCall{ID: b.ID, Name: b.Name, Arguments: cmp.Or(string(b.Input), "{}")})
		return nil, nil
	case b.CallID == "":
		return nil, fmt.Errorf("%s: the result has no tool_use_id", path)
	}
	return nil, resultIn(r, path+".content", b.CallID, wire.Pick(raw, "content")[0])
}

// resultIn decodes the result of a call, which may be empty.
func resultIn(r *wire.Request, path, call string, value json.RawMessage) (err error) {
	answer := wire.Message{Role: wire.ToolRole, ToolCallID: call}
	if wire.Given(value) {
		err = answer.ReadContent(path, value, func(path, kind string, raw json.RawMessage) (*wire.Part, error) {
			if kind != "text" { // other dialects do not support it
				r.LeftOut = append(r.LeftOut, "a block of type "+kind+" in a tool's result")
				return nil, nil
			}
			var b heardBlock
			err := wire.ReadAs(path, raw, &b)
			return &wire.Part{Text: b.Text}, err
		})
	}
	r.Messages = append(r.Messages, answer)
	return err
}

// toolsIn decodes the functions among the tools, and the tool choice.
func toolsIn(r *wire.Request, asked wire.Members) error {
	err := wire.EachKind("tools", asked["tools"], func(path, kind string, raw json.RawMessage) error {
		if kind != "" && kind != "custom" { // the maker's server runs it
			r.LeftOut = append(r.LeftOut, "a tool of type "+kind)
			return nil
		}
		var t tool
		if err := wire.ReadAs(path, raw, &t); err != nil {
			return err
		}
		if t.Later {
			r.LeftOut = append(r.LeftOut, "a tool that is to be loaded later")
			return nil
		}
		return r.Offer(path, wire.Tool{Name: t.Name, Description: t.Description, Parameters: t.InputSchema, Strict: t.Strict})
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
		return fmt.Errorf("tool_choice.type: %.50q is not auto, any, tool or none", choice.Type)
	}
	return nil
}

// Results implements wire.Codec.
func (Codec) Results(asked wire.Members) (all []wire.Result, err error) {
	err = asked.EachTurn("messages", func(path, _ string, raw json.RawMessage) error {
		return eachBlock(path+".content", wire.Pick(raw, "content")[0], func(_, kind string, raw json.RawMessage) error {
			if kind == "tool_result" {
				it := wire.Pick(raw, "tool_use_id", "content")
				all = append(all, wire.Result{ID: wire.Plain(it[0]), Text: it[1]})
			}
			return nil
		})
	})
	return all, err
}

// eachBlock calls look with each block of a message's content. A content that is a text has no
// blocks.
func eachBlock(path string, content json.RawMessage, look func(path, kind string, raw json.RawMessage) error) error {
	if len(content) == 0 || content[0] != '[' {
		return nil
	}
	return wire.EachKind(path, content, look)
}
