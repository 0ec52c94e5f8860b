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
	trial chan struct{} // a place for each request until the first answer

	mu       sync.Mutex
	answered bool
	status   int // of the refusals in a row
	refusals int
	ended    *Error // what all further requests get; nil if they are let through
}

// NewGuard returns a guard of the model.
func NewGuard(model Model) *Guard {
	return &Guard{model: model, trial: make(chan struct{}, RefusalsThatEnd)}
}

// Name is the model's.
func (g *Guard) Name() string { return g.model.Name() }

// Complete asks the model. Once the arm has ended, the error is an *Error of the kind
// Ended.
func (g *Guard) Complete(ctx context.Context, req Request) (Response, error) {
	leave, err := g.enter(ctx)
	if err != nil {
		return Response{}, err
	}
	defer leave()
	answer, err := g.model.Complete(ctx, req)
	g.notice(err)
	return answer, err
}

// enter waits until a request may be made. leave is to be called after it.
func (g *Guard) enter(ctx context.Context) (leave func(), err error) {
	if done, err := g.state(); done || err != nil {
		return func() {}, err
	}
	select {
	case g.trial <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if _, err := g.state(); err != nil {
		<-g.trial
		return nil, err
	}
	return func() { <-g.trial }, nil
}

// state reports whether the server has answered before, or why it is asked no more.
func (g *Guard) state() (answered bool, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ended != nil {
		return false, g.ended
	}
	return g.answered, nil
}

// notice counts refusals in a row.
func (g *Guard) notice(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
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
