package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxCallsRead bounds the tool calls of an answer. One with more is refused; of fewer
// the caller decides how many it carries out.
const maxCallsRead = 10_000

// wireAnswer is a completion as servers write it. Its lists are read element by
// element, so that an answer never needs much more memory than its own size.
type wireAnswer struct {
	Choice wireChoice     `json:"choices"`
	Usage  wireUsage      `json:"usage"`
	Error  jsontext.Value `json:"error"` // gateways send it with a status of success
}

// wireChoice is the first of the choices.
type wireChoice struct {
	Message struct {
		Content   wireText       `json:"content"`
		ToolCalls wireCalls      `json:"tool_calls"`
		Images    jsontext.Value `json:"images"`
		reasoned
	} `json:"message"`
	FinishReason string `json:"finish_reason"`

	found bool
}

// UnmarshalJSONFrom reads the list of choices: the first one, and nothing of others.
func (c *wireChoice) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type choice wireChoice // without this method
	return eachElement(d, "choices", func() error {
		if c.found {
			return d.SkipValue()
		}
		c.found = true
		return jsonv2.UnmarshalDecode(d, (*choice)(c))
	})
}

// wireText is a text, or the texts of a list of parts. What has none says nothing.
type wireText string

// UnmarshalJSONFrom reads either.
func (t *wireText) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	switch d.PeekKind() {
	case '"':
		return jsonv2.UnmarshalDecode(d, (*string)(t))
	case '[':
	default:
		*t = ""
		return d.SkipValue()
	}
	var text strings.Builder
	var part struct {
		Text wireText `json:"text"`
	}
	err := eachElement(d, "content", func() error {
		if d.PeekKind() != '{' {
			return d.SkipValue()
		}
		part.Text = ""
		if err := jsonv2.UnmarshalDecode(d, &part); err != nil {
			return err
		}
		text.WriteString(string(part.Text))
		return nil
	})
	*t = wireText(text.String())
	return err
}

// reasoned is what a message of chat completions holds of the model's reasoning. Each
// server has its own of these members; OpenRouter has two.
type reasoned struct {
	Content   jsontext.Value `json:"reasoning_content,omitempty"`
	Reasoning jsontext.Value `json:"reasoning,omitempty"`
	Details   jsontext.Value `json:"reasoning_details,omitempty"`
}

// text is what can be read of the reasoning.
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

// chatReplay is a Replay of chat completions: members of the message, and of its calls
// those that Google's servers add to hold signatures.
type chatReplay struct {
	reasoned
	Extra []jsontext.Value `json:"extra_content,omitempty"` // of each call; null for one without
}

// replay is what the server wants back of a message; nil if that is nothing.
func (c *wireChoice) replay() *Replay {
	r := chatReplay{reasoned: c.Message.reasoned, Extra: c.Message.ToolCalls.extra}
	for _, value := range []*jsontext.Value{&r.Content, &r.Reasoning, &r.Details} {
		if string(*value) == "null" || string(*value) == `""` {
			*value = nil
		}
	}
	if len(r.Content)+len(r.Reasoning)+len(r.Details)+len(r.Extra) == 0 {
		return nil
	}
	raw, err := writeJSON(r)
	if err != nil {
		return nil // its parts were JSON when they were read
	}
	return &Replay{API: Chat, Raw: string(raw)}
}

// wireCalls are an answer's tool calls. extra are what servers add to them, for each
// call; nil if none has any.
type wireCalls struct {
	calls []ToolCall
	extra []jsontext.Value
}

// UnmarshalJSONFrom reads the list of calls.
func (c *wireCalls) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type wireCall struct {
		ID       string `json:"id"`
		Function struct {
			Name      string        `json:"name"`
			Arguments wireArguments `json:"arguments"`
		} `json:"function"`
		Extra jsontext.Value `json:"extra_content"`
	}
	var call wireCall
	*c = wireCalls{calls: c.calls[:0]}
	return eachElement(d, "tool_calls", func() error {
		if len(c.calls) == maxCallsRead {
			return fmt.Errorf("the answer has more than %d tool calls", maxCallsRead)
		}
		call = wireCall{}
		if err := jsonv2.UnmarshalDecode(d, &call); err != nil {
			return err
		}
		c.calls = append(c.calls, ToolCall{call.ID, call.Function.Name, string(call.Function.Arguments)})
		if call.Extra != nil {
			for len(c.extra) < len(c.calls)-1 {
				c.extra = append(c.extra, jsontext.Value("null"))
			}
			c.extra = append(c.extra, call.Extra)
		}
		return nil
	})
}

// wireArguments are JSON in a text. Some servers send the JSON itself.
type wireArguments string

// UnmarshalJSONFrom reads either.
func (a *wireArguments) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	switch d.PeekKind() {
	case '"':
		return jsonv2.UnmarshalDecode(d, (*string)(a))
	case 'n':
		*a = ""
		return d.SkipValue()
	}
	raw, err := d.ReadValue()
	*a = wireArguments(raw)
	return err
}

// eachElement reads a list, or null, which is a list without elements. do must read
// one value.
func eachElement(d *jsontext.Decoder, name string, do func() error) error {
	switch d.PeekKind() {
	case 'n':
		return d.SkipValue()
	case '[':
	default:
		return fmt.Errorf("%s is no list", name)
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != ']' {
		if err := do(); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

// wireUsage is what a server says that it charges for.
type wireUsage struct {
	Prompt        int64 `json:"prompt_tokens"`
	Completion    int64 `json:"completion_tokens"`
	Total         int64 `json:"total_tokens"`
	PromptDetails struct {
		Cached  int64 `json:"cached_tokens"`
		Written int64 `json:"cache_write_tokens"` // of OpenRouter
	} `json:"prompt_tokens_details"`
	CompletionDetails struct {
		Reasoning int64 `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
}

// usage counts what is charged. Some servers leave reasoning out of the
// completion's tokens, or do not name it at all, and count it in the total.
func (w *wireUsage) usage() (Usage, error) {
	cached, reasoning := w.PromptDetails.Cached, w.CompletionDetails.Reasoning
	written := w.PromptDetails.Written
	if err := counted(&w.Prompt, &w.Completion, &w.Total, &cached, &written, &reasoning); err != nil {
		return Usage{}, err
	}
	u := Usage{Prompt: int(w.Prompt), Cached: int(cached), CacheWrite: int(written), Completion: int(w.Completion), Reasoning: int(reasoning)}
	if left := int(w.Total) - u.Total(); left > 0 && (u.Reasoning == 0 || left == u.Reasoning) {
		u.Completion, u.Reasoning = u.Completion+left, left
	} else if u.Reasoning > u.Completion {
		u.Completion += u.Reasoning
	}
	return u, nil
}

var errEmpty = errors.New("the completion has no choices")

// errorInside is an error in an answer whose status is one of success, as gateways
// send it; nil if there is none.
func errorInside(raw []byte) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	raw = raw[:min(len(raw), maxErrorAnswer)] // cut off, it is shown as a text
	var detail struct {
		Message any `json:"message"`
		Code    any `json:"code"`
	}
	if json.Unmarshal(raw, &detail) != nil || detail.Message == nil {
		return fmt.Errorf("the server answers with an error: %s", raw)
	}
	said := &serverError{message: fmt.Sprint(detail.Message)}
	if detail.Code != nil {
		said.code = fmt.Sprint(detail.Code)
		said.status, _ = strconv.Atoi(said.code) // 0 if it is no number
	}
	return said
}
