package gateway

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"

	"agentd/models"
	"agentd/models/wire"
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
func (g *Gateway) complete(read reader) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, done, err := g.intake.read(r, 1)
		defer done()
		if err != nil {
			refuse(w, fmt.Errorf("the request cannot be read: %w", err))
			return
		}
		g.observer.Arrived()
		q, err := g.understand(r, body, read)
		if err != nil {
			refuse(w, err)
			return
		}
		defer q.close()
		over, err := g.observer.Ask(q.streamed())
		if err != nil {
			Fail(w, http.StatusTooManyRequests, "insufficient_quota", err.Error())
			return
		}
		defer over()
		g.ask(w, r, q)
	}
}

// ask asks the model a question and answers it.
func (g *Gateway) ask(w http.ResponseWriter, r *http.Request, q question) {
	request := q.request()
	request.Seed = g.options.Seed
	if g.said.any() {
		request.Recall = g.said.recall
	}
	out := &outgoing{w: w, q: q, most: g.options.MaxCalls}
	if q.streamed() {
		request.Stream, request.Follow = true, out.follow
	}
	ctx, done := g.asking(r, out.begun.Load)
	defer done()
	answer, err := g.model.Complete(ctx, request)
	if err != nil {
		g.observer.Failed(err, out.begun.Load())
		if out.begun.Load() {
			out.broken(err)
		} else {
			failWith(w, err)
		}
		return
	}
	g.said.keep(&answer.Message)
	g.observer.Answered(&answer)
	switch {
	case !q.streamed():
		reply(w, http.StatusOK, q.answer(answer))
	case out.end(answer) != nil:
		out.broken(errOutOfOrder)
	}
}

// settled takes the settings out of a chat completion that are not the command's to decide
// on.
func (g *Gateway) settled(request members) members {
	if g.options.OwnSettings {
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
	gateway *Gateway
	chat    members // the request, without what the experiment decides on
	stream  bool
}

func (q *translated) request() models.Request {
	request := models.Request{Members: wire.Members(q.gateway.settled(q.chat))}
	q.chat = nil
	return request
}

func (q *translated) streamed() bool { return q.stream }

func (q *translated) raw(models.Response) bool { return false }

func (q *translated) wanted([]byte) bool { return true }

func (q *translated) close() {}

// understand makes a question of a request's body.
func (g *Gateway) understand(r *http.Request, body []byte, read reader) (question, error) {
	var asked members
	err := g.intake.decode(r.Context(), func() (err error) {
		asked, err = survey(body)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the request cannot be read: %w", err)
	}
	return read(r, asked)
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
