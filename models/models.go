// Package models asks language models for completions.
//
// A Spec says where a model's server is, what the server calls the model and what it costs. The
// client enforces rate limits, retries requests when that may help, and records answers.
// Requests and answers are encoded and decoded by the codecs of package wire, one for each
// dialect: OpenAI's chat completions, Responses and images/edits, Anthropic's Messages and
// Google's generateContent. The rest of the program does not depend on the dialect. The
// stand-in model of models/sim is reached in the same way, over loopback HTTP.
package models

import (
	"context"
	"net/http"
	"time"

	"agentd/models/wire"
)

// Model completes conversations. It is safe for concurrent use.
type Model interface {
	// Name returns the experiment's name of the model.
	Name() string
	// Complete requests one completion. The error is an *Error, or ctx's error.
	Complete(context.Context, Request) (Response, error)
}

// These types are described in package wire.
type (
	API      = wire.API
	Role     = wire.Role
	Message  = wire.Message
	Replay   = wire.Replay
	ToolCall = wire.ToolCall
	Tool     = wire.Tool
	Picture  = wire.Picture
	Usage    = wire.Usage
	Delta    = wire.Delta
)

// Roles and dialects, from package wire.
const (
	System    = wire.System
	User      = wire.User
	Assistant = wire.Assistant
	ToolRole  = wire.ToolRole

	Chat      = wire.Chat
	Responses = wire.Responses
	Messages  = wire.Messages
	Gemini    = wire.Gemini
	Images    = wire.Images
)

// Request is a conversation to be completed. The caller must not change its messages until
// Complete returns.
type Request struct {
	Messages []Message
	Tools    []Tool
	// Settings are those of another client. They apply where the Spec and the Terms leave a
	// setting empty.
	Settings wire.Settings
	// Members is a request that another client wrote in the dialect of the model's server.
	// Takes must be true for it. It replaces Messages, Tools and Settings. It is sent
	// unchanged, unknown members included, except for what the Spec and the Terms set. Header
	// is sent with it.
	Members wire.Members
	Header  http.Header
	// Stream asks for an answer in events, even if the Spec does not. Follow, if not nil,
	// receives the pieces of such an answer as they arrive. It is called by one goroutine,
	// before Complete returns. Its error ends the attempt. After its first call, the request is
	// not retried.
	Stream bool
	Follow func(Piece) error
	// Recall returns what the server sent with a turn that another client repeats; nil if that
	// is unknown. It finds the turn by text and calls. Recall itself is nil if no turns are
	// stored.
	Recall func(text string, calls []ToolCall) *Replay
	// Draws asks for pictures in the answer. Dialects that have none ignore it.
	Draws bool
	// Seed asks for a reproducible completion. It is sent only if the Spec is Seeded.
	Seed int64
	// Terms limit the completion and its attempts.
	Terms Terms
}

// Response is a completion. Recordings store it as JSON.
type Response struct {
	Message
	// FinishReason is one of the values of chat completions: stop, tool_calls, length or
	// content_filter. Any other reason is the server's own word.
	FinishReason string        `json:"finish_reason"`
	Usage        Usage         `json:"usage"`
	Duration     time.Duration `json:"duration_ns"`       // wall time, retries included
	Retries      int           `json:"retries,omitempty"` // attempts that failed before this one
	Waste        Waste         `json:"waste,omitzero"`    // cost of those attempts
	// Without names the settings that were omitted because the server refused them.
	Without []string `json:"without,omitempty"`
	// Raw is the server's own text of an answer to a request with Members: a JSON object, or
	// the events of a stream if Streamed. Events are kept only for recordings.
	Raw      string `json:"raw,omitempty"`
	Streamed bool   `json:"streamed,omitempty"`
}
