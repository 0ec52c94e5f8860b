package models

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/sashabaranov/go-openai"
)

const (
	attempts      = 6
	firstBackoff  = 500 * time.Millisecond
	maxBackoff    = 30 * time.Second
	maxRetryAfter = 2 * time.Minute // a server that wants more is as good as down
	callTimeout   = 10 * time.Minute
	maxErrorText  = 2_000 // bytes; an error page can be long
	// idleConnections are kept for the relays that ask a model at the same time.
	idleConnections = 10_000
)

// Open returns a client of the model. It does not connect yet; a missing key
// is an error at once unless the spec names no variable for it and has a base
// URL of its own, where servers on one's own machine need none. Close lets go of
// its connections.
//
// limiter keeps the spec's rates; it may be nil if there are none.
func Open(spec Spec, limiter Limiter) (Model, error) {
	c, err := newClient(spec, limiter)
	if err != nil {
		return nil, err
	}
	if spec.Replay != "" {
		return openReplay(c)
	}
	return c, c.dial()
}

// Plan returns a model for a plan, which says what Open would find wrong with the
// spec, but needs no key and asks nobody: Complete always fails.
func Plan(spec Spec, limiter Limiter) (Model, error) {
	c, err := newClient(spec, limiter)
	if err != nil {
		return nil, err
	}
	return planned{c}, nil
}

type planned struct{ *client }

func (p planned) Complete(context.Context, Request) (Response, error) {
	return Response{}, &Error{Kind: NoKey, Model: p.spec.Name, Err: errors.New("it is part of a plan, which asks no model")}
}

// newClient returns a client that can write requests, but not send them.
func newClient(spec Spec, limiter Limiter) (*client, error) {
	if spec.Model == "" {
		spec.Model = spec.Name
	}
	spec = spec.atMaker()
	if err := spec.check(); err != nil {
		return nil, fmt.Errorf("model %s: %w", spec.Name, err)
	}
	if limiter == nil && spec.RequestsPerMinute+spec.TokensPerMinute > 0 {
		return nil, fmt.Errorf("model %s: there is nobody to keep its rate limits", spec.Name)
	}
	settings, err := spec.settings()
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", spec.Name, err)
	}
	return &client{spec: spec, settings: settings, pause: pause, limiter: limiter}, nil
}

// dial makes the client one that can send.
func (c *client) dial() error {
	key, err := c.spec.key()
	if err != nil {
		return &Error{Kind: NoKey, Model: c.spec.Name, Err: err}
	}
	header, secrets, err := c.spec.header()
	if err != nil {
		return &Error{Kind: NoKey, Model: c.spec.Name, Err: err}
	}
	c.secrets = append(secrets, key)
	config := openai.DefaultConfig(key)
	if c.spec.APIVersion != "" {
		config = openai.DefaultAzureConfig(key, c.spec.BaseURL)
		config.APIVersion = c.spec.APIVersion
		config.AzureModelMapperFunc = func(model string) string { return model }
	} else if c.spec.BaseURL != "" {
		config.BaseURL = c.spec.BaseURL
	}
	c.transport = http.DefaultTransport.(*http.Transport).Clone()
	c.transport.MaxIdleConns, c.transport.MaxIdleConnsPerHost = 0, idleConnections
	c.transport.WriteBufferSize, c.transport.ReadBufferSize = 32<<10, 16<<10 // conversations are long
	timeout := c.spec.Timeout
	if timeout == 0 {
		timeout = callTimeout
	}
	config.HTTPClient = sender{&http.Client{Transport: c.transport, Timeout: timeout}, header}
	c.api = openai.NewClientWithConfig(config)
	return nil
}

type client struct {
	spec      Spec
	settings  []byte // members of every request
	secrets   []string
	api       *openai.Client
	transport *http.Transport
	// pause waits between two attempts; an error ends the request.
	pause    func(context.Context, time.Duration) error
	limiter  Limiter
	recorder *Recorder // nil if nobody asks
	// misses counts completions in a row that the server was away for.
	misses atomic.Int32
}

// Close lets go of a model's idle connections. It may be any Model.
func Close(m Model) {
	if c, ok := m.(*client); ok && c.transport != nil {
		c.transport.CloseIdleConnections()
	}
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *client) Name() string { return c.spec.Name }

func (c *client) Complete(ctx context.Context, req Request) (Response, error) {
	body, err := c.write(req)
	if err != nil {
		return Response{}, &Error{Kind: Refused, Model: c.spec.Name, Err: err}
	}
	response, err := c.persist(ctx, body)
	if err = c.notice(err); c.recorder == nil {
		return response, err
	}
	if kept := c.recorder.keep(ctx, c.spec.Name, body, response, err); kept != nil {
		return Response{}, &Error{Kind: Broken, Model: c.spec.Name, Err: kept}
	}
	return response, err
}

// persist sends a request until there is an answer or no more attempt can help.
func (c *client) persist(ctx context.Context, body []byte) (Response, error) {
	start := time.Now()
	expected := len(body) / bytesPerToken
	var waste Waste
	for attempt := 0; ; attempt++ {
		if err := c.keepRates(ctx, expected); err != nil {
			return Response{}, c.unlessInterrupted(ctx, err)
		}
		x := &exchange{request: body}
		err := c.try(ctx, x)
		if err == nil {
			response := x.answer.response()
			response.Duration, response.Retries, response.Waste = time.Since(start), attempt, waste
			return response, c.unlessInterrupted(ctx, c.settle(ctx, response.Usage.Total()-expected))
		}
		if ctx.Err() != nil {
			return Response{}, ctx.Err()
		}
		waste.attempted(x, err)
		kind := classify(x, err)
		if !kind.retryable() || attempt == attempts-1 {
			return Response{}, &Error{Kind: kind, Model: c.spec.Name, Retries: attempt, Waste: waste, Err: c.presentable(err)}
		}
		if err := c.pause(ctx, max(c.backoff(attempt), retryAfter(x.header))); err != nil {
			return Response{}, err
		}
	}
}

// unlessInterrupted is ctx's error, or one of the machine: rates that could not
// be kept.
func (c *client) unlessInterrupted(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return &Error{Kind: Broken, Model: c.spec.Name, Err: fmt.Errorf("keeping its rate limits: %w", err)}
}

// try sends a request once.
func (c *client) try(ctx context.Context, x *exchange) error {
	_, err := c.api.CreateChatCompletion(x.within(ctx), openai.ChatCompletionRequest{Model: c.spec.Model})
	switch {
	case err != nil:
		return err
	case x.err != nil:
		return x.err
	case len(x.answer.Choices) > 0:
		return nil
	}
	if err := errorInside(x.answer.Error); err != nil {
		return err
	}
	return errEmpty
}

// notice counts completions in a row that the server was away for and turns the
// error of those that are too many into one that ends the work.
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
	return &Error{Kind: Down, Model: c.spec.Name, Retries: failure.Retries, Waste: failure.Waste, Err: fmt.Errorf(
		"%d interactions in a row got no answer after %d attempts each, the last for: %s: %w; what is stored stays, the work can go on once the server is back",
		OutageAfter, attempts, failure.Kind, failure.Err)}
}

// backoff doubles with each attempt, up to maxBackoff, with up to half of it
// left to chance so that many relays do not come back at once.
func (c *client) backoff(attempt int) time.Duration {
	first := c.spec.Backoff
	if first == 0 {
		first = firstBackoff
	}
	full := min(first<<attempt, maxBackoff)
	return full/2 + rand.N(full/2+1)
}

// retryAfter is how long a server asks to be left alone, in milliseconds, in
// seconds or until a date; 0 if it does not say.
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
