package models

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/sashabaranov/go-openai"
)

// Spec says how to reach a model and what it costs. Only Name is needed.
type Spec struct {
	Name       string `yaml:"name" json:"name"`                         // as tables show it
	Model      string `yaml:"model" json:"model,omitempty"`             // as the server calls it; default Name
	BaseURL    string `yaml:"base_url" json:"base_url,omitempty"`       // default OpenAI's
	KeyEnv     string `yaml:"key_env" json:"key_env,omitempty"`         // environment variable of the key; default OPENAI_API_KEY
	APIVersion string `yaml:"api_version" json:"api_version,omitempty"` // set for Azure; BaseURL is then the resource
	MaxOutput  int    `yaml:"max_output" json:"max_output,omitempty"`   // tokens of one completion, 0 for the server's own limit
	Reasoning  string `yaml:"reasoning" json:"reasoning,omitempty"`     // reasoning effort, if the model knows it
	Price      *Price `yaml:"price" json:"price,omitempty"`             // nil for the list price
	// RequestsPerMinute and TokensPerMinute, prompt and completion together, are
	// the limits of the server's account; Concurrency is how many relays may ask
	// the model at a time. All hold for the whole fleet; 0 is no limit.
	RequestsPerMinute float64 `yaml:"requests_per_minute" json:"requests_per_minute,omitempty"`
	TokensPerMinute   float64 `yaml:"tokens_per_minute" json:"tokens_per_minute,omitempty"`
	Concurrency       int     `yaml:"concurrency" json:"concurrency,omitempty"`
	// Seeded says that the server takes a seed.
	Seeded bool `yaml:"seeded" json:"seeded,omitempty"`
	// StandIn marks a model that only plays one. Tables say so.
	StandIn bool `yaml:"-" json:"stand_in,omitempty"`
}

const defaultKeyEnv = "OPENAI_API_KEY"

// Error is a completion that could not be had.
type Error struct {
	Kind    ErrorKind
	Model   string
	Retries int // attempts made before this last one
	Err     error
}

func (e *Error) Error() string {
	return fmt.Sprintf("model %s: %s: %v", e.Model, e.Kind, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// ErrorKind says what a caller can do about an Error.
type ErrorKind string

const (
	Unreachable   ErrorKind = "server not reached"
	RateLimited   ErrorKind = "rate limited"
	ServerFault   ErrorKind = "server fault"
	Refused       ErrorKind = "request refused"
	Denied        ErrorKind = "access denied" // a wrong key, no such model, no quota: no request will be served
	ContextLength ErrorKind = "context too long"
	BadAnswer     ErrorKind = "answer not understood"
	NoKey         ErrorKind = "no key"
)

// retryable kinds may pass when asked again.
func (k ErrorKind) retryable() bool {
	return k == Unreachable || k == RateLimited || k == ServerFault || k == BadAnswer
}

const (
	attempts      = 6
	firstBackoff  = 500 * time.Millisecond
	maxBackoff    = 30 * time.Second
	maxRetryAfter = 2 * time.Minute // a server that wants more is as good as down
	callTimeout   = 10 * time.Minute
	maxErrorText  = 2_000 // bytes; an error page can be long
)

// Open returns a client of the model. It does not connect yet; a missing key
// is an error at once unless the spec names no variable for it and has a base
// URL of its own, where servers on one's own machine need none.
//
// limiter keeps the spec's rates; it may be nil if there are none.
func Open(spec Spec, limiter Limiter) (Model, error) {
	if spec.Model == "" {
		spec.Model = spec.Name
	}
	keyEnv := spec.KeyEnv
	if keyEnv == "" {
		keyEnv = defaultKeyEnv
	}
	key := strings.TrimSpace(os.Getenv(keyEnv))
	if spec.StandIn {
		key = "" // it is nobody's business
	}
	switch {
	case key == "" && spec.KeyEnv != "":
		return nil, &Error{Kind: NoKey, Model: spec.Name,
			Err: fmt.Errorf("set %s to the key of the server, or leave key_env out", keyEnv)}
	case key == "" && spec.BaseURL == "":
		return nil, &Error{Kind: NoKey, Model: spec.Name,
			Err: fmt.Errorf("set %s to the key of the server, or give the model a base_url", keyEnv)}
	}
	if spec.BaseURL != "" || spec.APIVersion != "" {
		if base, err := url.Parse(spec.BaseURL); err != nil || base.Host == "" || !strings.HasPrefix(base.Scheme, "http") {
			return nil, fmt.Errorf("model %s: base_url %q must be an address such as https://host/v1", spec.Name, spec.BaseURL)
		}
	}
	if limiter == nil && spec.RequestsPerMinute+spec.TokensPerMinute > 0 {
		return nil, fmt.Errorf("model %s: there is nobody to keep its rate limits", spec.Name)
	}
	config := openai.DefaultConfig(key)
	if spec.APIVersion != "" {
		config = openai.DefaultAzureConfig(key, spec.BaseURL)
		config.APIVersion = spec.APIVersion
		config.AzureModelMapperFunc = func(model string) string { return model }
	} else if spec.BaseURL != "" {
		config.BaseURL = spec.BaseURL
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 64
	transport.WriteBufferSize, transport.ReadBufferSize = 64<<10, 64<<10 // conversations are long
	config.HTTPClient = sender{&http.Client{Transport: transport, Timeout: callTimeout}}
	return &client{spec: spec, key: key, api: openai.NewClientWithConfig(config), pause: pause, limiter: limiter}, nil
}

type client struct {
	spec Spec
	key  string
	api  *openai.Client
	// pause waits between two attempts; an error ends the request.
	pause   func(context.Context, time.Duration) error
	limiter Limiter
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
	start := time.Now()
	members, err := writeConversation(req)
	if req.Members != nil {
		members = c.members(req)
	}
	if err != nil {
		return Response{}, &Error{Kind: Refused, Model: c.spec.Name, Err: err}
	}
	for attempt := 0; ; attempt++ {
		expected := len(members) / bytesPerToken
		if err := c.keepRates(ctx, expected); err != nil {
			return Response{}, err
		}
		x := &exchange{conversation: members}
		reply, err := c.api.CreateChatCompletion(x.within(ctx), c.request(req))
		if err == nil {
			err = x.err
		}
		if err == nil && len(x.answer.Choices) == 0 {
			err = errEmpty
		}
		if err == nil {
			response := x.answer.response(time.Since(start), attempt)
			return response, c.settle(ctx, response.Usage.Total()-expected)
		}
		if ctx.Err() != nil {
			return Response{}, ctx.Err()
		}
		kind := classify(err, reply.Header() != nil)
		if !kind.retryable() || attempt == attempts-1 {
			return Response{}, &Error{Kind: kind, Model: c.spec.Name, Retries: attempt, Err: c.presentable(err)}
		}
		if err := c.pause(ctx, max(backoff(attempt), retryAfter(reply.Header()))); err != nil {
			return Response{}, err
		}
	}
}

// backoff doubles with each attempt, up to maxBackoff, with up to half of it
// left to chance so that many relays do not come back at once.
func backoff(attempt int) time.Duration {
	full := min(firstBackoff<<attempt, maxBackoff)
	return full/2 + rand.N(full/2)
}

// retryAfter is how long a server asks to be left alone, in seconds or until a
// date; 0 if it does not say.
func retryAfter(header http.Header) time.Duration {
	value := header.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		return time.Duration(min(max(seconds, 0), maxRetryAfter.Seconds()) * float64(time.Second))
	}
	if date, err := http.ParseTime(value); err == nil {
		return min(time.Until(date), maxRetryAfter)
	}
	return 0
}

// presentable makes an error fit to be shown and stored: short, and without
// the key, which some servers repeat.
func (c *client) presentable(err error) error {
	text := err.Error()
	var request *openai.RequestError
	if errors.As(err, &request) {
		text = fmt.Sprintf("status %s: %s", request.HTTPStatus, bytes.TrimSpace(request.Body))
	}
	if c.key != "" {
		text = strings.ReplaceAll(text, c.key, "(key)")
	}
	if len(text) > maxErrorText {
		text = strings.ToValidUTF8(text[:maxErrorText], "") + "…"
	}
	if text == err.Error() {
		return err
	}
	return errors.New(text)
}

var errEmpty = errors.New("the completion has no choices")

// quotaSpent is the code of a 429 that no waiting helps against.
const quotaSpent = "insufficient_quota"

// tooLong is how servers say that a conversation does not fit the model.
var tooLong = regexp.MustCompile(`(?i)context_length|maximum context|context (size|window|length)|prompt is too long`)

// classify finds an error's kind. answered says whether the server answered.
func classify(err error, answered bool) ErrorKind {
	status, message := 0, err.Error()
	var api *openai.APIError
	var request *openai.RequestError
	var network net.Error
	switch {
	case errors.As(err, &api):
		status, message = api.HTTPStatusCode, fmt.Sprint(api.Code, " ", api.Message)
	case errors.As(err, &request):
		status = request.HTTPStatusCode
	case errors.As(err, &network):
		return Unreachable
	case !answered: // go-openai would not send it
		return Refused
	}
	switch {
	case status == http.StatusTooManyRequests && strings.Contains(message, quotaSpent):
		return Denied
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusNotFound:
		return Denied
	case status == http.StatusTooManyRequests:
		return RateLimited
	case status >= 500, status == http.StatusRequestTimeout:
		return ServerFault
	case status >= 400 && tooLong.MatchString(message):
		return ContextLength
	case status >= 400:
		return Refused
	}
	return BadAnswer
}
