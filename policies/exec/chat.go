package exec

import (
	"context"
	"fmt"
	"time"

	"agentd/models"
)

// chatQuestion is a request for a chat completion. It goes on as it is.
type chatQuestion struct {
	request members
	stream  bool
	model   string // under test
}

// readChat understands a request for a chat completion.
func (s *server) readChat(ctx context.Context, asked members) (question, error) {
	q := &chatQuestion{request: asked, model: s.policy.Model.Name()}
	_ = decode("stream", asked["stream"], &q.stream) // values that are no booleans are ignored
	for _, name := range ours {
		delete(asked, name)
	}
	return q, s.intake.decode(ctx, func() error { return s.answered(asked["messages"]) })
}

func (q *chatQuestion) chat() members {
	request := q.request
	q.request = nil
	return request
}

func (q *chatQuestion) streamed() bool { return q.stream }

func (q *chatQuestion) close() {}

func (q *chatQuestion) answer(answer models.Response) any {
	return q.completion(answer, "message", "chat.completion")
}

func (q *chatQuestion) events(answer models.Response) []event {
	return []event{{data: q.completion(answer, "delta", "chat.completion.chunk")}, {data: "[DONE]"}}
}

// completion is an answer as the protocol has it; part is what its message is
// called.
func (q *chatQuestion) completion(answer models.Response, part, object string) map[string]any {
	said := map[string]any{"role": "assistant", "content": answer.Message.Content}
	if part == "message" {
		said["refusal"] = nil
	}
	var calls []map[string]any
	for i, call := range answer.Message.ToolCalls {
		calls = append(calls, map[string]any{
			"index": i, "id": call.ID, "type": "function",
			"function": map[string]string{"name": call.Name, "arguments": call.Arguments},
		})
	}
	if len(calls) > 0 {
		said["tool_calls"] = calls
		if answer.Message.Content == "" {
			said["content"] = nil
		}
	}
	u := answer.Usage
	return map[string]any{
		"id": fmt.Sprintf("agentd-%d", time.Now().UnixNano()), "object": object, "created": time.Now().Unix(),
		"model":   q.model,
		"choices": []any{map[string]any{"index": 0, part: said, "finish_reason": answer.FinishReason, "logprobs": nil}},
		"usage": map[string]any{
			"prompt_tokens": u.Prompt, "completion_tokens": u.Completion, "total_tokens": u.Total(),
			"prompt_tokens_details":     map[string]int{"cached_tokens": u.Cached},
			"completion_tokens_details": map[string]int{"reasoning_tokens": u.Reasoning},
		},
	}
}
