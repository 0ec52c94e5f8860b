// Package models asks language models for completions.
//
// A Spec says where a model's server is, what the model is called there and what it
// costs. The client keeps rate limits, sends a request again when that may help, and
// records answers. How a request is written and an answer read is left to a dialect.
// There are five: OpenAI's chat completions, Responses and images/edits, Anthropic's
// Messages and Google's generateContent. Nothing above this package knows which one is spoken. The
// stand-in model of models/sim is reached in the same way, over loopback HTTP.
package models

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// Model completes conversations. It is safe for concurrent use.
type Model interface {
	// Name is the name by which an experiment calls the model.
	Name() string
	// Complete asks for one completion. An error is an *Error, or ctx's.
	Complete(context.Context, Request) (Response, error)
}

// Role says who speaks in a message.
type Role string

// The roles of a conversation.
const (
	System    Role = "system"    // the instructions that hold throughout
	User      Role = "user"      // the task
	Assistant Role = "assistant" // the model
	ToolRole  Role = "tool"      // the result of a tool call
)

// Message is one message of a conversation.
type Message struct {
	Role       Role       `json:"role"`
	Content    string     `json:"content"`
	ToolCalls  []ToolCall `json:"tool_calls,omitempty"`   // of an assistant's message
	ToolCallID string     `json:"tool_call_id,omitempty"` // of a tool's message: which call it answers
	// Reasoning is what the model's maker shows of its reasoning: a summary as a rule.
	// It is for traces; Replay is what goes back to the server.
	Reasoning string `json:"reasoning,omitempty"`
	// Replay is an assistant's turn as the server sent it; nil if the server wants
	// nothing of it back in addition to the text and the calls.
	Replay *Replay `json:"replay,omitempty"`

	// Pictures are those that the model drew, of an assistant's message.
	Pictures []Picture `json:"pictures,omitempty"`

	pictures []picture // that a user shows
	// wire is the message as the model's dialect writes it, kept because a
	// conversation is sent again with every turn. Complete fills it in. After that
	// the message must not change, nor be sent to another model.
	wire []byte
}

// Replay is what a server sent of a turn and wants back in the next request: reasoning,
// signatures, encrypted items. Without it some servers refuse the conversation, others
// reason all over again. It is kept with the turn and sent back byte for byte, to a
// server that speaks the same dialect.
type Replay struct {
	API API    `json:"api"` // the dialect that Raw is written in
	Raw string `json:"raw"` // JSON; a text, so that it is recorded as it is, blanks included
}

// ToolCall is a model's request to call a tool. Arguments are as the model wrote
// them, and need not be JSON.
type ToolCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Tool describes a tool to a model; Parameters is a JSON schema.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

// Request is a conversation to be completed. Its messages belong to the call
// until Complete returns.
type Request struct {
	Messages []Message
	Tools    []Tool
	// Members is the request of another client, as the members of its JSON object. It
	// replaces Messages and Tools. Where the Spec or the Terms say otherwise, they
	// come first.
	Members map[string]json.RawMessage
	// Verbatim says that Members are in the dialect of the model's server, for which Takes
	// must be true. They go on as they are written, unknown ones included, with what the
	// Spec and the Terms say over them. Header goes on with them.
	Verbatim bool
	Header   http.Header
	// Stream asks for an answer in events, even if the Spec does not. Follow takes such
	// an answer while it comes; nil if there is no such caller. It is called by one goroutine, before
	// Complete returns; its error ends the attempt. Once it was called, the request is not
	// made again if its answer breaks off.
	Stream bool
	Follow func(Piece) error
	// Recall returns what the server sent of a turn that another client repeats in
	// Members, found by the turn's text and calls; nil if that is not known. Recall
	// itself is nil if nothing is kept.
	Recall func(text string, calls []ToolCall) *Replay
	// Draws asks for pictures in the answer. Dialects that have none ignore it.
	Draws bool
	// Seed asks for a reproducible completion, where the Spec says that the
	// server takes one.
	Seed int64
	// Terms bound the completion and the attempts at it.
	Terms Terms
}

// Response is a completion.
type Response struct {
	Message Message
	// FinishReason is as chat completions have it: stop, tool_calls, length or
	// content_filter. A reason that they do not have is as the server names it.
	FinishReason string
	Usage        Usage
	Duration     time.Duration // wall time, retries included
	Retries      int           // attempts that failed before this one
	Waste        Waste         // what those cost
	// Without names the settings that the server refused, so that they were left out.
	Without []string
	// Raw is the answer to a Verbatim request as the server wrote it: a JSON object, or
	// the events of a stream if Streamed; those are kept for recordings alone.
	Raw      string
	Streamed bool
}

// Usage counts tokens. Cached and CacheWrite are parts of Prompt: tokens that were read
// from the server's cache, and tokens that were written to it at a price of their own.
// Reasoning is part of Completion.
type Usage struct {
	Prompt     int `json:"prompt"`
	Cached     int `json:"cached"`
	CacheWrite int `json:"cache_write,omitempty"`
	Completion int `json:"completion"`
	Reasoning  int `json:"reasoning"`
}

// Total is the number of tokens that a limit counts.
func (u Usage) Total() int { return u.Prompt + u.Completion }

// Add returns the sum of two usages.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		Prompt: u.Prompt + v.Prompt, Cached: u.Cached + v.Cached, CacheWrite: u.CacheWrite + v.CacheWrite,
		Completion: u.Completion + v.Completion, Reasoning: u.Reasoning + v.Reasoning,
	}
}
