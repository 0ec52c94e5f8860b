package models

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/sashabaranov/go-openai"
)

// chat is the dialect of OpenAI's chat completions, which most servers speak.
//
// go-openai's types are used where they suffice. Its requests leave out members that
// servers insist on (the content of an empty message, a temperature of 0), have no
// place for further members, and are encoded twice for each turn. Its answers
// refuse variants that servers send. So messages and answers have types here. A
// conversation is sent again with every turn, so each message is encoded only once.
type chat struct {
	spec    Spec
	profile Profile
	usual   []byte // members of every request, as JSON without braces, if none is left out
}

// openaiBase is the address of OpenAI's server.
const openaiBase = "https://api.openai.com/v1"

// newChat returns the dialect for a spec.
func newChat(spec Spec, profile Profile) (*chat, error) {
	settings, err := spec.settings(profile, nil, false)
	return &chat{spec, profile, settings}, err
}

// settings are the members of a request other than the conversation, without those that the
// server refused.
func (c *chat) settings(req *Request, without omissions) ([]byte, error) {
	if len(without) == 0 && (!req.Stream || c.spec.Stream) {
		return c.usual, nil
	}
	return c.spec.settings(c.profile, without, req.Stream)
}

// endpoint implements dialect. With an API version the server is Azure's.
func (c *chat) endpoint(key string, _ bool) (string, http.Header) {
	header := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}}
	if c.spec.APIVersion != "" {
		header.Set(openai.AzureAPIKeyHeader, key)
		return fmt.Sprintf("%s/openai/deployments/%s/chat/completions?api-version=%s",
			strings.TrimRight(c.spec.BaseURL, "/"), url.PathEscape(c.spec.Model), url.QueryEscape(c.spec.APIVersion)), header
	}
	if key != "" {
		header.Set("Authorization", "Bearer "+key)
	}
	base := cmp.Or(c.spec.BaseURL, openaiBase)
	return strings.TrimRight(base, "/") + "/chat/completions", header
}

// explain implements dialect.
func (c *chat) explain(body []byte) *serverError {
	var said openai.ErrorResponse
	if json.Unmarshal(body, &said) != nil || said.Error == nil {
		return explained(body)
	}
	e := &serverError{message: said.Error.Message}
	if said.Error.Code != nil {
		e.code = fmt.Sprint(said.Error.Code)
	}
	d := explained(body)
	e.wait = d.wait
	if strings.HasPrefix(d.message, e.message) { // it may say more
		e.message = d.message
	}
	return e
}

// assembly implements dialect.
func (c *chat) assembly() assembly { return &chatAssembly{} }

// decode implements dialect.
func (c *chat) decode(body []byte) (Response, error) {
	var answer wireAnswer
	if err := leniently(body, &answer); err != nil {
		return Response{}, err
	}
	usage, err := answer.Usage.usage()
	switch {
	case err != nil:
		return Response{}, err
	case answer.Choice.found:
		said := &answer.Choice.Message
		m := Message{
			Role: Assistant, Content: string(said.Content), ToolCalls: said.ToolCalls.calls,
			Reasoning: said.text(), Replay: answer.Choice.replay(),
		}
		err := m.drawInChat(said.Images)
		return Response{Message: m, FinishReason: answer.Choice.FinishReason, Usage: usage}, err
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
	reasoned              // as it came
}

type wireCall struct {
	ID       string          `json:"id"`
	Type     openai.ToolType `json:"type"`
	Function wireFunction    `json:"function"`
	Extra    jsontext.Value  `json:"extra_content,omitempty"` // as it came
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

// roomForMessage is about what a message needs around its text, in bytes.
const roomForMessage = 64

// encode implements dialect.
func (c *chat) encode(req Request, without omissions) ([]byte, error) {
	if req.Members != nil {
		return c.encodeMembers(req, without)
	}
	settings, err := c.settings(&req, without)
	if err != nil {
		return nil, err
	}
	messages := req.Messages
	if c.spec.NoSystem {
		messages = foldSystem(messages)
	}
	b, err := writeMessages(messages, len(settings))
	if err != nil {
		return nil, err
	}
	b.WriteByte(']')
	if len(req.Tools) > 0 {
		if err := c.writeTools(b, req.Tools, without); err != nil {
			return nil, err
		}
	}
	if _, said := c.spec.Body["seed"]; c.spec.Seeded && !said && !without.has(settingSeed) {
		fmt.Fprintf(b, `,"seed":%d`, req.Seed)
	}
	if field, limit := c.wantedLimit(req.Terms, without); limit > 0 {
		fmt.Fprintf(b, `,%q:%d`, field, limit)
	}
	if _, said := c.spec.Body["modalities"]; req.Draws && !said {
		b.WriteString(`,"modalities":["image","text"]`)
	}
	b.WriteByte(',')
	b.Write(settings)
	b.WriteByte('}')
	return b.Bytes(), nil
}

// writeMessages begins a request with its messages, in one buffer that has room for so many
// bytes of settings. A conversation is long and only its end is new, so the encoded messages
// of the first request are slices of that request, and those of later ones are copies.
func writeMessages(messages []Message, settings int) (*bytes.Buffer, error) {
	first, size := true, settings+roomForTools
	for i := range messages {
		m := &messages[i]
		first = first && m.wire == nil
		size += max(len(m.wire), len(m.Content)+len(m.Content)/8) + roomForMessage
	}
	b := bytes.NewBuffer(make([]byte, 0, size))
	b.WriteString(`{"messages":[`)
	ends := make([]int, len(messages))
	for i := range messages {
		if i > 0 {
			b.WriteByte(',')
		}
		m := &messages[i]
		switch {
		case m.wire != nil:
			b.Write(m.wire)
		case first:
			if err := writeJSONTo(b, chatMessage(m)); err != nil {
				return nil, err
			}
		default:
			raw, err := writeJSON(chatMessage(m))
			if err != nil {
				return nil, err
			}
			m.wire = raw
			b.Write(raw)
		}
		ends[i] = b.Len()
	}
	if first {
		written, start := b.Bytes(), len(`{"messages":[`)
		for i, end := range ends {
			messages[i].wire = written[start:end:end]
			start = end + len(",")
		}
	}
	return b, nil
}

func (c *chat) writeTools(b *bytes.Buffer, offered []Tool, without omissions) error {
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
	if parallel := c.spec.ParallelTools; parallel != nil && !without.has(settingParallel) { // servers refuse it where there are no tools
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
	var replay chatReplay
	if raw := m.replayOf(Chat); raw != nil && json.Unmarshal(raw, &replay) == nil {
		w.reasoned = replay.reasoned
	}
	if m.Content != "" || len(m.ToolCalls) == 0 {
		w.Content = &m.Content
	}
	for i, call := range m.ToolCalls {
		written := wireCall{ID: call.ID, Type: openai.ToolTypeFunction, Function: wireFunction{call.Name, call.Arguments}}
		if i < len(replay.Extra) && string(replay.Extra[i]) != "null" {
			written.Extra = replay.Extra[i]
		}
		w.ToolCalls = append(w.ToolCalls, written)
	}
	return w
}

// writeJSON is json.Marshal without escapes for HTML.
func writeJSON(value any) ([]byte, error) {
	var b bytes.Buffer
	if err := writeJSONTo(&b, value); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// writeJSONTo writes a value after what a buffer has.
func writeJSONTo(b *bytes.Buffer, value any) error {
	encoder := json.NewEncoder(b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return fmt.Errorf("writing the conversation: %w", err)
	}
	b.Truncate(b.Len() - len("\n")) // which the encoder ends with
	return nil
}
