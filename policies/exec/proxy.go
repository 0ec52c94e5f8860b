package exec

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"agentd/models"
)

// maxRequest bounds a request, in bytes.
const maxRequest = 64 << 20

// message is what we need to know of a message.
type message struct {
	Role       string          `json:"role"`
	ToolCallID string          `json:"tool_call_id"`
	Content    json.RawMessage `json:"content"`
}

// ours are the members of a request that the experiment decides on, or that make
// no difference to a single answer that is sent as a whole.
var ours = []string{"model", "seed", "n", "stream", "stream_options", "store", "user", "metadata", "service_tier"}

// complete answers a request for a completion, with the model under test.
func (s *server) complete(w http.ResponseWriter, r *http.Request) {
	var members map[string]json.RawMessage
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRequest)).Decode(&members); err != nil {
		fail(w, http.StatusBadRequest, "invalid_request_error", "the request cannot be read: "+err.Error())
		return
	}
	var messages []message
	if err := json.Unmarshal(members["messages"], &messages); err != nil || len(messages) == 0 {
		fail(w, http.StatusBadRequest, "invalid_request_error", "the request has no messages")
		return
	}
	var stream bool
	_ = json.Unmarshal(members["stream"], &stream) // what is no truth value asks for nothing
	for _, name := range ours {
		delete(members, name)
	}
	s.answered(messages)
	if !s.begin() {
		fail(w, http.StatusTooManyRequests, "insufficient_quota", "the interaction has no turn left")
		return
	}
	answer, err := s.policy.Model.Complete(r.Context(), models.Request{Members: members, Seed: s.task.Seed})
	if err != nil {
		s.refuse(err)
		status := http.StatusBadGateway
		var model *models.Error
		if errors.As(err, &model) && (model.Kind == models.Refused || model.Kind == models.ContextLength) {
			status = http.StatusBadRequest
		}
		fail(w, status, "model_error", err.Error())
		return
	}
	s.account(answer)
	if stream {
		s.stream(w, answer)
	} else {
		reply(w, http.StatusOK, s.completion(answer, "message", "chat.completion"))
	}
}

// completion is an answer as the protocol has it; part is what its message is
// called.
func (s *server) completion(answer models.Response, part, object string) map[string]any {
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
	return map[string]any{
		"id": fmt.Sprintf("agentd-%d", time.Now().UnixNano()), "object": object, "created": time.Now().Unix(),
		"model":   s.policy.Model.Name(),
		"choices": []any{map[string]any{"index": 0, part: said, "finish_reason": answer.FinishReason, "logprobs": nil}},
		"usage":   usage(answer.Usage),
	}
}

func usage(u models.Usage) map[string]any {
	return map[string]any{
		"prompt_tokens": u.Prompt, "completion_tokens": u.Completion, "total_tokens": u.Total(),
		"prompt_tokens_details":     map[string]int{"cached_tokens": u.Cached},
		"completion_tokens_details": map[string]int{"reasoning_tokens": u.Reasoning},
	}
}

// stream sends an answer as one event: it came as a whole.
func (s *server) stream(w http.ResponseWriter, answer models.Response) {
	raw, err := json.Marshal(s.completion(answer, "delta", "chat.completion.chunk"))
	if err != nil {
		fail(w, http.StatusInternalServerError, "server_error", err.Error())
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", raw)
}

func (s *server) listModels(w http.ResponseWriter, _ *http.Request) {
	reply(w, http.StatusOK, map[string]any{"object": "list", "data": []any{
		map[string]any{"id": s.policy.Model.Name(), "object": "model", "created": 0, "owned_by": "agentd"},
	}})
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // a client that went away needs no answer
}

// fail answers with an error. Clients are told not to try again: that was done.
func fail(w http.ResponseWriter, status int, kind, text string) {
	w.Header().Set("x-should-retry", "false")
	reply(w, status, map[string]any{"error": map[string]any{"message": text, "type": kind, "code": kind}})
}
