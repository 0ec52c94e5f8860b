package models

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// RefusalsThatEnd is after how many refused requests in a row a Guard lets no more
// through.
const RefusalsThatEnd = 3

// Guard is a model for one arm of an experiment. It ends the arm when the server will
// not serve it: when the first requests are all refused with the same status, such as
// 400 for a setting that the model does not take, or later when requests in a row are
// refused for want of a key, of money, or of the model. Until the server has answered
// once, no more than RefusalsThatEnd requests are under way at the same time.
type Guard struct {
	model Model

	mu       sync.Mutex
	changed  chan struct{} // closed when what follows changes
	answered bool
	underWay int // requests, until the first answer
	status   int // of the refusals in a row
	refusals int
	ended    *Error // what all further requests get; nil if they are let through
}

// NewGuard returns a guard of the model.
func NewGuard(model Model) *Guard { return &Guard{model: model, changed: make(chan struct{})} }

// Name is the model's.
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

// enter waits until a request may be made. Before the first answer it waits while the
// requests under way could, if all are refused, exceed the number of refusals.
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

// leave notes how a request ended.
func (g *Guard) leave(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.underWay--
	g.notice(err)
	close(g.changed)
	g.changed = make(chan struct{})
}

// notice counts refusals in a row. g.mu is held.
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

// refusal reports whether the server said that it does not serve such a request.
func (e *Error) refusal() bool { return e.Status >= 300 && e.Status < 500 && !e.Kind.away() }

// ofAccount kinds concern the account or the model, not a single request.
func (k ErrorKind) ofAccount() bool { return k == Denied || k == NotFound || k == Redirected }

// remedy says what to do about requests that are refused.
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
