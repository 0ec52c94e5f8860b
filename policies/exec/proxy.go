package exec

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"agentd/models"
)

// question is a request for a completion, in whichever dialect of the protocol it
// was asked. While the model answers it holds no more of the request than it needs.
type question interface {
	// chat returns it, once, as the members of a chat completion, without those that
	// the experiment decides on.
	chat() members
	// streamed reports whether the answer is to be sent as events.
	streamed() bool
	// answer returns the answer as one object, and events what is streamed instead.
	answer(models.Response) any
	events(models.Response) []event
	// close gives back the memory that the question needed.
	close()
}

// event is one of a stream.
type event struct {
	name string // "" for none
	data any    // a text is sent as it is, all else as JSON
}

// ours are the members of a request that the experiment decides on, or that make no
// difference where one complete answer is sent.
var ours = []string{"model", "seed", "n", "stream", "stream_options", "store", "user", "metadata", "service_tier"}

// complete answers requests for a completion, with the model under test. read
// understands a request; its error says what is wrong with it.
func (s *server) complete(read func(context.Context, members) (question, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, done, err := s.intake.read(r, 1)
		defer done()
		if err != nil {
			refuse(w, fmt.Errorf("the request cannot be read: %w", err))
			return
		}
		q, err := s.understand(r.Context(), body, read)
		if err != nil {
			refuse(w, err)
			return
		}
		defer q.close()
		if !s.begin() {
			fail(w, http.StatusTooManyRequests, "insufficient_quota", "the interaction has no turn left")
			return
		}
		request := models.Request{Members: q.chat(), Seed: s.task.Seed}
		if s.said.any() {
			request.Recall = s.said.recall
		}
		answer, err := s.policy.Model.Complete(r.Context(), request)
		if err != nil {
			s.failedWith(err)
			failWith(w, err)
			return
		}
		s.said.keep(&answer.Message)
		s.account(&answer)
		if q.streamed() {
			stream(w, q.events(answer))
		} else {
			reply(w, http.StatusOK, q.answer(answer))
		}
	}
}

// understand makes a question of a request's body, and notes the answers to calls in
// it.
func (s *server) understand(ctx context.Context, body []byte, read func(context.Context, members) (question, error)) (question, error) {
	var asked members
	err := s.intake.decode(ctx, func() (err error) {
		asked, err = survey(body)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the request cannot be read: %w", err)
	}
	return read(ctx, asked)
}

// refuse answers a request that is not understood.
func refuse(w http.ResponseWriter, err error) {
	status := http.StatusBadRequest
	if errors.Is(err, errTooLarge) {
		status = http.StatusRequestEntityTooLarge
	}
	fail(w, status, "invalid_request_error", err.Error())
}

// failWith answers a request that got no completion.
func failWith(w http.ResponseWriter, err error) {
	status := http.StatusBadGateway
	var model *models.Error
	if errors.As(err, &model) && (model.Kind == models.Refused || model.Kind == models.ContextLength) {
		status = http.StatusBadRequest
	}
	fail(w, status, "model_error", err.Error())
}

// stream sends a complete answer as events.
func stream(w http.ResponseWriter, events []event) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events {
		text, ok := e.data.(string)
		if !ok {
			raw, err := encode(e.data)
			if err != nil { // events are made of what was JSON before
				return
			}
			text = string(raw)
		}
		if e.name != "" {
			fmt.Fprintf(w, "event: %s\n", e.name)
		}
		fmt.Fprintf(w, "data: %s\n\n", text) // a client that went away needs no answer
	}
}

// encode is json.Marshal without escapes for HTML, so that a client's text reaches the
// model unchanged.
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

// fail answers with an error. Clients are told not to retry, because the model's client
// has done so.
func fail(w http.ResponseWriter, status int, kind, text string) {
	w.Header().Set("x-should-retry", "false")
	reply(w, status, map[string]any{"error": map[string]any{"message": text, "type": kind, "code": kind}})
}
