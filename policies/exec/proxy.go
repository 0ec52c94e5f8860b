package exec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"agentd/models"
)

// question is a request for a completion, in whichever dialect of the protocol it
// was asked. While the model answers it holds no more of the request than it needs.
type question interface {
	// request returns it, once, as the model is asked, without what the experiment
	// decides on.
	request() models.Request
	// streamed reports whether the answer is to be sent as events.
	streamed() bool
	// answer returns the answer as one object, and writer writes what is streamed
	// instead; usage is known only of an answer that has come already.
	answer(models.Response) any
	writer(send func(event), usage *models.Usage) writer
	// raw reports whether the events of an answer were sent as the model's server wrote
	// them, and wanted whether one of the last of those is for the client.
	raw(models.Response) bool
	wanted(event []byte) bool
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

// reader understands a request; its error says what is wrong with it.
type reader func(*http.Request, members) (question, error)

// complete answers requests for a completion, with the model under test.
func (s *server) complete(read reader) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, done, err := s.intake.read(r, 1)
		defer done()
		if err != nil {
			refuse(w, fmt.Errorf("the request cannot be read: %w", err))
			return
		}
		s.look()
		q, err := s.understand(r, body, read)
		if err != nil {
			refuse(w, err)
			return
		}
		defer q.close()
		if !s.begin() {
			fail(w, http.StatusTooManyRequests, "insufficient_quota", "the interaction has no turn left")
			return
		}
		s.ask(w, r, q)
	}
}

// ask asks the model a question and answers it.
func (s *server) ask(w http.ResponseWriter, r *http.Request, q question) {
	request := q.request()
	request.Seed = s.task.Seed
	if s.said.any() {
		request.Recall = s.said.recall
	}
	out := &outgoing{w: w, q: q}
	if q.streamed() {
		request.Stream, request.Follow = true, out.follow
		s.streams.Add(1)
		defer s.streams.Add(-1)
	}
	ctx, done := s.asking(r, out.begun.Load)
	defer done()
	answer, err := s.policy.Model.Complete(ctx, request)
	if err != nil {
		s.failedWith(err, out.begun.Load())
		if out.begun.Load() {
			out.broken(err)
		} else {
			failWith(w, err)
		}
		return
	}
	s.said.keep(&answer.Message)
	s.account(&answer)
	switch {
	case !q.streamed():
		reply(w, http.StatusOK, q.answer(answer))
	case out.end(answer) != nil:
		out.broken(errOutOfOrder)
	}
}

// settled takes the settings out of a chat completion that are not the command's to decide
// on.
func (s *server) settled(request members) members {
	if s.policy.options.OwnSettings {
		return request
	}
	for _, name := range theirs[models.Chat] {
		delete(request, name)
	}
	return request
}

// translated is a question in another dialect than the model's server speaks, or one that
// the model's settings cannot be laid over: it becomes a chat completion.
type translated struct {
	server *server
	chat   members // the request, without what the experiment decides on
	stream bool
}

func (q *translated) request() models.Request {
	request := models.Request{Members: q.server.settled(q.chat)}
	q.chat = nil
	return request
}

func (q *translated) streamed() bool { return q.stream }

func (q *translated) raw(models.Response) bool { return false }

func (q *translated) wanted([]byte) bool { return true }

func (q *translated) close() {}

// understand makes a question of a request's body, and notes the answers to calls in
// it.
func (s *server) understand(r *http.Request, body []byte, read reader) (question, error) {
	var asked members
	err := s.intake.decode(r.Context(), func() (err error) {
		asked, err = survey(body)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the request cannot be read: %w", err)
	}
	return read(r, asked)
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
	if raw, ok := body.(json.RawMessage); ok { // as it came
		_, _ = w.Write(raw)
		return
	}
	_ = json.NewEncoder(w).Encode(body) // a client that went away needs no answer
}

// fail answers with an error. Clients are told not to retry, because the model's client
// has done so.
func fail(w http.ResponseWriter, status int, kind, text string) {
	w.Header().Set("x-should-retry", "false")
	reply(w, status, map[string]any{"error": map[string]any{"message": text, "type": kind, "code": kind}})
}
