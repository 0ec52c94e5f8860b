package models

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// responses is the dialect of OpenAI's Responses API. Nothing is stored at the server:
// the conversation is sent whole, and the reasoning in it is encrypted by the server.
type responses struct{ envelope }

// endpoint implements dialect. With an API version the server is Azure's.
func (r *responses) endpoint(key string, _ bool) (string, http.Header) {
	if r.spec.APIVersion != "" {
		return r.path("/openai/responses?api-version=" + url.QueryEscape(r.spec.APIVersion)), keyHeader("Api-Key", key)
	}
	if key != "" {
		key = "Bearer " + key
	}
	if r.spec.BaseURL == "" {
		return openaiBase + "/responses", keyHeader("Authorization", key)
	}
	return r.path("/responses"), keyHeader("Authorization", key)
}

// encode implements dialect.
func (r *responses) encode(req Request, without omissions) ([]byte, error) {
	if req.Verbatim {
		return r.overlay(req, without)
	}
	wantsJSON, e := r.wantsJSON()
	req, err := e.conversation(req)
	if err != nil {
		return nil, err
	}
	input, err := r.input(req.Messages)
	if err != nil {
		return nil, err
	}
	tools, err := r.tools(req.Tools)
	if err != nil {
		return nil, err
	}
	reasons := r.profile.reasons() || r.spec.Reasoning != ""
	members := []member{
		{"model", r.spec.Model}, {"tools", tools}, {"input", input}, {"store", false}, {"stream", r.spec.Stream || req.Stream},
		{"temperature", e.temperatureOf(req, without, reasons)}, {"tool_choice", req.toolChoice()},
	}
	if limit := e.limitOf(req); limit > 0 {
		members = append(members, member{"max_output_tokens", limit})
	}
	if reasons && !without.has(settingEncrypted) {
		members = append(members, member{"include", []string{"reasoning.encrypted_content"}})
	}
	reasoning := map[string]any{}
	if r.spec.Reasoning != "" {
		reasoning["effort"] = r.spec.Reasoning
	}
	if reasons && !without.has(settingSummary) {
		reasoning["summary"] = "auto"
	}
	if len(reasoning) > 0 {
		members = append(members, member{"reasoning", reasoning})
	}
	if p := r.spec.ParallelTools; p != nil && len(req.Tools) > 0 && !without.has(settingParallel) {
		members = append(members, member{"parallel_tool_calls", *p})
	}
	if (wantsJSON || req.wantsJSON()) && !without.has(settingFormat) {
		members = append(members, member{"text", map[string]any{"format": map[string]string{"type": "json_object"}}})
	}
	return e.write(members)
}

func (r *responses) tools(offered []Tool) (json.RawMessage, error) {
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
		all[i] = tool{"function", t.Name, t.Description, schemaOf(t), false}
	}
	return writeJSON(all)
}

// input returns the conversation as a list of items.
func (r *responses) input(list []Message) (json.RawMessage, error) {
	if err := joinWire(list, r.items); err != nil {
		return nil, err
	}
	return listOf(list), nil
}

// listOf puts messages that were written together to a list.
func listOf(list []Message) json.RawMessage {
	size := len("[]")
	for i := range list {
		size += len(list[i].wire) + len(",")
	}
	b := bytes.NewBuffer(make([]byte, 0, size))
	b.WriteByte('[')
	for i := range list {
		if len(list[i].wire) == 0 {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(list[i].wire)
	}
	b.WriteByte(']')
	return b.Bytes()
}

// items writes a message as items with commas between them: the model's as the server
// sent them, if that is known.
func (r *responses) items(it *Message) ([]byte, error) {
	if it.Role == Assistant {
		if raw := it.replayOf(Responses); raw != nil {
			return elementsOf(raw), nil
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
		all = append(all, item{Type: "function_call_output", CallID: it.ToolCallID, Output: &it.Content})
	case len(it.pictures) > 0:
		parts := []any{map[string]string{"type": "input_text", "text": it.Content}}
		for _, p := range it.pictures {
			parts = append(parts, map[string]string{"type": "input_image", "image_url": string(p)})
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
	raw, err := writeJSON(all)
	return elementsOf(raw), err
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
	if err := counted(&w.Input, &w.Output, &cached, &written, &reasoning); err != nil {
		return Usage{}, err
	}
	return Usage{Prompt: int(w.Input), Cached: int(cached), CacheWrite: int(written), Completion: int(w.Output), Reasoning: int(reasoning)}, nil
}

// wireItem is an item of an answer's output.
type wireItem struct {
	Type    string    `json:"type"`
	Content wireTexts `json:"content"`
	Summary wireText  `json:"summary"`
	CallID  string    `json:"call_id"`
	Name    string    `json:"name"`
	// Arguments are of a function's call, Input is of a custom tool's, Action and
	// Operation are of those that the maker describes itself.
	Arguments wireArguments  `json:"arguments"`
	Namespace string         `json:"namespace"`
	Input     wireText       `json:"input"`
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
		return ToolCall{it.CallID, it.Name, string(it.Arguments)}, true
	case "custom_tool_call":
		raw, err := writeJSON(map[string]string{"input": string(it.Input)})
		return ToolCall{it.CallID, it.Name, string(raw)}, err == nil
	case "local_shell_call", "shell_call", "apply_patch_call", "computer_call":
		arguments := cmp.Or(string(it.Action), string(it.Operation), "{}")
		return ToolCall{it.CallID, strings.TrimSuffix(it.Type, "_call"), arguments}, true
	}
	return ToolCall{}, false
}

// wireTexts are the texts and refusals of a message's content.
type wireTexts string

// UnmarshalJSONFrom reads a list of parts, or a text.
func (t *wireTexts) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != '[' {
		return (*wireText)(t).UnmarshalJSONFrom(d)
	}
	type part struct {
		Text    wireText `json:"text"`
		Refusal wireText `json:"refusal"`
	}
	var text strings.Builder
	err := eachElement(d, "content", func() error {
		var p part
		if err := decodeNext(d, &p); err != nil {
			return err
		}
		text.WriteString(string(p.Text + p.Refusal))
		return nil
	})
	*t = wireTexts(text.String())
	return err
}

// decode implements dialect.
func (r *responses) decode(body []byte) (Response, error) {
	var answer wireResponse
	if err := leniently(body, &answer); err != nil {
		return Response{}, err
	}
	usage, err := answer.Usage.usage()
	if err != nil {
		return Response{}, err
	}
	if err := errorInside(answer.Error); err != nil {
		return Response{Usage: usage}, explained(body)
	}
	if answer.Status != "completed" && answer.Status != "incomplete" || answer.Output.Kind() != '[' {
		return Response{Usage: usage}, fmt.Errorf("%w: its status is %q", errNoAnswer, answer.Status)
	}
	said := Message{Role: Assistant, Replay: &Replay{API: Responses, Raw: string(answer.Output)}}
	if err := said.readItems(answer.Output); err != nil {
		return Response{Usage: usage}, err
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
	return Response{Message: said, FinishReason: reason, Usage: usage}, nil
}

// readItems reads what a list of items says, calls and shows of its reasoning.
func (m *Message) readItems(list jsontext.Value) error {
	var text, thought strings.Builder
	err := eachOf(list, "output", func(it *wireItem) error {
		switch it.Type {
		case "message":
			text.WriteString(string(it.Content))
		case "reasoning":
			thought.WriteString(string(it.Summary))
			thought.WriteString(string(it.Content)) // of open models, which hide nothing
		}
		if call, ok := it.call(); ok {
			return m.addCall(call)
		}
		return nil
	})
	m.Content, m.Reasoning = text.String(), thought.String()
	return err
}

// explain implements dialect.
func (r *responses) explain(body []byte) *serverError { return explained(body) }

// assembly implements dialect.
func (r *responses) assembly() assembly { return &responsesAssembly{} }

// responsesAssembly waits for the event that holds the whole response.
type responsesAssembly struct {
	news
	body  []byte
	calls map[int]int // the places of calls, by their items'
}

func (a *responsesAssembly) ended() bool { return a.body != nil }

func (a *responsesAssembly) add(_ string, data []byte) error {
	a.news = a.news[:0]
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
			return explained(data)
		}
		return &serverError{status: statusOf(e.Code), code: e.Code, message: e.Message}
	case "response.failed":
		return explained(e.Response)
	case "response.completed", "response.incomplete":
		a.body = e.Response
	case "response.output_item.added":
		if e.Item.Type == "function_call" && len(a.calls) < maxCallsRead {
			if a.calls == nil {
				a.calls = map[int]int{}
			}
			a.calls[e.Output] = len(a.calls)
			a.news = append(a.news, Delta{Call: a.calls[e.Output], ID: e.Item.CallID, Name: e.Item.Name})
		}
	case "response.output_text.delta", "response.refusal.delta":
		a.news = append(a.news, Delta{Text: textOf(json.RawMessage(e.Delta))})
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		a.news = append(a.news, Delta{Thought: textOf(json.RawMessage(e.Delta))})
	case "response.function_call_arguments.delta":
		if call, ok := a.calls[e.Output]; ok {
			a.news = append(a.news, Delta{Call: call, Arguments: textOf(json.RawMessage(e.Delta))})
		}
	}
	return nil
}

func (a *responsesAssembly) whole() ([]byte, error) {
	if a.body == nil {
		return nil, errCutOff
	}
	return a.body, nil
}
