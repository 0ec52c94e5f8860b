package models

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
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
	ContextLength ErrorKind = "context too long"
	BadAnswer     ErrorKind = "answer not understood"
	NoKey         ErrorKind = "no key"
)

// retryable kinds may pass when asked again.
func (k ErrorKind) retryable() bool {
	return k == Unreachable || k == RateLimited || k == ServerFault || k == BadAnswer
}

const (
	attempts     = 6
	firstBackoff = 500 * time.Millisecond
	maxBackoff   = 30 * time.Second
	callTimeout  = 10 * time.Minute
)

// Open returns a client of the model. It does not connect yet; a missing key
// is an error at once unless the spec has a base URL of its own, where servers
// on one's own machine need none.
func Open(spec Spec) (Model, error) {
	if spec.Model == "" {
		spec.Model = spec.Name
	}
	if spec.KeyEnv == "" {
		spec.KeyEnv = defaultKeyEnv
	}
	key := os.Getenv(spec.KeyEnv)
	if key == "" && spec.BaseURL == "" {
		return nil, &Error{Kind: NoKey, Model: spec.Name,
			Err: fmt.Errorf("set %s to the key of the server, or give the model a base_url", spec.KeyEnv)}
	}
	config := openai.DefaultConfig(key)
	if spec.APIVersion != "" {
		config = openai.DefaultAzureConfig(key, spec.BaseURL)
		config.APIVersion = spec.APIVersion
		config.AzureModelMapperFunc = func(model string) string { return model }
	} else if spec.BaseURL != "" {
		config.BaseURL = strings.TrimSuffix(spec.BaseURL, "/")
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 64
	config.HTTPClient = &http.Client{Transport: transport, Timeout: callTimeout}
	return &client{spec: spec, api: openai.NewClientWithConfig(config)}, nil
}

type client struct {
	spec Spec
	api  *openai.Client
}

func (c *client) Name() string { return c.spec.Name }

func (c *client) Complete(ctx context.Context, req Request) (Response, error) {
	start := time.Now()
	wire := c.wire(req)
	for attempt := 0; ; attempt++ {
		answer, err := c.api.CreateChatCompletion(ctx, wire)
		if err == nil && len(answer.Choices) == 0 {
			err = errEmpty
		}
		if err == nil {
			return response(answer, time.Since(start), attempt), nil
		}
		if ctx.Err() != nil {
			return Response{}, ctx.Err()
		}
		kind := classify(err)
		if !kind.retryable() || attempt == attempts-1 {
			return Response{}, &Error{Kind: kind, Model: c.spec.Name, Retries: attempt, Err: err}
		}
		select {
		case <-time.After(backoff(attempt)):
		case <-ctx.Done():
			return Response{}, ctx.Err()
		}
	}
}

// backoff doubles with each attempt, up to maxBackoff, with up to half of it
// left to chance so that many relays do not come back at once.
func backoff(attempt int) time.Duration {
	full := min(firstBackoff<<attempt, maxBackoff)
	return full/2 + rand.N(full/2)
}

var errEmpty = errors.New("the completion has no choices")

func classify(err error) ErrorKind {
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
	}
	switch {
	case status == http.StatusTooManyRequests:
		return RateLimited
	case status >= 500, status == http.StatusRequestTimeout:
		return ServerFault
	case strings.Contains(message, "context_length") || strings.Contains(message, "maximum context"):
		return ContextLength
	case status >= 400:
		return Refused
	}
	return BadAnswer
}

func (c *client) wire(req Request) openai.ChatCompletionRequest {
	wire := openai.ChatCompletionRequest{
		Model:               c.spec.Model,
		Messages:            make([]openai.ChatCompletionMessage, len(req.Messages)),
		MaxCompletionTokens: c.spec.MaxOutput,
		ReasoningEffort:     c.spec.Reasoning,
	}
	if c.spec.Seeded {
		seed := int(req.Seed)
		wire.Seed = &seed
	}
	for i, m := range req.Messages {
		message := openai.ChatCompletionMessage{Role: string(m.Role), Content: m.Content, ToolCallID: m.ToolCallID}
		for _, call := range m.ToolCalls {
			message.ToolCalls = append(message.ToolCalls, openai.ToolCall{
				ID: call.ID, Type: openai.ToolTypeFunction,
				Function: openai.FunctionCall{Name: call.Name, Arguments: call.Arguments},
			})
		}
		wire.Messages[i] = message
	}
	for _, tool := range req.Tools {
		wire.Tools = append(wire.Tools, openai.Tool{
			Type: openai.ToolTypeFunction,
			Function: &openai.FunctionDefinition{
				Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters,
			},
		})
	}
	return wire
}

func response(answer openai.ChatCompletionResponse, took time.Duration, retries int) Response {
	choice := answer.Choices[0]
	r := Response{
		Message:      Message{Role: Assistant, Content: choice.Message.Content},
		FinishReason: string(choice.FinishReason),
		Usage:        Usage{Prompt: answer.Usage.PromptTokens, Completion: answer.Usage.CompletionTokens},
		Duration:     took,
		Retries:      retries,
	}
	if details := answer.Usage.PromptTokensDetails; details != nil {
		r.Usage.Cached = details.CachedTokens
	}
	if details := answer.Usage.CompletionTokensDetails; details != nil {
		r.Usage.Reasoning = details.ReasoningTokens
	}
	for _, call := range choice.Message.ToolCalls {
		r.Message.ToolCalls = append(r.Message.ToolCalls, ToolCall{
			ID: call.ID, Name: call.Function.Name, Arguments: call.Function.Arguments,
		})
	}
	return r
}
