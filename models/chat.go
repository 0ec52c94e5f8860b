package models

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

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

// decode implements dialect.
func (c *chat) decode(body []byte) (Response, error) {
	var answer wireAnswer
	err := jsonv2.Unmarshal(body, &answer,
		jsonv2.MatchCaseInsensitiveNames(true), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	usage := Response{Usage: answer.usage()}
	if err != nil {
		return usage, err
	}
	if len(answer.Choices) > 0 {
		return answer.response(), nil
	}
	if err := errorInside(answer.Error); err != nil {
		return usage, err
	}
	return usage, errEmpty
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
