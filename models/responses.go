package models

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"agentd/models/wire"
)

// responses is the dialect of OpenAI's Responses API. Nothing is stored at the server:
// the conversation is sent whole, and the reasoning in it is encrypted by the server.
type responses struct{}

// Encode implements codec.
func (d responses) Encode(r *wire.Request) ([]byte, error) {
	input, err := d.input(r.Messages)
	if err != nil {
		return nil, err
	}
	tools, err := d.tools(r.Tools)
	if err != nil {
		return nil, err
	}
	over := map[string]any{}
	r.LayTemperature(over, nil, r.Reasons)
	var all wire.Object
	all.Put("model", r.Model)
	all.Put("tools", tools)
	all.Put("input", input)
	all.Put("store", false)
	all.Put("stream", r.Stream)
	all.Put("temperature", over["temperature"])
	all.Put("tool_choice", toolChoice(r))
	if r.MaxOutput > 0 {
		all.Put("max_output_tokens", r.MaxOutput)
	}
	if r.Encrypted {
		all.Put("include", []string{"reasoning.encrypted_content"})
	}
	reasoning := map[string]any{}
	if r.Effort != "" {
		reasoning["effort"] = r.Effort
	}
	if r.Summary {
		reasoning["summary"] = "auto"
	}
	if len(reasoning) > 0 {
		all.Put("reasoning", reasoning)
	}
	if r.Parallel != nil && len(r.Tools) > 0 {
		all.Put("parallel_tool_calls", *r.Parallel)
	}
	if r.Format != nil {
		all.Put("text", map[string]any{"format": map[string]string{"type": "json_object"}})
	}
	return all.Write(r.Body)
}

// Overlay implements codec. Nothing is stored at the server.
func (d responses) Overlay(r *wire.Request, members wire.Members) ([]byte, error) {
	over := map[string]any{"model": r.Model, "stream": r.Stream, "store": false}
	if r.MaxOutput > 0 {
		over["max_output_tokens"] = r.MaxOutput
	}
	if r.Effort != "" {
		over["reasoning"] = map[string]any{"effort": r.Effort}
	}
	r.LayTemperature(over, members["temperature"], r.Reasons || members["reasoning"] != nil)
	if r.Parallel != nil && members["tools"] != nil {
		over["parallel_tool_calls"] = *r.Parallel
	}
	all := maps.Clone(members)
	if err := errors.Join(all.Lay(over), all.Lay(r.Body)); err != nil {
		return nil, err
	}
	return all.Write()
}

// toolChoice is which tool the model is to call; nil for its own choice.
func toolChoice(r *wire.Request) any {
	switch {
	case len(r.Tools) == 0 || r.Choice == (wire.Choice{}):
		return nil
	case r.Choice.Function != "":
		return map[string]string{"type": "function", "name": r.Choice.Function}
	}
	return r.Choice.Mode
}

func (d responses) tools(offered []Tool) (json.RawMessage, error) {
	if len(offered) == 0 {
		return nil, nil
	}
	type tool struct {
		Type        string          `json:"type"`
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters"`
		Strict      bool            `json:"strict"`
	}
	all := make([]tool, len(offered))
	for i, t := range offered {
		all[i] = tool{"function", t.Name, t.Description, t.Schema(), false}
	}
	return wire.Write(all)
}

// input returns the conversation as a list of items.
func (d responses) input(list []Message) (json.RawMessage, error) {
	if err := wire.WriteEach(list, d.items); err != nil {
		return nil, err
	}
	return listOf(list), nil
}

// listOf puts messages that were written together to a list.
func listOf(list []Message) json.RawMessage {
	size := len("[]")
	for i := range list {
		size += len(list[i].Written) + len(",")
	}
	b := bytes.NewBuffer(make([]byte, 0, size))
	b.WriteByte('[')
	for i := range list {
		if len(list[i].Written) == 0 {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(list[i].Written)
	}
	b.WriteByte(']')
	return b.Bytes()
}

// items writes a message as items with commas between them: the model's as the server
// sent them, if that is known.
func (d responses) items(it *Message) ([]byte, error) {
	if it.Role == Assistant {
		if raw := it.ReplayIn(Responses); raw != nil {
			return wire.Elements(raw), nil
		}
	}
	type item struct {
		Type      string  `json:"type,omitempty"`
		Role      Role    `json:"role,omitempty"`
		Content   any     `json:"content,omitempty"`
		CallID    string  `json:"call_id,omitempty"`
		Name      string  `json:"name,omitempty"`
		Arguments *string `json:"arguments,omitempty"`
		Output    *string `json:"output,omitempty"`
	}
	var all []item
	switch {
	case it.Role == ToolRole:
		text := it.Text("\n")
		all = append(all, item{Type: "function_call_output", CallID: it.ToolCallID, Output: &text})
	case len(it.Parts) > 0:
		var parts []any
		if it.Content != "" || it.Parts[0].Address != "" {
			parts = append(parts, map[string]string{"type": "input_text", "text": it.Content})
		}
		for _, p := range it.Parts {
			if p.Address == "" {
				parts = append(parts, map[string]string{"type": "input_text", "text": p.Text})
				continue
			}
			parts = append(parts, map[string]string{"type": "input_image", "image_url": string(p.Address)})
		}
		all = append(all, item{Role: it.Role, Content: parts})
	case it.Content != "":
		all = append(all, item{Role: it.Role, Content: it.Content})
	}
	for i := range it.ToolCalls {
		call := &it.ToolCalls[i]
		all = append(all, item{Type: "function_call", CallID: call.ID, Name: call.Name, Arguments: &call.Arguments})
	}
	if len(all) == 0 {
		return nil, nil
	}
	raw, err := wire.Write(all)
	return wire.Elements(raw), err
}

// wireResponse is an answer as the server writes it.
type wireResponse struct {
	Status     string         `json:"status"`
	Output     jsontext.Value `json:"output"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Error jsontext.Value    `json:"error"`
	Usage wireResponseUsage `json:"usage"`
}

type wireResponseUsage struct {
	Input        int64 `json:"input_tokens"`
	Output       int64 `json:"output_tokens"`
	InputDetails struct {
		Cached  int64 `json:"cached_tokens"`
		Written int64 `json:"cache_write_tokens"`
	} `json:"input_tokens_details"`
	OutputDetails struct {
		Reasoning int64 `json:"reasoning_tokens"`
	} `json:"output_tokens_details"`
}

func (w *wireResponseUsage) usage() (Usage, error) {
	cached, written, reasoning := w.InputDetails.Cached, w.InputDetails.Written, w.OutputDetails.Reasoning
	if err := wire.Counted(&w.Input, &w.Output, &cached, &written, &reasoning); err != nil {
		return Usage{}, err
	}
	return Usage{Prompt: int(w.Input), Cached: int(cached), CacheWrite: int(written), Completion: int(w.Output), Reasoning: int(reasoning)}, nil
}

// wireItem is an item of an answer's output.
type wireItem struct {
	Type    string    `json:"type"`
	Content wireTexts `json:"content"`
	Summary wire.Text `json:"summary"`
	CallID  string    `json:"call_id"`
	Name    string    `json:"name"`
	// Arguments are of a function's call, Input is of a custom tool's, Action and
	// Operation are of those that the maker describes itself.
	Arguments wire.Arguments `json:"arguments"`
	Namespace string         `json:"namespace"`
	Input     wire.Text      `json:"input"`
	Action    jsontext.Value `json:"action"`
	Operation jsontext.Value `json:"operation"`
}

// call is the item as a call; false if it is none that the client carries out.
func (it *wireItem) call() (ToolCall, bool) {
	switch it.Type {
	case "function_call":
		if it.Namespace != "" {
			it.Name = it.Namespace + "__" + it.Name
		}
		return ToolCall{ID: it.CallID, Name: it.Name, Arguments: string(it.Arguments)}, true
	case "custom_tool_call":
		raw, err := wire.Write(map[string]string{"input": string(it.Input)})
		return ToolCall{ID: it.CallID, Name: it.Name, Arguments: string(raw)}, err == nil
	case "local_shell_call", "shell_call", "apply_patch_call", "computer_call":
		arguments := cmp.Or(string(it.Action), string(it.Operation), "{}")
		return ToolCall{ID: it.CallID, Name: strings.TrimSuffix(it.Type, "_call"), Arguments: arguments}, true
	}
	return ToolCall{}, false
}

// wireTexts are the texts and refusals of a message's content.
type wireTexts string

// UnmarshalJSONFrom reads a list of parts, or a text.
func (t *wireTexts) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != '[' {
		return (*wire.Text)(t).UnmarshalJSONFrom(d)
	}
	type part struct {
		Text    wire.Text `json:"text"`
		Refusal wire.Text `json:"refusal"`
	}
	var text strings.Builder
	err := wire.EachElement(d, "content", func() error {
		var p part
		if err := wire.ReadNext(d, &p); err != nil {
			return err
		}
		text.WriteString(string(p.Text + p.Refusal))
		return nil
	})
	*t = wireTexts(text.String())
	return err
}

// DecodeAnswer implements codec.
func (d responses) DecodeAnswer(body []byte) (wire.Answer, error) {
	var answer wireResponse
	if err := wire.ReadAnswer(body, &answer); err != nil {
		return wire.Answer{}, err
	}
	usage, err := answer.Usage.usage()
	if err != nil {
		return wire.Answer{}, err
	}
	if err := wire.ErrorInside(answer.Error); err != nil {
		return wire.Answer{Usage: usage}, wire.Explained(body)
	}
	if answer.Status != "completed" && answer.Status != "incomplete" || answer.Output.Kind() != '[' {
		return wire.Answer{Usage: usage}, fmt.Errorf("%w: its status is %q", wire.ErrNoAnswer, answer.Status)
	}
	said := Message{Role: Assistant, Replay: &Replay{API: Responses, Raw: string(answer.Output)}}
	if err := readItems(&said, answer.Output); err != nil {
		return wire.Answer{Usage: usage}, err
	}
	reason := "stop"
	switch {
	case answer.Incomplete.Reason == "max_output_tokens":
		reason = "length"
	case answer.Incomplete.Reason != "":
		reason = answer.Incomplete.Reason
	case len(said.ToolCalls) > 0:
		reason = "tool_calls"
	}
	return wire.Answer{Message: said, FinishReason: reason, Usage: usage}, nil
}

// readItems reads what a list of items says, calls and shows of its reasoning.
func readItems(m *Message, list jsontext.Value) error {
	var text, thought strings.Builder
	err := wire.EachOf(list, "output", func(it *wireItem) error {
		switch it.Type {
		case "message":
			text.WriteString(string(it.Content))
		case "reasoning":
			thought.WriteString(string(it.Summary))
			thought.WriteString(string(it.Content)) // of open models, which hide nothing
		}
		if call, ok := it.call(); ok {
			return m.AddCall(call)
		}
		return nil
	})
	m.Content, m.Reasoning = text.String(), thought.String()
	return err
}

// DecodeError implements codec.
func (d responses) DecodeError(body []byte) *wire.Error { return wire.Explained(body) }

// Reader implements codec.
func (d responses) Reader() wire.Reader { return &responsesAssembly{} }

// responsesAssembly waits for the event that holds the whole response.
type responsesAssembly struct {
	wire.News
	body  []byte
	calls map[int]int // the places of calls, by their items'
}

func (a *responsesAssembly) Ended() bool { return a.body != nil }

func (a *responsesAssembly) Add(_ string, data []byte) error {
	a.News = a.News[:0]
	var e struct {
		Type     string         `json:"type"`
		Response jsontext.Value `json:"response"`
		Code     string         `json:"code"`
		Message  string         `json:"message"`
		Output   int            `json:"output_index"`
		Item     struct {
			Type   string `json:"type"`
			CallID string `json:"call_id"`
			Name   string `json:"name"`
		} `json:"item"`
		Delta jsontext.Value `json:"delta"`
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return fmt.Errorf("reading the stream: %w", err)
	}
	switch e.Type {
	case "error":
		if e.Message == "" {
			return wire.Explained(data)
		}
		return &wire.Error{Status: wire.StatusOf(e.Code), Code: e.Code, Message: e.Message}
	case "response.failed":
		return wire.Explained(e.Response)
	case "response.completed", "response.incomplete":
		a.body = e.Response
	case "response.output_item.added":
		if e.Item.Type == "function_call" && len(a.calls) < wire.MaxCalls {
			if a.calls == nil {
				a.calls = map[int]int{}
			}
			a.calls[e.Output] = len(a.calls)
			a.News = append(a.News, Delta{Call: a.calls[e.Output], ID: e.Item.CallID, Name: e.Item.Name})
		}
	case "response.output_text.delta", "response.refusal.delta":
		a.News = append(a.News, Delta{Text: wire.TextOf(json.RawMessage(e.Delta))})
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		a.News = append(a.News, Delta{Thought: wire.TextOf(json.RawMessage(e.Delta))})
	case "response.function_call_arguments.delta":
		if call, ok := a.calls[e.Output]; ok {
			a.News = append(a.News, Delta{Call: call, Arguments: wire.TextOf(json.RawMessage(e.Delta))})
		}
	}
	return nil
}

func (a *responsesAssembly) Whole() ([]byte, error) {
	if a.body == nil {
		return nil, wire.ErrCutOff
	}
	return a.body, nil
}
