package chat

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/sashabaranov/go-openai"

	"agentd/models/wire"
)

// said is the message of an answer, as it is written.
type said struct {
	Role      wire.Role `json:"role"`
	Content   *string   `json:"content"`
	Refusal   *string   `json:"refusal"`
	Reasoning string    `json:"reasoning_content,omitempty"`
	ToolCalls []call    `json:"tool_calls,omitempty"`
	Images    []drawn   `json:"images,omitempty"`
}

// drawn is a picture in an answer, in OpenRouter's format.
type drawn struct {
	Type  string `json:"type"`
	Image struct {
		URL wire.Address `json:"url"`
	} `json:"image_url"`
}

func drawnIn(m *wire.Message) (all []drawn) {
	for _, p := range m.Pictures {
		one := drawn{Type: "image_url"}
		one.Image.URL = p.Address()
		all = append(all, one)
	}
	return all
}

// choice is the only choice of an answer, with its message, or of an event, with what the event
// adds to the message.
type choice struct {
	Index        int                 `json:"index"`
	Message      *said               `json:"message,omitempty"`
	Delta        *delta              `json:"delta,omitempty"`
	LogProbs     *openai.LogProbs    `json:"logprobs"`
	FinishReason openai.FinishReason `json:"finish_reason"`
}

// answer is an answer, or an event of one. It has go-openai's members, except that texts may be
// empty, and that pieces of calls after the first contain only arguments.
type answer struct {
	ID      string        `json:"id"`
	Object  string        `json:"object"`
	Created int64         `json:"created"`
	Model   string        `json:"model"`
	Choices []choice      `json:"choices"`
	Usage   *openai.Usage `json:"usage,omitempty"`
}

// EncodeAnswer implements wire.Codec.
func (Codec) EncodeAnswer(_ *wire.Request, a *wire.Answer) any {
	whole := answer{a.ID, "chat.completion", time.Now().Unix(), a.Model, nil, usageOf(a.Usage)}
	if a.Empty {
		return whole
	}
	m := &a.Message
	message := &said{Role: wire.Assistant, Content: &m.Content, Reasoning: m.Reasoning, ToolCalls: callsOf(m), Images: drawnIn(m)}
	if m.Content == "" && len(m.ToolCalls) > 0 {
		message.Content = nil
	}
	whole.Choices = []choice{{Message: message, FinishReason: openai.FinishReason(a.FinishReason)}}
	return whole
}

func usageOf(u wire.Usage) *openai.Usage {
	return &openai.Usage{
		PromptTokens: u.Prompt, CompletionTokens: u.Completion, TotalTokens: u.Total(),
		PromptTokensDetails:     &openai.PromptTokensDetails{CachedTokens: u.Cached},
		CompletionTokensDetails: &openai.CompletionTokensDetails{ReasoningTokens: u.Reasoning},
	}
}

// EncodeError implements wire.Codec.
func (Codec) EncodeError(e *wire.Error) any {
	said := openai.APIError{Message: e.Message, Type: "invalid_request_error"}
	if e.Code != said.Type && e.Code != "" {
		said.Code = e.Code
	}
	return openai.ErrorResponse{Error: &said}
}

// heard is an answer as servers write it. Its lists are decoded element by element, so that
// decoding needs little more memory than the answer itself.
type heard struct {
	Choice wire.First[heardChoice] `json:"choices"`
	Usage  heardUsage              `json:"usage"`
	Error  jsontext.Value          `json:"error"` // some gateways send it with status 200
}

// heardChoice is the choice of an answer.
type heardChoice struct {
	Message struct {
		Content   wire.Text      `json:"content"`
		ToolCalls calls          `json:"tool_calls"`
		Images    jsontext.Value `json:"images"`
		reasoned
	} `json:"message"`
	FinishReason string `json:"finish_reason"`
}

var errEmpty = errors.New("the completion has no choices")

// DecodeAnswer implements wire.Codec.
func (Codec) DecodeAnswer(body []byte) (a wire.Answer, err error) {
	var answer heard
	if err := wire.ReadAnswer(body, &answer); err != nil {
		return a, err
	}
	a.Usage = answer.Usage.usage()
	if !answer.Choice.Found {
		return a, cmp.Or(wire.ErrorInside(answer.Error), errEmpty)
	}
	said := &answer.Choice.It.Message
	a.FinishReason = answer.Choice.It.FinishReason
	a.Message = wire.Message{
		Role: wire.Assistant, Content: string(said.Content), ToolCalls: said.ToolCalls.list,
		Reasoning: said.text(), Replay: answer.Choice.It.replay(),
	}
	return a, drawIn(&a.Message, said.Images)
}

// drawIn decodes the pictures of an answer: a list of data: URLs.
func drawIn(m *wire.Message, list jsontext.Value) error {
	if list.Kind() != '[' {
		return nil
	}
	return wire.EachOf(list, "images", func(d *drawn) error {
		kind, data, ok := d.Image.URL.Data()
		if !ok {
			return fmt.Errorf("the answer has the address of a picture, %.60q, instead of its bytes", d.Image.URL)
		}
		return m.Draw(kind, strings.TrimSpace(data))
	})
}

// reasoned holds the members in which servers send the model's reasoning. Each server uses one
// of them; OpenRouter uses two.
type reasoned struct {
	Content   jsontext.Value `json:"reasoning_content,omitempty"`
	Reasoning jsontext.Value `json:"reasoning,omitempty"`
	Details   jsontext.Value `json:"reasoning_details,omitempty"`
}

// text returns the readable part of the reasoning.
func (r *reasoned) text() string {
	for _, raw := range []jsontext.Value{r.Content, r.Reasoning} {
		var text string
		if json.Unmarshal(raw, &text) == nil && text != "" {
			return text
		}
	}
	var details []struct {
		Text    string `json:"text"`
		Summary string `json:"summary"`
	}
	if json.Unmarshal(r.Details, &details) != nil {
		return ""
	}
	var b strings.Builder
	for _, d := range details {
		b.WriteString(d.Text + d.Summary)
	}
	return b.String()
}

// replay is the content of a wire.Replay in this dialect: members of the message, and those
// that Google's servers add to calls for signatures.
type replay struct {
	reasoned
	Extra []jsontext.Value `json:"extra_content,omitempty"` // one for each call; null if it has none
}

// replay returns what the server expects back for a message; nil for nothing.
func (c *heardChoice) replay() *wire.Replay {
	r := replay{reasoned: c.Message.reasoned, Extra: c.Message.ToolCalls.extra}
	for _, value := range []*jsontext.Value{&r.Content, &r.Reasoning, &r.Details} {
		if string(*value) == "null" || string(*value) == `""` {
			*value = nil
		}
	}
	if len(r.Content)+len(r.Reasoning)+len(r.Details)+len(r.Extra) == 0 {
		return nil
	}
	raw, err := wire.Write(r)
	if err != nil {
		return nil // cannot fail: its parts were decoded from JSON
	}
	return &wire.Replay{API: wire.Chat, Raw: string(raw)}
}

// heardCall is a call as servers and clients write it, or a piece of one in an event.
type heardCall struct {
	Index    *int   `json:"index"` // in an event
	ID       string `json:"id"`
	Function struct {
		Name      string         `json:"name"`
		Arguments wire.Arguments `json:"arguments"`
	} `json:"function"`
	Extra jsontext.Value `json:"extra_content"`
}

// calls are a message's tool calls. extra holds what servers add to each call; nil if they add
// nothing.
type calls struct {
	list  []wire.ToolCall
	extra []jsontext.Value
}

// UnmarshalJSONFrom decodes the list of calls.
func (c *calls) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	var call heardCall
	*c = calls{list: c.list[:0]}
	return wire.EachElement(d, "tool_calls", func() error {
		if len(c.list) == wire.MaxCalls {
			return fmt.Errorf("the answer has more than %d tool calls", wire.MaxCalls)
		}
		call = heardCall{}
		if err := wire.ReadNext(d, &call); err != nil {
			return err
		}
		c.list = append(c.list, wire.ToolCall{ID: call.ID, Name: call.Function.Name, Arguments: string(call.Function.Arguments)})
		if call.Extra != nil {
			for len(c.extra) < len(c.list)-1 {
				c.extra = append(c.extra, jsontext.Value("null"))
			}
			c.extra = append(c.extra, call.Extra)
		}
		return nil
	})
}

// heardUsage is the usage that a server reports.
type heardUsage struct {
	Prompt        wire.Tokens `json:"prompt_tokens"`
	Completion    wire.Tokens `json:"completion_tokens"`
	Total         wire.Tokens `json:"total_tokens"`
	PromptDetails struct {
		Cached  wire.Tokens `json:"cached_tokens"`
		Written wire.Tokens `json:"cache_write_tokens"` // OpenRouter
	} `json:"prompt_tokens_details"`
	CompletionDetails struct {
		Reasoning wire.Tokens `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
}

// usage returns the tokens that are charged. Some servers leave reasoning out of the
// completion's tokens, or do not report it, but include it in the total.
func (w *heardUsage) usage() wire.Usage {
	u := wire.Usage{
		Prompt: int(w.Prompt), Cached: int(w.PromptDetails.Cached), CacheWrite: int(w.PromptDetails.Written),
		Completion: int(w.Completion), Reasoning: int(w.CompletionDetails.Reasoning),
	}
	if left := int(w.Total) - u.Total(); left > 0 && (u.Reasoning == 0 || left == u.Reasoning) {
		u.Completion, u.Reasoning = u.Completion+left, left
	} else if u.Reasoning > u.Completion {
		u.Completion += u.Reasoning
	}
	return u
}
