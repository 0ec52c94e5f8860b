package gateway

import (
	"fmt"
	"net/http"
	"time"

	"agentd/models"
)

// chatQuestion is a request for a chat completion. It goes on as it is.
type chatQuestion struct {
	translated
	model string // under test
}

// readChat understands a request for a chat completion.
func (g *Gateway) readChat(r *http.Request, asked members) (question, error) {
	q := &chatQuestion{translated: translated{gateway: g}, model: g.model.Name()}
	_ = decode("stream", asked["stream"], &q.stream) // values that are no booleans are ignored
	if models.Takes(g.model, models.Chat, q.stream) {
		return g.verbatim(r, models.Chat, asked, q)
	}
	for _, name := range ours {
		delete(asked, name)
	}
	q.chat = asked
	return q, g.intake.decode(r.Context(), func() error { return g.answered(asked["messages"]) })
}

func (q *chatQuestion) answer(answer models.Response) any {
	return q.completion(answer)
}

// chatWriter writes a chat completion as events.
type chatWriter struct {
	q       *chatQuestion
	id      string
	emit    func(event)
	begun   bool
	calls   int // begun
	created int64
}

func (q *chatQuestion) writer(send func(event), _ *models.Usage) writer {
	return &chatWriter{q: q, id: chatID(), emit: send, created: time.Now().Unix()}
}

// send sends what the message has more than before.
func (w *chatWriter) send(delta map[string]any, finish any, usage map[string]any) {
	if !w.begun {
		w.begun = true
		w.send(map[string]any{"role": "assistant", "content": ""}, nil, nil)
	}
	chunk := map[string]any{
		"id": w.id, "object": "chat.completion.chunk", "created": w.created, "model": w.q.model,
		"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish, "logprobs": nil}},
	}
	if usage != nil {
		chunk["usage"] = usage
	}
	w.emit(event{data: chunk})
}

func (w *chatWriter) delta(d models.Delta) error {
	if d.Text != "" {
		w.send(map[string]any{"content": d.Text}, nil, nil)
	}
	if !d.OfCall() {
		return nil
	}
	call := map[string]any{"index": d.Call, "function": map[string]string{"arguments": d.Arguments}}
	if d.Call >= w.calls {
		w.calls = d.Call + 1
		call["id"], call["type"], call["function"] = d.ID, "function", map[string]string{"name": d.Name, "arguments": d.Arguments}
	}
	w.send(map[string]any{"tool_calls": []any{call}}, nil, nil)
	return nil
}

func (w *chatWriter) end(answer models.Response) {
	w.send(map[string]any{}, answer.FinishReason, chatUsage(answer.Usage))
	w.emit(event{data: "[DONE]"})
}

func (w *chatWriter) broken(err error) {
	w.emit(event{data: map[string]any{"error": map[string]any{"message": err.Error(), "type": brokenOff, "code": brokenOff}}})
}

// chatID is the identifier of a completion.
func chatID() string { return fmt.Sprintf("agentd-%d", time.Now().UnixNano()) }

// completion is an answer as the protocol has it.
func (q *chatQuestion) completion(answer models.Response) map[string]any {
	said := map[string]any{"role": "assistant", "content": answer.Message.Content, "refusal": nil}
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
	return map[string]any{
		"id": chatID(), "object": "chat.completion", "created": time.Now().Unix(), "model": q.model,
		"choices": []any{map[string]any{"index": 0, "message": said, "finish_reason": answer.FinishReason, "logprobs": nil}},
		"usage":   chatUsage(answer.Usage),
	}
}

func chatUsage(u models.Usage) map[string]any {
	return map[string]any{
		"prompt_tokens": u.Prompt, "completion_tokens": u.Completion, "total_tokens": u.Total(),
		"prompt_tokens_details":     map[string]int{"cached_tokens": u.Cached},
		"completion_tokens_details": map[string]int{"reasoning_tokens": u.Reasoning},
	}
}
