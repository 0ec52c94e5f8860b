package models

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"agentd/models/wire"
)

const (
	firstBackoff  = 500 * time.Millisecond
	maxBackoff    = 30 * time.Second
	maxRetryAfter = 2 * time.Minute // longer waits are shortened to this
	maxErrorText  = 2_000           // bytes; an error page can be long
)

// Open returns a client of the model without connecting to its server. It returns an error if
// the key is missing, unless the spec has a base URL and no key_env, because local servers need
// no key. Close closes the client's idle connections.
//
// limiter enforces the spec's rate limits. It may be nil if the spec has none.
func Open(spec Spec, limiter Limiter) (Model, error) {
	c, err := newClient(spec)
	if err != nil {
		return nil, err
	}
	if c.limiter = limiter; limiter == nil && spec.RequestsPerMinute+spec.TokensPerMinute > 0 {
		return nil, fmt.Errorf("model %s: it has rate limits, but there is no limiter to keep them", spec.Name)
	}
	if spec.Replay != "" {
		return openReplay(c)
	}
	return c, c.dial()
}

// Plan returns a model for a plan. It checks the spec as Open does, but needs no key and no
// server. Complete always fails.
func Plan(spec Spec) (Model, error) {
	c, err := newClient(spec)
	if err != nil {
		return nil, err
	}
	return planned{c}, nil
}

type planned struct{ *client }

func (p planned) Complete(context.Context, Request) (Response, error) {
	return Response{}, &Error{Kind: NoKey, Model: p.spec.Name, Err: errors.New("it is part of a plan, which asks no model")}
}

// newClient returns a client that can encode requests, but not send them.
func newClient(spec Spec) (*client, error) {
	spec, profile, err := spec.resolve()
	if err != nil {
		return nil, err
	}
	if err := spec.check(); err != nil {
		return nil, fmt.Errorf("model %s: %w", spec.Name, err)
	}
	return &client{spec: spec, dialect: newDialect(spec, profile), pause: pause}, nil
}

// dial creates the sender, which needs the server's key.
func (c *client) dial() error {
	key, err := c.spec.key()
	if err != nil {
		return &Error{Kind: NoKey, Model: c.spec.Name, Err: err}
	}
	own, secrets, err := c.spec.header()
	if err != nil {
		return &Error{Kind: NoKey, Model: c.spec.Name, Err: err}
	}
	c.secrets = newSecrets(append(secrets, key))
	address, header := c.dialect.endpoint(key, c.spec.Stream)
	stream, _ := c.dialect.endpoint(key, true)
	maps.Copy(header, own)
	c.sender = newSender(address, stream, header)
	return nil
}

type client struct {
	spec    Spec
	dialect *dialect
	sender  *sender  // nil if the client only encodes requests
	secrets *secrets // that are sent with requests
	// pause waits between two attempts; an error ends the request.
	pause    func(context.Context, time.Duration) error
	limiter  Limiter
	recorder *Recorder // nil if answers are not recorded
	leaving  sync.Mutex
	left     wire.Omissions // settings that the server has refused
	// misses counts completions in a row for which the server could not be reached or
	// had no capacity.
	misses atomic.Int32
}

// Close closes a model's idle connections, if it has any.
func Close(m Model) {
	if c, ok := m.(*client); ok && c.sender != nil {
		c.sender.http.CloseIdleConnections()
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *client) Name() string { return c.spec.Name }

func (c *client) Complete(ctx context.Context, req Request) (Response, error) {
	req.Terms = req.Terms.within(&c.spec, req.size())
	response, err := c.persist(ctx, req, req.Terms.under(&c.spec))
	if err = c.notice(err); c.recorder == nil {
		return response, err
	}
	body, unwritten := c.encode(req, nil) // without omissions, because a replay never sees a refusal
	if unwritten != nil {
		return response, err
	}
	if kept := c.recorder.keep(ctx, c.spec.Name, body, response, err); kept != nil {
		return Response{}, &Error{Kind: Broken, Model: c.spec.Name, Err: kept}
	}
	return response, err
}

// maxRequest is the largest request in bytes. It exceeds the context of any model. Without it,
// a server with long answers could make a conversation grow forever.
const maxRequest = 20 << 20

// encode returns the body of a request, without the omitted settings. An error is an *Error.
func (c *client) encode(req Request, without wire.Omissions) ([]byte, error) {
	body, err := c.dialect.encode(req, without)
	if err != nil {
		return nil, &Error{Kind: Refused, Model: c.spec.Name, Err: err}
	}
	if len(body) > maxRequest {
		return nil, &Error{Kind: ContextLength, Model: c.spec.Name, Err: fmt.Errorf("the request has %d bytes, more than %d", len(body), maxRequest)}
	}
	return body, nil
}

// persist sends a request until there is an answer, a retry cannot help, or the terms allow no
// further attempt.
func (c *client) persist(ctx context.Context, req Request, terms Terms) (Response, error) {
	start := time.Now()
	without := c.leftOut()
	body, err := c.encode(req, without)
	if err != nil {
		return Response{}, err
	}
	expected := len(body) / bytesPerToken
	p := posting{
		body: body, stream: req.Stream || c.spec.Stream, header: req.Header, events: c.dialect.Reader,
		verbatim: req.Members != nil, kept: req.Members != nil && c.recorder != nil,
	}
	if req.Follow != nil {
		p.follow = &following{tell: req.Follow, verbatim: req.Members != nil, secrets: c.secrets}
	}
	var waste Waste
	var failed failures
	for {
		if err := c.keepRates(ctx, expected); err != nil {
			return Response{}, c.unlessInterrupted(ctx, err)
		}
		response, got, err := c.attempt(ctx, &p, terms.Timeout)
		if err == nil {
			response.Duration, response.Retries, response.Waste = time.Since(start), failed.count(), waste
			response.Without = without
			return response, c.unlessInterrupted(ctx, c.settle(ctx, response.Usage.Total()-expected))
		}
		if ctx.Err() != nil {
			return Response{}, ctx.Err()
		}
		var said *wire.Error
		if errors.As(err, &said) && c.leaveOut(said.RefusedSetting(c.spec.API == Chat && c.spec.MaxOutputField == "", c.spec.chose), without) {
			without = c.leftOut()
			if p.body, err = c.encode(req, without); err != nil {
				return Response{}, err
			}
			continue
		}
		waste.attempted(got, err)
		kind := classify(got.status, err)
		if !failed.allow(terms, kind) || p.follow != nil && p.follow.begun {
			return Response{}, &Error{
				Kind: kind, Status: got.status, Model: c.spec.Name, Retries: failed.count() - 1, Waste: waste, Err: c.presentable(err),
			}
		}
		wait := terms.Pause
		if wait <= 0 {
			wait = c.backoff(failed.count())
		}
		if said != nil {
			wait = max(wait, min(said.Wait, maxRetryAfter))
		}
		if err := c.pause(ctx, max(wait, retryAfter(got.header))); err != nil {
			return Response{}, err
		}
	}
}

// unlessInterrupted turns a limiter's error into one that ends the work, unless the request was
// interrupted.
func (c *client) unlessInterrupted(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return &Error{Kind: Broken, Model: c.spec.Name, Err: fmt.Errorf("keeping its rate limits: %w", err)}
}

// attempt sends a request once, with a timeout.
func (c *client) attempt(ctx context.Context, p *posting, timeout time.Duration) (Response, *reply, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	got, err := c.sender.post(ctx, p)
	defer got.done()
	var response Response
	if err == nil {
		response, err = c.understand(p, got)
	}
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("no answer within %v: %w", timeout, err)
	}
	return response, got, err
}

// understand decodes a server's answer.
func (c *client) understand(p *posting, got *reply) (Response, error) {
	if got.status >= 300 && got.status < 400 {
		return Response{}, redirectError(got)
	}
	if !got.ok() {
		said := wire.DecodeError(got.body)
		said.Status = got.status
		return Response{}, said
	}
	response, err := c.dialect.decode(got.body)
	if absurd := plausible(response.Usage, len(p.body)); absurd != nil {
		return Response{}, absurd
	}
	if err != nil {
		got.charged = response.Usage
		return Response{}, err
	}
	c.clean(&response)
	return response, c.keepRaw(&response, p, got)
}

// keepRaw stores the server's own text in the answer to a verbatim request.
func (c *client) keepRaw(r *Response, p *posting, answer *reply) error {
	if !p.verbatim {
		return nil
	}
	if r.Streamed = answer.events; r.Streamed {
		r.Raw = answer.raw.String()
		return nil
	}
	var ok bool
	if r.Raw, ok = c.secrets.hideIn(string(answer.body)); !ok {
		return errors.New("the answer repeats a key")
	}
	return nil
}

// Bounds of the parts of an answer, other than its text, that are stored in traces, in bytes.
const (
	maxFinishReason = 100
	maxToolName     = 200
)

// clean removes keys from an answer. It also shortens parts that no honest server makes long.
func (c *client) clean(r *Response) {
	r.Message.Content = c.secrets.hideWhole(r.Message.Content)
	r.Message.Reasoning = c.secrets.hideWhole(r.Message.Reasoning)
	if replay := r.Message.Replay; replay != nil {
		var ok bool
		if replay.Raw, ok = c.secrets.hideIn(replay.Raw); !ok {
			r.Message.Replay = nil
		}
	}
	r.FinishReason = cut(c.secrets.hideWhole(r.FinishReason), maxFinishReason)
	for i := range r.Message.ToolCalls {
		call := &r.Message.ToolCalls[i]
		call.ID, call.Arguments = c.secrets.hideWhole(call.ID), c.secrets.hideWhole(call.Arguments)
		call.Name = cut(c.secrets.hideWhole(call.Name), maxToolName)
	}
}

// cut returns at most the first most bytes of a text.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}

// notice counts consecutive completions that failed because the server was down. From
// OutageAfter on it returns an error that ends the work.
func (c *client) notice(err error) error {
	var failure *Error
	switch {
	case err == nil:
		c.misses.Store(0)
		return nil
	case !errors.As(err, &failure):
		return err // interrupted
	case !failure.Kind.away():
		c.misses.Store(0)
		return err
	}
	if c.misses.Add(1) < OutageAfter {
		return err
	}
	return &Error{Kind: Down, Status: failure.Status, Model: c.spec.Name, Retries: failure.Retries, Waste: failure.Waste, Err: fmt.Errorf(
		"%d interactions in a row got no answer, the last after %d attempts: %s: %w; what is stored stays, the work can go on once the server is back",
		OutageAfter, failure.Retries+1, failure.Kind, failure.Err)}
}

// backoff returns the wait after the given number of failed attempts (at least 1). It doubles
// with each attempt, up to maxBackoff. Half of it is random, so that many relays do not retry
// at the same moment.
func (c *client) backoff(failed int) time.Duration {
	full := cmp.Or(c.spec.Backoff, firstBackoff)
	for i := 1; i < failed && full < maxBackoff; i++ {
		full *= 2
	}
	full = min(full, maxBackoff)
	return full/2 + rand.N(full/2+1)
}

// retryAfter returns how long the server asks the client to wait. Servers send milliseconds,
// seconds or a date. It is 0 if the server does not say.
func retryAfter(header http.Header) time.Duration {
	for _, said := range []struct {
		value string
		unit  time.Duration
	}{
		{header.Get("Retry-After-Ms"), time.Millisecond}, {header.Get("Retry-After"), time.Second},
	} {
		if n, err := strconv.ParseFloat(said.value, 64); err == nil {
			return time.Duration(min(max(n*float64(said.unit), 0), float64(maxRetryAfter)))
		}
	}
	if date, err := http.ParseTime(header.Get("Retry-After")); err == nil {
		return min(time.Until(date), maxRetryAfter)
	}
	return 0
}

// leaveOut records that the server refused a setting. given are the settings that the refused
// request already omitted. It reports whether the setting can be omitted from the next request.
func (c *client) leaveOut(setting string, given wire.Omissions) bool {
	if setting == "" || given.Has(setting) {
		return false // the request already omitted it
	}
	c.leaving.Lock()
	defer c.leaving.Unlock()
	if !c.left.Has(setting) {
		c.left = c.left.With(setting)
	}
	return true
}

// leftOut returns the settings that the server has refused so far.
func (c *client) leftOut() wire.Omissions {
	c.leaving.Lock()
	defer c.leaving.Unlock()
	return c.left
}
