package messages

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"agentd/models/wire"
)

// content returns the blocks of an answer. Reasoning is included only if it is signed, because
// without a signature its server cannot read it again.
func content(a *wire.Answer) []any {
	all := []any{}
	if a.Empty {
		return all
	}
	m := &a.Message
	if m.Signature != "" {
		all = append(all, map[string]any{"type": "thinking", "thinking": m.Reasoning, "signature": m.Signature})
	}
	if m.Content != "" || len(m.ToolCalls) == 0 {
		all = append(all, map[string]any{"type": "text", "text": m.Content})
	}
	for i := range m.ToolCalls {
		call := &m.ToolCalls[i]
		all = append(all, map[string]any{"type": "tool_use", "id": call.ID, "name": call.Name, "input": call.Object()})
	}
	return all
}

// EncodeAnswer implements wire.Codec.
func (Codec) EncodeAnswer(_ *wire.Request, a *wire.Answer) any {
	return whole(a, content(a), reasonOf(a), usageOf(a.Usage))
}

func whole(a *wire.Answer, blocks []any, reason any, usage map[string]any) map[string]any {
	return map[string]any{
		"id": "msg_" + a.ID, "type": "message", "role": wire.Assistant, "model": a.Model, "content": blocks,
		"stop_reason": reason, "stop_sequence": nil, "usage": usage,
	}
}

// reasonOf returns the stop reason; nil if there is none.
func reasonOf(a *wire.Answer) any {
	switch {
	case a.Empty:
		return nil
	case a.FinishReason == wire.Length:
		return "max_tokens"
	case a.FinishReason == wire.Filter:
		return "refusal"
	case len(a.Message.ToolCalls) > 0:
		return "tool_use"
	}
	return "end_turn"
}

// usageOf returns the usage. This dialect counts input tokens separately if they were neither
// read from the cache nor written to it.
func usageOf(u wire.Usage) map[string]any {
	return map[string]any{
		"input_tokens": max(u.Prompt-u.Cached-u.CacheWrite, 0), "cache_read_input_tokens": u.Cached,
		"cache_creation_input_tokens": u.CacheWrite, "output_tokens": u.Completion,
	}
}

// EncodeError implements wire.Codec.
func (Codec) EncodeError(e *wire.Error) any {
	kind := "invalid_request_error"
	switch {
	case e.Status == http.StatusTooManyRequests:
		kind = "rate_limit_error"
	case e.Status == http.StatusNotFound:
		kind = "not_found_error"
	case e.Status >= http.StatusInternalServerError:
		kind = "api_error"
	}
	return failure(kind, e.Message)
}

func failure(kind, message string) map[string]any {
	return map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": message}}
}

// heard is an answer as the server writes it.
type heard struct {
	Content    jsontext.Value `json:"content"`
	StopReason string         `json:"stop_reason"`
	Usage      heardUsage     `json:"usage"`
	Error      jsontext.Value `json:"error"`
}

type heardUsage struct {
	Input   wire.Tokens `json:"input_tokens"` // neither read from the cache nor written to it
	Read    wire.Tokens `json:"cache_read_input_tokens"`
	Written wire.Tokens `json:"cache_creation_input_tokens"`
	Output  wire.Tokens `json:"output_tokens"`
	Details struct {
		Thinking wire.Tokens `json:"thinking_tokens"`
	} `json:"output_tokens_details"`
}

func (w *heardUsage) usage() wire.Usage {
	return wire.Usage{
		Prompt: int(w.Input + w.Read + w.Written), Cached: int(w.Read), CacheWrite: int(w.Written),
		Completion: int(w.Output), Reasoning: int(w.Details.Thinking),
	}
}

// heardBlock is a block of an answer's content.
type heardBlock struct {
	Type     string         `json:"type"`
	Text     string         `json:"text"`
	Thinking string         `json:"thinking"`
	ID       string         `json:"id"`
	Name     string         `json:"name"`
	Input    wire.Arguments `json:"input"`
}

// DecodeAnswer implements wire.Codec.
func (Codec) DecodeAnswer(body []byte) (a wire.Answer, err error) {
	var answer heard
	if err := wire.ReadAnswer(body, &answer); err != nil {
		return a, err
	}
	a.Usage = answer.Usage.usage()
	if wire.ErrorInside(answer.Error) != nil {
		return a, wire.DecodeError(body)
	}
	if answer.Content.Kind() != '[' || answer.StopReason == "" {
		return a, wire.ErrNoAnswer
	}
	said := wire.Message{Role: wire.Assistant, Replay: &wire.Replay{API: wire.Messages, Raw: string(answer.Content)}}
	if err := hear(&said, answer.Content); err != nil {
		return a, err
	}
	a.Message, a.FinishReason = said, cmp.Or(reasons[answer.StopReason], answer.StopReason)
	return a, nil
}

// reasons maps stop reasons to those of chat completions.
var reasons = map[string]string{
	"end_turn": wire.Stop, "stop_sequence": wire.Stop, "tool_use": wire.Calls, "max_tokens": wire.Length,
	"model_context_window_exceeded": wire.Length, "refusal": wire.Filter,
}

// hear decodes a list of blocks: text, calls and visible reasoning.
func hear(m *wire.Message, list jsontext.Value) error {
	var text, thought strings.Builder
	err := wire.EachOf(list, "content", func(b *heardBlock) error {
		switch b.Type {
		case "text":
			text.WriteString(b.Text)
		case "thinking":
			thought.WriteString(b.Thinking)
		case "tool_use":
			return m.AddCall(wire.ToolCall{ID: b.ID, Name: b.Name, Arguments: string(b.Input)})
		}
		return nil
	})
	m.Content, m.Reasoning = text.String(), thought.String()
	return err
}
