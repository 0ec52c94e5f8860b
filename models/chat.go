package models

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/sashabaranov/go-openai"
)

// chat is the dialect of OpenAI's chat completions, which most servers speak.
//
// go-openai's types are used where they suffice. Its requests leave out members that
// servers insist on (the content of an empty message, a temperature of 0), have no
// place for members of one's own, and write every message twice for each turn. Its
// answers refuse variations that servers have. So messages and answers have types
// here, and a conversation, which is sent again with every turn, is put together from
// messages that were written once.
type chat struct {
	spec     Spec
	settings []byte // members of every request, as JSON without braces
}

// newChat returns the dialect for a spec.
func newChat(spec Spec) (*chat, error) {
	settings, err := spec.settings()
	return &chat{spec, settings}, err
}

// endpoint implements dialect. With an API version the server is Azure's.
func (c *chat) endpoint(key string) (string, http.Header) {
	header := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}}
	if c.spec.APIVersion != "" {
		header.Set(openai.AzureAPIKeyHeader, key)
		return fmt.Sprintf("%s/openai/deployments/%s/chat/completions?api-version=%s",
			strings.TrimRight(c.spec.BaseURL, "/"), url.PathEscape(c.spec.Model), url.QueryEscape(c.spec.APIVersion)), header
	}
	if key != "" {
		header.Set("Authorization", "Bearer "+key)
	}
	base := c.spec.BaseURL
	if base == "" {
		base = openai.DefaultConfig("").BaseURL
	}
	return strings.TrimRight(base, "/") + "/chat/completions", header
}

// explain implements dialect.
func (c *chat) explain(body []byte) (code, message string) {
	var said openai.ErrorResponse
	if json.Unmarshal(body, &said) != nil || said.Error == nil {
		return "", string(bytes.TrimSpace(body))
	}
	if said.Error.Code != nil {
		code = fmt.Sprint(said.Error.Code)
	}
	return code, said.Error.Message
}

// decode implements dialect. Servers are not as strict as the protocol, so names are
// matched whatever their case, and bytes that are no UTF-8 become question marks.
func (c *chat) decode(body []byte) (Response, error) {
	mendUTF8(body)
	var answer wireAnswer
	err := jsonv2.Unmarshal(body, &answer,
		jsonv2.MatchCaseInsensitiveNames(true), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return Response{}, err
	}
	usage, err := answer.Usage.usage()
	switch {
	case err != nil:
		return Response{}, err
	case answer.Choice.found:
		said := &answer.Choice.Message
		return Response{
			Message:      Message{Role: Assistant, Content: string(said.Content), ToolCalls: said.ToolCalls},
			FinishReason: answer.Choice.FinishReason, Usage: usage,
		}, nil
	}
	if err := errorInside(answer.Error); err != nil {
		return Response{Usage: usage}, err
	}
	return Response{Usage: usage}, errEmpty
}

// mendUTF8 puts a question mark in place of each byte that is not UTF-8.
func mendUTF8(text []byte) {
	if utf8.Valid(text) {
		return
	}
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			text[at] = '?'
		}
		at += size
	}
}

// wireMessage is a message as the protocol has it. Only one with tool calls may
// be without content.
type wireMessage struct {
	Role       Role       `json:"role"`
	Content    *string    `json:"content,omitempty"`
	ToolCalls  []wireCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type wireCall struct {
	ID       string          `json:"id"`
	Type     openai.ToolType `json:"type"`
	Function wireFunction    `json:"function"`
}

type wireFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type wireTool struct {
	Type     openai.ToolType           `json:"type"`
	Function openai.FunctionDefinition `json:"function"`
}

// roomForTools is about what the tools of a request need, in bytes.
const roomForTools = 4 << 10

// encode implements dialect. A conversation is long and only its end is new, so it is
// put together in one piece of memory.
func (c *chat) encode(req Request) ([]byte, error) {
	if req.Members != nil {
		return c.encodeMembers(req)
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

func (c *chat) writeTools(b *bytes.Buffer, offered []Tool) error {
	tools := make([]wireTool, len(offered))
	for i, t := range offered {
		tools[i] = wireTool{openai.ToolTypeFunction, openai.FunctionDefinition{Name: t.Name, Description: t.Description, Parameters: t.Parameters}}
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
			ID: call.ID, Type: openai.ToolTypeFunction, Function: wireFunction{call.Name, call.Arguments},
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
