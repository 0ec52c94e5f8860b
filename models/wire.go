package models

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/sashabaranov/go-openai"
)

// A conversation is sent again with every turn, and by far most of an
// interaction's CPU time goes into writing it as JSON. go-openai writes each
// message twice and leaves out the content of empty ones, which servers refuse.
// So it is given a request without the conversation, and sender puts that in,
// written once.

// wireMessage is a message as the protocol has it. Only one with tool calls may
// be without content.
type wireMessage struct {
	Role       Role       `json:"role"`
	Content    *string    `json:"content,omitempty"`
	ToolCalls  []wireCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type wireCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function wireFunction `json:"function"`
}

type wireFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type wireTool struct {
	Type     string             `json:"type"`
	Function wireToolDefinition `json:"function"`
}

type wireToolDefinition struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
}

// writeConversation returns the messages and tools of a request as JSON
// members, without braces around them.
func writeConversation(req Request) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(`"messages":[`)
	for i := range req.Messages {
		m := &req.Messages[i]
		if m.wire == nil {
			raw, err := writeJSON(wireOf(m))
			if err != nil {
				return nil, err
			}
			m.wire = raw
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(m.wire)
	}
	b.WriteByte(']')
	if len(req.Tools) > 0 {
		tools := make([]wireTool, len(req.Tools))
		for i, t := range req.Tools {
			tools[i] = wireTool{Type: string(openai.ToolTypeFunction), Function: wireToolDefinition(t)}
		}
		raw, err := writeJSON(tools)
		if err != nil {
			return nil, err
		}
		b.WriteString(`,"tools":`)
		b.Write(raw)
	}
	return b.Bytes(), nil
}

func wireOf(m *Message) wireMessage {
	w := wireMessage{Role: m.Role, ToolCallID: m.ToolCallID}
	if m.Content != "" || len(m.ToolCalls) == 0 {
		w.Content = &m.Content
	}
	for _, call := range m.ToolCalls {
		w.ToolCalls = append(w.ToolCalls, wireCall{
			ID: call.ID, Type: string(openai.ToolTypeFunction), Function: wireFunction{call.Name, call.Arguments},
		})
	}
	return w
}

// writeJSON is json.Marshal without escapes for HTML.
func writeJSON(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("writing the conversation: %w", err)
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// request is what go-openai is given: all but the conversation.
func (c *client) request(req Request) openai.ChatCompletionRequest {
	r := openai.ChatCompletionRequest{
		Model:               c.spec.Model,
		MaxCompletionTokens: c.spec.MaxOutput,
		ReasoningEffort:     c.spec.Reasoning,
	}
	if c.spec.Seeded {
		seed := int(req.Seed)
		r.Seed = &seed
	}
	return r
}

// conversationKey is under which a request's context holds the conversation.
type conversationKey struct{}

// noMessages is how go-openai writes that there are none.
var noMessages = []byte(`"messages":null`)

// sender sends go-openai's requests, with their conversation.
type sender struct{ http *http.Client }

func (s sender) Do(r *http.Request) (*http.Response, error) {
	members, _ := r.Context().Value(conversationKey{}).([]byte)
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	before, after, found := bytes.Cut(body, noMessages)
	if !found {
		return nil, fmt.Errorf("the request has no place for its messages")
	}
	whole := bytes.Join([][]byte{before, members, after}, nil)
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(whole)), nil }
	r.Body, _ = r.GetBody() // it has no error
	r.ContentLength = int64(len(whole))
	return s.http.Do(r)
}

// withConversation makes the conversation known to sender.
func withConversation(ctx context.Context, members []byte) context.Context {
	return context.WithValue(ctx, conversationKey{}, members)
}
