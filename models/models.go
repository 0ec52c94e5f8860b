// Package models asks language models for completions.
//
// A Spec says where a model's server is, what the model is called there and what it
// costs. The client keeps rate limits, sends a request again when that may help, and
// records answers. How a request is written and an answer read is left to the codecs of
// package wire, one for each dialect: OpenAI's chat completions, Responses and images/edits,
// Anthropic's Messages and Google's generateContent. Nothing above knows which one is spoken. The
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
	// Name is the name by which an experiment calls the model.
	Name() string
	// Complete asks for one completion. An error is an *Error, or ctx's.
	Complete(context.Context, Request) (Response, error)
}

// The vocabulary of conversations is that of package wire, which describes it.
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

// Roles and dialects, likewise.
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

// Request is a conversation to be completed. Its messages belong to the call
// until Complete returns.
type Request struct {
	Messages []Message
	Tools    []Tool
	// Settings are what another client wants, where the Spec and the Terms say nothing.
	Settings wire.Settings
	// Members is a request that another client wrote in the dialect of the model's server,
	// for which Takes must be true. It replaces Messages, Tools and Settings, and goes on as
	// it is written, unknown members included, with what the Spec and the Terms say laid
	// over it. Header goes on with it.
	Members wire.Members
	Header  http.Header
	// Stream asks for an answer in events, even if the Spec does not. Follow takes such
	// an answer while it comes; nil if there is no such caller. It is called by one goroutine, before
	// Complete returns; its error ends the attempt. Once it was called, the request is not
	// made again if its answer breaks off.
	Stream bool
	Follow func(Piece) error
	// Recall returns what the server sent of a turn that another client repeats, found by
	// the turn's text and calls; nil if that is not known. Recall itself is nil if nothing
	// is kept.
	Recall func(text string, calls []ToolCall) *Replay
	// Draws asks for pictures in the answer. Dialects that have none ignore it.
	Draws bool
	// Seed asks for a reproducible completion, where the Spec says that the
	// server takes one.
	Seed int64
	// Terms bound the completion and the attempts at it.
	Terms Terms
}

// Response is a completion. A recording has it as JSON.
type Response struct {
	Message
	// FinishReason is as chat completions have it: stop, tool_calls, length or
	// content_filter. A reason that they do not have is as the server names it.
	FinishReason string        `json:"finish_reason"`
	Usage        Usage         `json:"usage"`
	Duration     time.Duration `json:"duration_ns"`       // wall time, retries included
	Retries      int           `json:"retries,omitempty"` // attempts that failed before this one
	Waste        Waste         `json:"waste,omitzero"`    // what those cost
	// Without names the settings that the server refused, so that they were left out.
	Without []string `json:"without,omitempty"`
	// Raw is the answer to a request with Members as the server wrote it: a JSON object, or
	// the events of a stream if Streamed; those are kept for recordings alone.
	Raw      string `json:"raw,omitempty"`
	Streamed bool   `json:"streamed,omitempty"`
}
