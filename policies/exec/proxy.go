package exec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"agentd/models"
)

// maxRequest bounds a request, in bytes.
const maxRequest = 64 << 20

// members are those of a JSON object.
type members map[string]json.RawMessage

// question is a request for a completion, in whichever dialect of the protocol it
// was asked.
type question interface {
	// chat returns it as the members of a chat completion, without those that the
	// experiment decides on.
	chat() members
	// answer returns the answer as one object, and events what is streamed instead.
	answer(models.Response) any
	events(models.Response) []event
}

// event is one of a stream.
type event struct {
	name string // "" for none
	data any    // a text is sent as it is, all else as JSON
}

// ours are the members of a request that the experiment decides on, or that make
// no difference to a single answer that is sent as a whole.
var ours = []string{"model", "seed", "n", "stream", "stream_options", "store", "user", "metadata", "service_tier"}

// message is what we need to know of a message.
type message struct {
	Role       string          `json:"role"`
	ToolCallID string          `json:"tool_call_id"`
	Content    json.RawMessage `json:"content"`
}

// complete answers requests for a completion, with the model under test. read
// understands a request; its error says what is wrong with it.
func (s *server) complete(read func(members) (question, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var asked members
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRequest)).Decode(&asked); err != nil {
			fail(w, http.StatusBadRequest, "invalid_request_error", "the request cannot be read: "+err.Error())
			return
		}
		q, err := read(asked)
		if err != nil {
			fail(w, http.StatusBadRequest, "invalid_request_error", err.Error())
			return
		}
		request := q.chat()
		var messages []message
		if err := json.Unmarshal(request["messages"], &messages); err != nil || len(messages) == 0 {
			fail(w, http.StatusBadRequest, "invalid_request_error", "the request has no messages")
			return
		}
		s.answered(messages)
		if !s.begin() {
			fail(w, http.StatusTooManyRequests, "insufficient_quota", "the interaction has no turn left")
			return
		}
		answer, err := s.policy.Model.Complete(r.Context(), models.Request{Members: request, Seed: s.task.Seed})
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
		var streamed bool
		_ = json.Unmarshal(asked["stream"], &streamed) // what is no truth value asks for nothing
		if streamed {
			stream(w, q.events(answer))
		} else {
			reply(w, http.StatusOK, q.answer(answer))
		}
	}
}

// stream sends an answer as events, all at once: it came as a whole.
func stream(w http.ResponseWriter, events []event) {
	var b bytes.Buffer
	for _, e := range events {
		text, ok := e.data.(string)
		if !ok {
			raw, err := encode(e.data)
			if err != nil {
				fail(w, http.StatusInternalServerError, "server_error", err.Error())
				return
			}
			text = string(raw)
		}
		if e.name != "" {
			fmt.Fprintf(&b, "event: %s\n", e.name)
		}
		fmt.Fprintf(&b, "data: %s\n\n", text)
	}
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = b.WriteTo(w) // a client that went away needs no answer
}

// encode is json.Marshal without escapes for HTML: what a client says reaches the
// model as it was said.
func encode(value any) (json.RawMessage, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
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
