package sim

import (
	"net/http"
	"time"
)

// chat is OpenAI's chat completions, with the reasoning_content of other makers.
type chat struct{}

func (chat) read(_ *http.Request, body []byte) (*request, *refusal) {
	asked := &request{}
	if err := read(body, asked); err != nil {
		return nil, refusedf("the request cannot be read: %v", err)
	}
	asked.reasons = asked.Effort != "" && asked.Effort != "none"
	for i := range asked.Messages {
		m := &asked.Messages[i]
		switch {
		case m.Role != assistant || !asked.reasons || len(m.ToolCalls) == 0:
		case m.Reasoning == "":
			return nil, refusedf("thinking is enabled but reasoning_content is missing in assistant tool call message at index %d", i)
		case m.Reasoning != thoughts(m):
			return nil, refusedf("reasoning_content of message %d is not what the model wrote", i)
		}
	}
	return asked, nil
}

func (chat) temperatureRefused() string {
	return "Unsupported value: 'temperature' does not support 1 with this model. Only the default (1) value is supported."
}

func (chat) failure(why *refusal) any {
	e := map[string]any{"message": why.message, "type": "invalid_request_error"}
	if why.code != "invalid_request_error" {
		e["code"] = why.code
	}
	return map[string]any{"error": e}
}

func (chat) whole(_ *request, a answer) any {
	whole := response{
		ID: a.id, Object: "chat.completion", Created: time.Now().Unix(), Model: a.model,
		Choices: []choice{{Message: a.message, FinishReason: a.finish}}, Usage: a.usage,
	}
	if a.empty {
		whole.Choices = nil
	}
	return whole
}

func (chat) events(_ *request, a answer) []event {
	var events []event
	send := func(delta map[string]any, finish any) {
		events = append(events, event{data: map[string]any{
			"id": a.id, "object": "chat.completion.chunk", "created": time.Now().Unix(), "model": a.model,
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}},
		}})
	}
	if !a.empty {
		send(map[string]any{"role": assistant, "content": ""}, nil)
		for _, piece := range halves(a.message.Reasoning) {
			send(map[string]any{"reasoning_content": piece}, nil)
		}
		for _, piece := range halves(a.message.text()) {
			send(map[string]any{"content": piece}, nil)
		}
		for i, call := range a.message.ToolCalls {
			for j, piece := range halves(call.Function.Arguments) {
				part := map[string]any{"index": i, "function": map[string]any{"arguments": piece}}
				if j == 0 {
					part["id"], part["type"] = call.ID, call.Type
					part["function"] = map[string]any{"name": call.Function.Name, "arguments": piece}
				}
				send(map[string]any{"tool_calls": []any{part}}, nil)
			}
		}
		send(map[string]any{}, a.finish)
	}
	events = append(events, event{data: map[string]any{
		"id": a.id, "object": "chat.completion.chunk", "created": time.Now().Unix(), "model": a.model, "choices": []any{}, "usage": a.usage,
	}})
	return append(events, event{data: "[DONE]"})
}
