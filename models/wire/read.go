package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// MaxCalls is the largest number of tool calls that an answer may have. An answer with more is
// refused. The caller decides how many of them it executes.
const MaxCalls = 10_000

// Errors of answers.
var (
	ErrNoAnswer = errors.New("the answer has no content")
	// ErrOutOfOrder means that the pieces of an answer come in an order that other dialects
	// cannot express.
	ErrOutOfOrder = errors.New("the model's server goes on with a call after another one began")
)

// ReadAnswer decodes an answer. Servers are less strict than the protocol, so names match in
// any case, and invalid UTF-8 becomes question marks.
func ReadAnswer(body []byte, into any) error {
	mendUTF8(body)
	return jsonv2.Unmarshal(body, into,
		jsonv2.MatchCaseInsensitiveNames(true), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// mendUTF8 replaces each byte of invalid UTF-8 with a question mark.
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

// EachElement reads a list, or null as an empty list. do must read one value. name names the
// list in errors.
func EachElement(d *jsontext.Decoder, name string, do func() error) error {
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

// First is the first element of a list. Other elements are not decoded.
type First[T any] struct {
	It    T
	Found bool
}

// UnmarshalJSONFrom decodes the list.
func (f *First[T]) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	return EachElement(d, "the list", func() error {
		if f.Found {
			return d.SkipValue()
		}
		f.Found = true
		return ReadNext(d, &f.It)
	})
}

// ReadNext decodes the next value.
func ReadNext(d *jsontext.Decoder, into any) error { return jsonv2.UnmarshalDecode(d, into) }

// EachOf decodes a list's elements one by one, each into a new value, so that decoding needs
// little more memory than the answer itself.
func EachOf[T any](list jsontext.Value, name string, do func(*T) error) error {
	return ReadAnswer(list, &reading{read: func(d *jsontext.Decoder) error {
		return EachElement(d, name, func() error {
			var it T
			if err := ReadNext(d, &it); err != nil {
				return err
			}
			return do(&it)
		})
	}})
}

// Text is a text, or the joined texts and refusals of a list of parts. Other values are "".
type Text string

// UnmarshalJSONFrom decodes a text or a list.
func (t *Text) UnmarshalJSONFrom(d *jsontext.Decoder) error {
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
		Text    Text `json:"text"`
		Refusal Text `json:"refusal"`
	}
	err := EachElement(d, "content", func() error {
		if d.PeekKind() != '{' {
			return d.SkipValue()
		}
		part.Text, part.Refusal = "", ""
		if err := jsonv2.UnmarshalDecode(d, &part); err != nil {
			return err
		}
		text.WriteString(string(part.Text + part.Refusal))
		return nil
	})
	*t = Text(text.String())
	return err
}

// Arguments are JSON encoded as a text. Some servers send plain JSON instead.
type Arguments string

// UnmarshalJSONFrom decodes both forms.
func (a *Arguments) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	switch d.PeekKind() {
	case '"':
		return jsonv2.UnmarshalDecode(d, (*string)(a))
	case 'n':
		*a = ""
		return d.SkipValue()
	}
	raw, err := d.ReadValue()
	*a = Arguments(raw)
	return err
}

// TextOf returns a text; "" if the value is not a text.
func TextOf(raw json.RawMessage) (text string) {
	_ = json.Unmarshal(raw, &text)
	return text
}

// AddCall adds a call to an answer. It returns an error if there are MaxCalls already.
func (m *Message) AddCall(call ToolCall) error {
	if len(m.ToolCalls) == MaxCalls {
		return fmt.Errorf("the answer has more than %d tool calls", MaxCalls)
	}
	m.ToolCalls = append(m.ToolCalls, call)
	return nil
}

// maxTokens is the largest number of tokens that is accepted.
const maxTokens = 1 << 40

// Tokens is a number of tokens reported by a server. Negative numbers, and numbers too large to
// add up, are errors.
type Tokens int64

// UnmarshalJSONFrom decodes the number.
func (n *Tokens) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	err := ReadNext(d, (*int64)(n))
	if err == nil && (*n < 0 || *n > maxTokens) {
		err = fmt.Errorf("%d tokens cannot be: the server's usage is not believed", *n)
	}
	return err
}
