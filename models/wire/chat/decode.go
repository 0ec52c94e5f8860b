package chat

import (
	"cmp"
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
		r.Format = cmp.Or(wanted.Schema, &wire.Format{})
	}
	if err := toolsIn(r, asked["tools"]); err != nil {
		return nil, err
	}
	return r, asked.EachTurn("messages", func(path, _ string, raw json.RawMessage) error {
		m, err := messageIn(path, raw)
		r.Messages = append(r.Messages, m)
		return err
	})
}

// stopIn decodes stop: one text or several.
func stopIn(r *wire.Request, raw json.RawMessage) error {
	if len(raw) > 0 && raw[0] == '"' {
		r.Stop = []string{wire.Plain(raw)}
		return nil
	}
	return wire.Setting("stop", raw, &r.Stop)
}

// choiceIn decodes tool_choice: a word, or the name of a function.
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

// toolsIn decodes the functions among the tools.
func toolsIn(r *wire.Request, raw json.RawMessage) error {
	return wire.EachKind("tools", raw, func(path, kind string, raw json.RawMessage) error {
		if kind != "" && kind != string(openai.ToolTypeFunction) {
			r.LeftOut = append(r.LeftOut, "a tool of type "+kind)
			return nil
		}
		var t struct {
			Function wire.Tool `json:"function"`
		}
		if err := wire.ReadAs(path, raw, &t); err != nil {
			return err
		}
		return r.Offer(path+".function", t.Function)
	})
}

// messageIn decodes a message. The role developer becomes system.
func messageIn(path string, raw json.RawMessage) (m wire.Message, err error) {
	var h struct {
		Role       wire.Role `json:"role"`
		ToolCalls  calls     `json:"tool_calls"`
		ToolCallID string    `json:"tool_call_id"`
		Reasoning  string    `json:"reasoning_content"`
	}
	if err := wire.ReadAs(path, raw, &h); err != nil {
		return m, err
	}
	m = wire.Message{Role: h.Role, ToolCalls: h.ToolCalls.list, ToolCallID: h.ToolCallID, Reasoning: h.Reasoning}
	switch m.Role {
	case "developer":
		m.Role = wire.System
	case wire.System, wire.User, wire.Assistant, wire.ToolRole:
	default:
		return m, fmt.Errorf("%s: the role %q is none of system, user, assistant and tool", path, m.Role)
	}
	if content := wire.Pick(raw, "content")[0]; wire.Given(content) {
		err = m.ReadContent(path+".content", content, partIn)
	}
	return m, err
}

// partIn decodes a part of a message's content: a text or a picture.
func partIn(path, kind string, raw json.RawMessage) (*wire.Part, error) {
	var p struct {
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
		Image   struct {
			URL    wire.Address `json:"url"`
			Detail string       `json:"detail"`
		} `json:"image_url"`
	}
	err := wire.ReadAs(path, raw, &p)
	switch kind {
	case "text", "refusal":
		return &wire.Part{Text: p.Text + p.Refusal}, err
	case "image_url":
		return &wire.Part{Address: p.Image.URL, Detail: p.Image.Detail}, err
	}
	return nil, cmp.Or(err, fmt.Errorf("%s: a part of type %q cannot be sent to the model's server; there are text and image_url", path, kind))
}

// Results implements wire.Codec.
func (Codec) Results(asked wire.Members) (all []wire.Result, err error) {
	err = asked.EachTurn("messages", func(_, _ string, raw json.RawMessage) error {
		if it := wire.Pick(raw, "role", "tool_call_id", "content"); wire.Plain(it[0]) == string(wire.ToolRole) {
			all = append(all, wire.Result{ID: wire.Plain(it[1]), Text: it[2]})
		}
		return nil
	})
	return slices.Clip(all), err
}
