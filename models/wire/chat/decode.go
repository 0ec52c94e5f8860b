package chat

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
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
	if !wire.Given(asked["messages"]) {
		return r, wire.ErrNoMessages
	}
	err := wire.EachAs("messages", asked["messages"], func(i int, it *heardMessage) error {
		m, err := it.message()
		if err != nil {
			return fmt.Errorf("messages[%d]: %w", i, err)
		}
		r.Messages = append(r.Messages, m)
		return nil
	})
	if err == nil && len(r.Messages) == 0 {
		err = wire.ErrNoMessages
	}
	return r, err
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

// heardMessage is a message as clients write it. It is decoded in one pass, because
// conversations are long and are sent again with every turn.
type heardMessage struct {
	Role       wire.Role    `json:"role"`
	Content    heardContent `json:"content"`
	ToolCalls  calls        `json:"tool_calls"`
	ToolCallID string       `json:"tool_call_id"`
	Reasoning  string       `json:"reasoning_content"`
}

// message converts it to a wire.Message. The role developer becomes system.
func (h *heardMessage) message() (wire.Message, error) {
	m := wire.Message{Role: h.Role, Content: h.Content.text, ToolCalls: h.ToolCalls.list, ToolCallID: h.ToolCallID, Reasoning: h.Reasoning}
	switch m.Role {
	case "developer":
		m.Role = wire.System
	case wire.System, wire.User, wire.Assistant, wire.ToolRole:
	default:
		return m, fmt.Errorf("the role %q is none of system, user, assistant and tool", m.Role)
	}
	m.SetParts(h.Content.parts)
	return m, nil
}

// heardContent is a text, or a list of texts and pictures.
type heardContent struct {
	text  string
	parts []wire.Part
}

// UnmarshalJSONFrom decodes a text or a list.
func (c *heardContent) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	switch d.PeekKind() {
	case '"':
		return wire.ReadNext(d, &c.text)
	case 'n', '[':
	default:
		return errors.New("the content is neither a text nor a list")
	}
	type part struct {
		Type    string `json:"type"`
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
		Image   struct {
			URL    wire.Address `json:"url"`
			Detail string       `json:"detail"`
		} `json:"image_url"`
	}
	return wire.EachElement(d, "content", func() error {
		var p part
		if err := wire.ReadNext(d, &p); err != nil {
			return err
		}
		switch p.Type {
		case "text", "refusal":
			c.parts = append(c.parts, wire.Part{Text: p.Text + p.Refusal})
		case "image_url":
			c.parts = append(c.parts, wire.Part{Address: p.Image.URL, Detail: p.Image.Detail})
		default:
			return fmt.Errorf("a part of type %q cannot be sent to the model's server; there are text and image_url", p.Type)
		}
		return nil
	})
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
