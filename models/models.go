// Package models asks language models for completions.
//
// A Spec says where a model's server is, what the model is called there and what it
// costs. The client keeps rate limits, sends a request again when that may help, and
// records answers. How a request is written and an answer read is left to a dialect;
// there is one, OpenAI's chat completions. The stand-in model of models/sim is
// reached in the same way, over loopback HTTP.
package models

import (
	"context"
	"encoding/json"
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

const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool"
)

// Message is one message of a conversation.
type Message struct {
	Role       Role
	Content    string
	ToolCalls  []ToolCall // of an assistant's message
	ToolCallID string     // of a tool's message: which call it answers

	// wire is the message as the model's dialect writes it, kept because a
	// conversation is sent again with every turn. Complete fills it in. After that
	// the message must not change, nor be sent to another model.
	wire []byte
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
	Name        string
	Description string
	Parameters  json.RawMessage
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
	// Seed asks for a reproducible completion, where the Spec says that the
	// server takes one.
	Seed int64
	// Terms bound the completion and the attempts at it.
	Terms Terms
}

// Response is a completion.
type Response struct {
	Message      Message
	FinishReason string // as the server names it: stop, tool_calls, length, …
	Usage        Usage
	Duration     time.Duration // wall time, retries included
	Retries      int           // attempts that failed before this one
	Waste        Waste         // what those cost
}

// Usage counts tokens. Cached are part of Prompt, Reasoning of Completion.
type Usage struct {
	Prompt     int `json:"prompt"`
	Cached     int `json:"cached"`
	Completion int `json:"completion"`
	Reasoning  int `json:"reasoning"`
}

// Total is the number of tokens that a limit counts.
func (u Usage) Total() int { return u.Prompt + u.Completion }

// Add returns the sum of two usages.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.Prompt + v.Prompt, u.Cached + v.Cached, u.Completion + v.Completion, u.Reasoning + v.Reasoning}
}
