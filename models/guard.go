package models

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// RefusalsThatEnd is the number of consecutive refused requests after which a Guard sends no
// more.
const RefusalsThatEnd = 3

// Guard is a model for one arm of an experiment. It ends the arm when the server will not serve
// it. At the start, that is when all requests are refused with the same status, such as 400 for
// an unsupported setting. Later, it is when consecutive requests are refused because of the
// key, the account's funds or a missing model. Until the first answer, at most RefusalsThatEnd
// requests run at the same time.
type Guard struct {
	model Model

	mu       sync.Mutex
	changed  chan struct{} // closed when the fields below change
	answered bool
	underWay int // requests in progress, until the first answer
	status   int // of the consecutive refusals
	refusals int
	ended    *Error // returned for all further requests; nil while the arm runs
}

// NewGuard returns a guard of the model.
func NewGuard(model Model) *Guard { return &Guard{model: model, changed: make(chan struct{})} }

// Name returns the model's name.
func (g *Guard) Name() string { return g.model.Name() }

// Complete asks the model. Once the arm has ended, the error is an *Error of the kind
// Ended.
func (g *Guard) Complete(ctx context.Context, req Request) (Response, error) {
	if err := g.enter(ctx); err != nil {
		return Response{}, err
	}
	answer, err := g.model.Complete(ctx, req)
	g.leave(err)
	return answer, err
}

// enter waits until a request may be sent. Before the first answer, it waits while the refusals
// and the requests in progress together reach RefusalsThatEnd.
func (g *Guard) enter(ctx context.Context) error {
	for {
		g.mu.Lock()
		switch {
		case g.ended != nil:
			g.mu.Unlock()
			return g.ended
		case g.answered || g.underWay+g.refusals < RefusalsThatEnd:
			g.underWay++
			g.mu.Unlock()
			return nil
		}
		changed := g.changed
		g.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// leave records how a request ended.
func (g *Guard) leave(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.underWay--
	g.notice(err)
	close(g.changed)
	g.changed = make(chan struct{})
}

// notice counts consecutive refusals. g.mu must be held.
func (g *Guard) notice(err error) {
	var failure *Error
	switch {
	case err == nil:
		g.answered, g.refusals = true, 0
		return
	case !errors.As(err, &failure) || !failure.refusal() || g.answered && !failure.Kind.ofAccount():
		return
	}
	if failure.Status != g.status {
		g.status, g.refusals = failure.Status, 0
	}
	g.refusals++
	if g.refusals >= RefusalsThatEnd && g.ended == nil {
		g.ended = &Error{Kind: Ended, Status: failure.Status, Model: failure.Model, Err: fmt.Errorf(
			"%d requests in a row were refused with status %d: %w; %s", g.refusals, failure.Status, failure.Err, failure.Kind.remedy())}
	}
}

// refusal reports whether the server refused the request (status 300 to 499) for another reason
// than a lack of capacity.
func (e *Error) refusal() bool { return e.Status >= 300 && e.Status < 500 && !e.Kind.away() }

// ofAccount reports whether the kind concerns the account or the model, not a single request.
func (k ErrorKind) ofAccount() bool { return k == Denied || k == NotFound || k == Redirected }

// remedy tells the user what to do about refused requests.
func (k ErrorKind) remedy() string {
	switch k {
	case Denied:
		return "check the key, and what its account may use"
	case Redirected:
		return "set base_url to the address that it points to, if you trust that one with the key"
	case NotFound:
		return "check base_url, which often ends in /v1, and the model's name"
	case ContextLength:
		return "the documents are longer than the model takes; choose smaller environments, or leave the distractors out"
	case Filtered:
		return "the server's content filter does not let the documents pass; choose other environments"
	}
	return "change what the server names: an experiment file has settings for a model (temperature, max_output, reasoning, body: {NAME: null} leaves a member out)"
}
