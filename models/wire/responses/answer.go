package responses

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"agentd/models/wire"
	"agentd/models/wire/chat"
)

// Statuses of responses and of their items.
const (
	inProgress = "in_progress"
	completed  = "completed"
	incomplete = "incomplete"
	failed     = "failed"
)

// statusOf is an answer's status, and if it is incomplete, the reason.
func statusOf(a *wire.Answer) (status, reason string) {
	switch {
	case a.Empty:
		return failed, ""
	case a.FinishReason == wire.Length:
		return incomplete, "max_output_tokens"
	case a.FinishReason == wire.Filter:
		return incomplete, wire.Filter
	}
	return completed, ""
}

// EncodeAnswer implements wire.Codec.
func (c Codec) EncodeAnswer(r *wire.Request, a *wire.Answer) any {
	w := c.writer(r, a, func(wire.Event) {})
	if !a.Empty {
		for _, d := range a.Deltas() {
			_ = w.Delta(d) // they are in order
		}
		w.finish(a)
	}
	return w.response(a)
}

// response is an answer whose items are written. The conversation is kept if the client has
// not asked otherwise.
func (w *writer) response(a *wire.Answer) map[string]any {
	status, reason := statusOf(a)
	response := w.begun(status)
	response["output"] = w.items
	if a.Empty {
		response["error"] = map[string]string{"code": "server_error", "message": "the answer was lost"}
	}
	if reason != "" {
		response["incomplete_details"] = map[string]string{"reason": reason}
	}
	u := a.Usage
	response["usage"] = map[string]any{
		"input_tokens": u.Prompt, "output_tokens": u.Completion, "total_tokens": u.Total(),
		"input_tokens_details":  map[string]int{"cached_tokens": u.Cached},
		"output_tokens_details": map[string]int{"reasoning_tokens": u.Reasoning},
	}
	if w.asked.keep != nil && !a.Empty {
		w.asked.keep(response["id"].(string), w.items)
	}
	return response
}

// begun is a response without items and usage. It repeats what was asked, as clients expect.
func (w *writer) begun(status string) map[string]any {
	response := map[string]any{
		"id": "resp_" + w.head.ID, "object": "response", "created_at": w.asked.created.Unix(), "model": w.head.Model,
		"status": status, "output": []any{}, "error": nil, "incomplete_details": nil, "usage": nil,
	}
	for name, otherwise := range map[string]any{
		"instructions": nil, "previous_response_id": nil, "max_output_tokens": nil, "temperature": nil, "top_p": nil, "user": nil,
		"tools": []any{}, "tool_choice": wire.Auto, "parallel_tool_calls": true, "store": true, "metadata": map[string]any{},
		"reasoning":  map[string]any{"effort": nil, "summary": nil},
		"text":       map[string]any{"format": map[string]string{"type": "text"}},
		"background": false, "truncation": "disabled", "service_tier": "default",
	} {
		response[name] = otherwise
		if asked := w.asked.members[name]; wire.Given(asked) {
			response[name] = asked
		}
	}
	return response
}

// id is the identifier of an item of the answer.
func (w *writer) id(kind string) string {
	return kind + "_" + w.head.ID + strconv.Itoa(len(w.items))
}

// textPart is the one part of a message's content.
func textPart(text string) map[string]any {
	return map[string]any{"type": outputText, "text": text, "annotations": []any{}, "logprobs": []any{}}
}

// EncodeError implements wire.Codec.
func (Codec) EncodeError(e *wire.Error) any { return chat.Codec{}.EncodeError(e) }

// heard is an answer as the server writes it.
type heard struct {
	Status     string         `json:"status"`
	Output     jsontext.Value `json:"output"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Error jsontext.Value `json:"error"`
	Usage Usage          `json:"usage"`
}

// Usage is the usage as the server reports it; a new kind of token is added here.
type Usage struct {
	Input        wire.Tokens `json:"input_tokens"`
	Output       wire.Tokens `json:"output_tokens"`
	InputDetails struct {
		Cached  wire.Tokens `json:"cached_tokens"`
		Written wire.Tokens `json:"cache_write_tokens"`
	} `json:"input_tokens_details"`
	OutputDetails struct {
		Reasoning wire.Tokens `json:"reasoning_tokens"`
	} `json:"output_tokens_details"`
}

// Tokens returns the usage in the words of all dialects.
func (w *Usage) Tokens() wire.Usage {
	return wire.Usage{
		Prompt: int(w.Input), Cached: int(w.InputDetails.Cached), CacheWrite: int(w.InputDetails.Written),
		Completion: int(w.Output), Reasoning: int(w.OutputDetails.Reasoning),
	}
}

// heardItem is an item of an answer's output.
type heardItem struct {
	Type    string    `json:"type"`
	Content wire.Text `json:"content"`
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
func (it *heardItem) call() (wire.ToolCall, bool) {
	switch it.Type {
	case functionCall:
		return wire.ToolCall{ID: it.CallID, Name: longName(it.Namespace, it.Name), Arguments: string(it.Arguments)}, true
	case customCall:
		raw, err := wire.Write(map[string]string{customInput: string(it.Input)})
		return wire.ToolCall{ID: it.CallID, Name: it.Name, Arguments: string(raw)}, err == nil
	case "local_shell_call", "shell_call", "apply_patch_call", "computer_call":
		arguments := cmp.Or(string(it.Action), string(it.Operation), "{}")
		return wire.ToolCall{ID: it.CallID, Name: strings.TrimSuffix(it.Type, "_call"), Arguments: arguments}, true
	}
	return wire.ToolCall{}, false
}

// DecodeAnswer implements wire.Codec.
func (Codec) DecodeAnswer(body []byte) (a wire.Answer, err error) {
	var answer heard
	if err := wire.ReadAnswer(body, &answer); err != nil {
		return a, err
	}
	a.Usage = answer.Usage.Tokens()
	if wire.ErrorInside(answer.Error) != nil {
		return a, wire.DecodeError(body)
	}
	if answer.Status != completed && answer.Status != incomplete || answer.Output.Kind() != '[' {
		return a, fmt.Errorf("%w: its status is %q", wire.ErrNoAnswer, answer.Status)
	}
	said := wire.Message{Role: wire.Assistant, Replay: &wire.Replay{API: wire.Responses, Raw: string(answer.Output)}}
	if err := hear(&said, answer.Output); err != nil {
		return a, err
	}
	a.Message, a.FinishReason = said, cmp.Or(answer.Incomplete.Reason, wire.Stop)
	switch {
	case answer.Incomplete.Reason == "max_output_tokens":
		a.FinishReason = wire.Length
	case answer.Incomplete.Reason == "" && len(said.ToolCalls) > 0:
		a.FinishReason = wire.Calls
	}
	return a, nil
}

// hear reads what a list of items says, calls and shows of its reasoning.
func hear(m *wire.Message, list jsontext.Value) error {
	var text, thought strings.Builder
	err := wire.EachOf(list, "output", func(it *heardItem) error {
		switch it.Type {
		case message:
			text.WriteString(string(it.Content))
		case reasoning:
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
