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

// The vocabulary of conversations is that of package wire.
type (
	// API names a dialect: the protocol that a model's server speaks.
	API = wire.API
	// Role says who speaks in a message.
	Role = wire.Role
	// Message is one message of a conversation.
	Message = wire.Message
	// Replay is what a server sent of a turn and wants back in the next request.
	Replay = wire.Replay
	// ToolCall is a model's request to call a tool.
	ToolCall = wire.ToolCall
	// Tool describes a tool to a model.
	Tool = wire.Tool
	// Picture is one that a model drew.
	Picture = wire.Picture
	// Usage counts tokens.
	Usage = wire.Usage
	// Delta is what a streamed answer has more than before.
	Delta = wire.Delta
)

// The roles of a conversation.
const (
	System    = wire.System    // the instructions that hold throughout
	User      = wire.User      // the task
	Assistant = wire.Assistant // the model
	ToolRole  = wire.ToolRole  // the result of a tool call
)

// The dialects.
const (
	Chat      = wire.Chat      // OpenAI's chat completions, which most servers speak
	Responses = wire.Responses // OpenAI's Responses
	Messages  = wire.Messages  // Anthropic's Messages
	Gemini    = wire.Gemini    // Google's generateContent
	Images    = wire.Images    // OpenAI's images/edits: one instruction with pictures, answered with pictures
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
