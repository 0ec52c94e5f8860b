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
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/sashabaranov/go-openai"
)

// A conversation is sent again with every turn, and by far most of an
// interaction's CPU time goes into writing it as JSON and reading what is
// answered. go-openai writes and reads each message twice, leaves out the content
// of empty ones, which servers refuse, and refuses shades of the protocol that
// servers have. So it is given an empty request, in whose place sender puts one
// whose messages were written once, and a reply without the completion, which
// sender takes out. What is left to it are addresses, keys and errors.

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

// roomForTools is about what the tools of a request need, in bytes.
const roomForTools = 4 << 10

// write returns a request as it is sent. A conversation is long and only its end
// is new, so it is put together in one piece of memory.
func (c *client) write(req Request) ([]byte, error) {
	if req.Members != nil {
		return c.writeMembers(req)
	}
	messages := req.Messages
	if c.spec.NoSystem {
		messages = foldSystem(messages)
	}
	size := len(c.settings) + roomForTools
	for i := range messages {
		m := &messages[i]
		if m.wire == nil {
			raw, err := writeJSON(wireOf(m))
			if err != nil {
				return nil, err
			}
			m.wire = raw
		}
		size += len(m.wire) + 1
	}
	b := bytes.NewBuffer(make([]byte, 0, size))
	b.WriteString(`{"messages":[`)
	for i := range messages {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(messages[i].wire)
	}
	b.WriteByte(']')
	if len(req.Tools) > 0 {
		if err := c.writeTools(b, req.Tools); err != nil {
			return nil, err
		}
	}
	if _, said := c.spec.Body["seed"]; c.spec.Seeded && !said {
		fmt.Fprintf(b, `,"seed":%d`, req.Seed)
	}
	if field, limit := c.wantedLimit(req.Terms); limit > 0 {
		fmt.Fprintf(b, `,%q:%d`, field, limit)
	}
	b.WriteByte(',')
	b.Write(c.settings)
	b.WriteByte('}')
	return b.Bytes(), nil
}

// wantedLimit is the output limit that the terms of a request add to the settings,
// and the member it is sent under. It is 0 where the settings have a limit, or must
// not have one.
func (c *client) wantedLimit(terms Terms) (field string, tokens int) {
	field = c.spec.limitField()
	if c.spec.MaxOutput > 0 || field == "" {
		return field, 0
	}
	return field, terms.MaxOutput
}

// writeMembers returns the request of another client with what the spec and the terms
// say in place of what it says; its temperature it may choose where the spec does not.
func (c *client) writeMembers(req Request) ([]byte, error) {
	var own map[string]json.RawMessage
	if err := json.Unmarshal(fmt.Appendf(nil, "{%s}", c.settings), &own); err != nil {
		return nil, err
	}
	all := maps.Clone(req.Members)
	if _, said := all["temperature"]; said && c.spec.Temperature == nil && c.spec.Body["temperature"] == nil {
		delete(own, "temperature")
	}
	c.limitMembers(all, req.Terms)
	if c.spec.NoSystem {
		folded, err := foldSystemIn(all["messages"])
		if err != nil {
			return nil, err
		}
		all["messages"] = folded
	}
	if _, said := c.spec.Body["seed"]; c.spec.Seeded && !said {
		all["seed"] = fmt.Append(nil, req.Seed)
	}
	for name, value := range c.spec.Body {
		if value == nil { // what the server does not take
			delete(all, name)
		}
	}
	maps.Copy(all, own)
	return writeJSON(all)
}

// limitMembers sets the output limit of another client's request: its own, under the
// name that the server knows, unless the spec or the terms have one.
func (c *client) limitMembers(all map[string]json.RawMessage, terms Terms) {
	field, wanted := c.wantedLimit(terms)
	own := field == "" || c.spec.MaxOutput > 0 // the settings decide
	for _, name := range limitFields {
		limit, said := all[name]
		switch {
		case !said:
		case own || wanted > 0:
			delete(all, name)
		case c.spec.MaxOutputField != "" && name != field:
			delete(all, name)
			all[field] = limit
		}
	}
	if wanted > 0 {
		all[field] = fmt.Append(nil, wanted)
	}
}

func (c *client) writeTools(b *bytes.Buffer, offered []Tool) error {
	tools := make([]wireTool, len(offered))
	for i, t := range offered {
		tools[i] = wireTool{Type: string(openai.ToolTypeFunction), Function: wireToolDefinition(t)}
	}
	raw, err := writeJSON(tools)
	if err != nil {
		return err
	}
	b.WriteString(`,"tools":`)
	b.Write(raw)
	if parallel := c.spec.ParallelTools; parallel != nil { // servers refuse it where there are no tools
		fmt.Fprintf(b, `,"parallel_tool_calls":%t`, *parallel)
	}
	return nil
}

// foldSystem puts what system messages say before the user's next message, or makes
// one of it.
func foldSystem(messages []Message) []Message {
	var system strings.Builder
	folded := make([]Message, 0, len(messages))
	for _, m := range messages {
		switch {
		case m.Role == System:
			system.WriteString(m.Content + "\n\n")
			continue
		case m.Role == User && system.Len() > 0:
			m.Content, m.wire = system.String()+m.Content, nil
			system.Reset()
		}
		folded = append(folded, m)
	}
	if system.Len() > 0 { // there is no user's to put it before
		folded = append(folded, Message{Role: User, Content: strings.TrimSpace(system.String())})
	}
	return folded
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
		Total         int `json:"total_tokens"`
		PromptDetails struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
		CompletionDetails struct {
			Reasoning int `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"` // gateways put it beside a status that says that all is well
}

// usage counts what is charged. Some servers leave reasoning out of the
// completion's tokens, or do not name it at all, and count it in the total.
func (a *wireAnswer) usage() Usage {
	u := Usage{
		Prompt: a.Usage.Prompt, Cached: a.Usage.PromptDetails.Cached,
		Completion: a.Usage.Completion, Reasoning: a.Usage.CompletionDetails.Reasoning,
	}
	if left := a.Usage.Total - u.Total(); left > 0 && (u.Reasoning == 0 || left == u.Reasoning) {
		u.Completion, u.Reasoning = u.Completion+left, left
	}
	return u
}

// response is the first choice, of which there must be one.
func (a *wireAnswer) response() Response {
	choice := &a.Choices[0]
	r := Response{
		Message:      Message{Role: Assistant, Content: contentText(choice.Message.Content)},
		FinishReason: choice.FinishReason,
		Usage:        a.usage(),
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
	request []byte
	sent    bool
	status  int // 0 if no answer began
	header  http.Header
	answer  wireAnswer
	err     error // why the answer could not be read
}

type exchangeKey struct{}

// within makes the exchange known to sender.
func (x *exchange) within(ctx context.Context) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}

// maxAnswer bounds a completion, in bytes.
const maxAnswer = 64 << 20

// sender sends go-openai's requests, each within an exchange.
type sender struct {
	http   *http.Client
	header http.Header // beyond go-openai's
}

func (s sender) Do(r *http.Request) (*http.Response, error) {
	x, ok := r.Context().Value(exchangeKey{}).(*exchange)
	if !ok {
		return nil, errors.New("the request belongs to no exchange")
	}
	for name, values := range s.header {
		r.Header[name] = values
	}
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(x.request)), nil }
	r.Body, _ = r.GetBody() // it has no error
	r.ContentLength = int64(len(x.request))
	x.sent = true
	reply, err := s.http.Do(r)
	if err != nil {
		return nil, err
	}
	x.status, x.header = reply.StatusCode, reply.Header
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
	return jsonv2.Unmarshal(raw.Bytes(), &x.answer,
		jsonv2.MatchCaseInsensitiveNames(true), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// foldSystemIn is foldSystem for another client's messages, whose contents are texts or
// lists of parts. A developer's message is a system's. What is no message stays, for the
// server to refuse.
func foldSystemIn(raw json.RawMessage) (json.RawMessage, error) {
	var messages []map[string]json.RawMessage
	if json.Unmarshal(raw, &messages) != nil {
		return raw, nil
	}
	var system strings.Builder
	var folded []map[string]json.RawMessage
	for _, m := range messages {
		var role string
		_ = json.Unmarshal(m["role"], &role)
		switch {
		case role == string(System) || role == "developer":
			for _, p := range partsOf(m["content"]) {
				system.WriteString(p.Text)
			}
			system.WriteString("\n\n")
			continue
		case role == string(User) && system.Len() > 0:
			content, err := preceded(system.String(), m["content"])
			if err != nil {
				return nil, err
			}
			m = maps.Clone(m)
			m["content"] = content
			system.Reset()
		}
		folded = append(folded, m)
	}
	if system.Len() > 0 {
		content, err := writeJSON(strings.TrimSpace(system.String()))
		if err != nil {
			return nil, err
		}
		folded = append(folded, map[string]json.RawMessage{"role": json.RawMessage(`"user"`), "content": content})
	}
	return writeJSON(folded)
}

// textPart is what matters here of a part of a message's content.
type textPart struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// partsOf returns the parts of a content, of which a text is one.
func partsOf(content json.RawMessage) (parts []textPart) {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return []textPart{{"text", text}}
	}
	_ = json.Unmarshal(content, &parts) // what is neither says nothing
	return parts
}

// preceded is a content with a text before it.
func preceded(before string, content json.RawMessage) (json.RawMessage, error) {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return writeJSON(before + text)
	}
	var parts []json.RawMessage
	if json.Unmarshal(content, &parts) != nil {
		return content, nil
	}
	first, err := writeJSON(textPart{"text", before})
	if err != nil {
		return nil, err
	}
	return writeJSON(append([]json.RawMessage{first}, parts...))
}
