package gateway

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"agentd/models"
	"agentd/models/wire"
	"agentd/models/wire/responses"
)

// question is a request for a completion. It keeps no more of the request than is needed while
// the model answers.
type question struct {
	codec wire.Codec
	// request is sent to the model. decoded is needed to encode the answer.
	request models.Request
	decoded *wire.Request
	// verbatim says that the client uses the dialect of the model's server, so that request and
	// answer are forwarded unchanged.
	verbatim bool
	release  func() // releases the room of the stored conversation
}

// complete handles requests for a completion. head, if not nil, reads what a request says
// outside its body.
func (g *Gateway) complete(c wire.Codec, head func(*wire.Request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, done, err := g.intake.read(r, 1)
		defer done()
		if err != nil {
			refuse(w, fmt.Errorf("the request cannot be read: %w", err))
			return
		}
		g.observer.Arrived()
		q, err := g.understand(r, c, head, body)
		if err != nil {
			refuse(w, err)
			return
		}
		defer q.release()
		over, err := g.observer.Ask(q.decoded.Stream)
		if err != nil {
			Fail(w, http.StatusTooManyRequests, "insufficient_quota", err.Error())
			return
		}
		defer over()
		g.ask(w, r, q)
	}
}

// understand converts a request's body to a question.
func (g *Gateway) understand(r *http.Request, c wire.Codec, head func(*wire.Request), body []byte) (*question, error) {
	var members wire.Members
	err := g.intake.decode(r.Context(), func() (err error) {
		members, err = survey(body)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the request cannot be read: %w", err)
	}
	begun := members.Head()
	if head != nil {
		head(&begun)
	}
	size, needed := 0, false
	if c, ok := c.(responses.Codec); ok {
		size, needed = c.Needed(members)
	}
	q := &question{codec: c, decoded: &begun, release: func() {}, verbatim: !needed && models.Takes(g.model, c.API(), begun.Stream)}
	if size > 0 {
		if q.release, err = g.intake.name(r.Context(), size); err != nil {
			return nil, err
		}
	}
	err = g.intake.decode(r.Context(), func() error {
		if q.verbatim {
			return g.goOn(q, r, members)
		}
		return g.translate(q, members)
	})
	if err != nil {
		q.release()
		return nil, err
	}
	return q, nil
}

// goOn makes a question of a request that is forwarded unchanged, except for members that the
// client must not set.
func (g *Gateway) goOn(q *question, r *http.Request, members wire.Members) error {
	results, err := q.codec.Results(members)
	if err != nil {
		return err
	}
	var sampling []string
	if !g.options.OwnSettings {
		sampling = q.codec.Sampling()
	}
	left, err := members.Strip(sampling)
	if err != nil {
		return err
	}
	g.told(left, results)
	q.request = models.Request{Members: members}
	if beta := r.Header.Values("Anthropic-Beta"); q.codec.API() == wire.Messages && len(beta) > 0 {
		q.request.Header = http.Header{"Anthropic-Beta": beta}
	}
	return nil
}

// translate makes a question of a request in another dialect, or of one to which the model's
// settings cannot be applied.
func (g *Gateway) translate(q *question, members wire.Members) error {
	decoded, err := q.codec.Decode(members)
	if err != nil {
		return err
	}
	results, err := q.codec.Results(members)
	if err != nil {
		return err
	}
	g.told(decoded.LeftOut, results)
	q.request = models.Request{
		Messages: slices.DeleteFunc(decoded.Messages, func(m wire.Message) bool { return !m.Says() }),
		Tools:    decoded.Tools, Settings: decoded.Settings,
	}
	if !g.options.OwnSettings {
		q.request.Settings = decoded.WithoutSampling()
	}
	decoded.Model, decoded.Stream, decoded.Usage = q.decoded.Model, q.decoded.Stream, q.decoded.Usage
	decoded.Messages, decoded.Tools, decoded.LeftOut = nil, nil, nil
	q.decoded = decoded
	return nil
}

// told tells the observer what is not sent to the model, and the results of the model's calls.
func (g *Gateway) told(left []string, results []wire.Result) {
	for _, what := range left {
		g.observer.LeftOut(what[:min(len(what), wire.MaxWord)])
	}
	g.observer.Returned(results)
}

// ask sends a question to the model and writes the answer.
func (g *Gateway) ask(w http.ResponseWriter, r *http.Request, q *question) {
	request := q.request
	q.request = models.Request{}
	request.Seed = g.options.Seed
	if g.said.any() {
		request.Recall = g.said.recall
	}
	head := &wire.Answer{ID: rand.Text(), Model: g.nameOf(q)}
	out := &outgoing{w: w, q: q, head: head, most: g.options.MaxCalls}
	if q.decoded.Stream {
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
	case q.decoded.Stream:
		if out.end(answer) != nil {
			out.broken(wire.ErrOutOfOrder)
		}
	case q.verbatim:
		reply(w, http.StatusOK, json.RawMessage(answer.Raw))
	default:
		out.fill(answer)
		reply(w, http.StatusOK, q.codec.EncodeAnswer(q.decoded, head))
	}
}

// nameOf is the model's name in an answer: its own name in OpenAI's dialects, and the client's
// name for it in the others.
func (g *Gateway) nameOf(q *question) string {
	if api := q.codec.API(); api == wire.Messages || api == wire.Gemini {
		return q.decoded.Model
	}
	return g.model.Name()
}
