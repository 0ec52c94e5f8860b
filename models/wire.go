package models

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/sashabaranov/go-openai"
)

// A conversation is sent again with every turn, and by far most of an
// interaction's CPU time goes into writing it as JSON and reading what is
// answered. go-openai writes and reads each message twice, leaves out the content
// of empty ones, which servers refuse, and refuses shades of the protocol that
// servers have. So it is given a request without the conversation, which sender
// puts in, written once, and a reply without the completion, which sender takes
// out.

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

// members returns the request of another client as JSON members, without those
// that request writes.
func (c *client) members(req Request) []byte {
	own := map[string]bool{
		"model": true, "seed": c.spec.Seeded, "reasoning_effort": c.spec.Reasoning != "",
		"max_tokens": c.spec.MaxOutput > 0, "max_completion_tokens": c.spec.MaxOutput > 0,
	}
	var parts [][]byte
	for _, name := range slices.Sorted(maps.Keys(req.Members)) {
		if !own[name] {
			quoted, _ := json.Marshal(name) // a text always marshals
			parts = append(parts, fmt.Appendf(quoted, ":%s", req.Members[name]))
		}
	}
	return bytes.Join(parts, []byte(","))
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

// wireAnswer is a completion as servers write it.
type wireAnswer struct {
	Choices []struct {
		Message struct {
			Content   any `json:"content"` // a text, its parts, or null
			ToolCalls []struct {
				ID       string `json:"id"`
				Function struct {
					Name      string `json:"name"`
					Arguments any    `json:"arguments"` // JSON in a text; some servers leave out the text
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"message"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Usage struct {
		Prompt        int `json:"prompt_tokens"`
		Completion    int `json:"completion_tokens"`
		PromptDetails struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
		CompletionDetails struct {
			Reasoning int `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
	} `json:"usage"`
}

// response is the first choice, of which there must be one.
func (a *wireAnswer) response(took time.Duration, retries int) Response {
	choice := &a.Choices[0]
	r := Response{
		Message:      Message{Role: Assistant, Content: contentText(choice.Message.Content)},
		FinishReason: choice.FinishReason,
		Usage: Usage{
			Prompt: a.Usage.Prompt, Cached: a.Usage.PromptDetails.Cached,
			Completion: a.Usage.Completion, Reasoning: a.Usage.CompletionDetails.Reasoning,
		},
		Duration: took,
		Retries:  retries,
	}
	for _, call := range choice.Message.ToolCalls {
		arguments, ok := call.Function.Arguments.(string)
		if !ok && call.Function.Arguments != nil {
			raw, _ := json.Marshal(call.Function.Arguments) // it was just read from JSON
			arguments = string(raw)
		}
		r.Message.ToolCalls = append(r.Message.ToolCalls, ToolCall{ID: call.ID, Name: call.Function.Name, Arguments: arguments})
	}
	return r
}

// contentText is the text of a message's content, which may come in parts.
func contentText(content any) string {
	switch content := content.(type) {
	case string:
		return content
	case []any:
		var b strings.Builder
		for _, part := range content {
			if part, ok := part.(map[string]any); ok {
				b.WriteString(contentText(part["text"]))
			}
		}
		return b.String()
	}
	return ""
}

// exchange is one attempt at a completion: what goes round go-openai.
type exchange struct {
	conversation []byte // JSON members
	answer       wireAnswer
	err          error // why the answer could not be read
}

type exchangeKey struct{}

// within makes the exchange known to sender.
func (x *exchange) within(ctx context.Context) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}

// noMessages is how go-openai writes that there are none.
var noMessages = []byte(`"messages":null`)

// maxAnswer bounds a completion, in bytes.
const maxAnswer = 64 << 20

// sender sends go-openai's requests, each within an exchange.
type sender struct{ http *http.Client }

func (s sender) Do(r *http.Request) (*http.Response, error) {
	x, ok := r.Context().Value(exchangeKey{}).(*exchange)
	if !ok {
		return nil, errors.New("the request belongs to no exchange")
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	before, after, found := bytes.Cut(body, noMessages)
	if !found {
		return nil, errors.New("the request has no place for its messages")
	}
	whole := bytes.Join([][]byte{before, x.conversation, after}, nil)
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(whole)), nil }
	r.Body, _ = r.GetBody() // it has no error
	r.ContentLength = int64(len(whole))
	reply, err := s.http.Do(r)
	if err != nil {
		return nil, err
	}
	if reply.StatusCode < 200 || reply.StatusCode >= 300 { // go-openai reads errors, whole
		reply.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(reply.Body, maxAnswer), reply.Body}
		return reply, nil
	}
	x.err = x.read(reply)
	reply.Body = io.NopCloser(strings.NewReader("{}"))
	return reply, nil
}

// read takes the completion out of a reply and closes that.
func (x *exchange) read(reply *http.Response) error {
	defer reply.Body.Close()
	var raw bytes.Buffer
	if reply.ContentLength > 0 {
		raw.Grow(int(min(reply.ContentLength, maxAnswer)) + bytes.MinRead)
	}
	if n, err := raw.ReadFrom(io.LimitReader(reply.Body, maxAnswer+1)); err != nil {
		return err
	} else if n > maxAnswer {
		return fmt.Errorf("the answer has more than %d bytes", maxAnswer)
	}
	return json.Unmarshal(raw.Bytes(), &x.answer)
}
