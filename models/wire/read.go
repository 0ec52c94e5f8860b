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

// MaxCalls bounds the tool calls of an answer. One with more is refused; of fewer
// the caller decides how many it carries out.
const MaxCalls = 10_000

// Errors of answers.
var (
	ErrNoAnswer = errors.New("the answer has no content")
	// ErrOutOfOrder is an answer whose pieces cannot be written in another dialect.
	ErrOutOfOrder = errors.New("the model's server goes on with a call after another one began")
)

// ReadAnswer reads an answer. Servers are not as strict as the protocol, so names are
// matched in any case, and bytes that are no UTF-8 become question marks.
func ReadAnswer(body []byte, into any) error {
	mendUTF8(body)
	return jsonv2.Unmarshal(body, into,
		jsonv2.MatchCaseInsensitiveNames(true), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
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

// EachElement reads a list, or null, which is a list without elements. do must read
// one value.
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

// First is the first element of a list; others are not read.
type First[T any] struct {
	It    T
	Found bool
}

// UnmarshalJSONFrom reads the list.
func (f *First[T]) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	return EachElement(d, "the list", func() error {
		if f.Found {
			return d.SkipValue()
		}
		f.Found = true
		return ReadNext(d, &f.It)
	})
}

// ReadNext reads the next value.
func ReadNext(d *jsontext.Decoder, into any) error { return jsonv2.UnmarshalDecode(d, into) }

// EachOf reads a list's elements, one after the other, each into a fresh value, so that an
// answer never needs much more memory than its own size.
func EachOf[T any](list jsontext.Value, name string, do func(*T) error) error {
	r := listReader(func(d *jsontext.Decoder) error {
		return EachElement(d, name, func() error {
			var it T
			if err := ReadNext(d, &it); err != nil {
				return err
			}
			return do(&it)
		})
	})
	return ReadAnswer(list, &r)
}

// listReader reads a list.
type listReader func(*jsontext.Decoder) error

// UnmarshalJSONFrom reads it.
func (r listReader) UnmarshalJSONFrom(d *jsontext.Decoder) error { return r(d) }

// Text is a text, or the texts of a list of parts. What has none says nothing.
type Text string

// UnmarshalJSONFrom reads either.
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
		Text Text `json:"text"`
	}
	err := EachElement(d, "content", func() error {
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
	*t = Text(text.String())
	return err
}

// Arguments are JSON in a text. Some servers send the JSON itself.
type Arguments string

// UnmarshalJSONFrom reads either.
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

// TextOf is a member that is a text; "" if it is none.
func TextOf(raw json.RawMessage) (text string) {
	_ = json.Unmarshal(raw, &text)
	return text
}

// AddCall adds a call of an answer.
func (m *Message) AddCall(call ToolCall) error {
	if len(m.ToolCalls) == MaxCalls {
		return fmt.Errorf("the answer has more than %d tool calls", MaxCalls)
	}
	m.ToolCalls = append(m.ToolCalls, call)
	return nil
}

// maxTokens bounds what is believed of a number of tokens.
const maxTokens = 1 << 40

// Tokens is a number of tokens that a server says. One that cannot be, below 0 or too large for
// sums, is an error.
type Tokens int64

// UnmarshalJSONFrom reads it.
func (n *Tokens) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	err := ReadNext(d, (*int64)(n))
	if err == nil && (*n < 0 || *n > maxTokens) {
		err = fmt.Errorf("%d tokens cannot be: the server's usage is not believed", *n)
	}
	return err
}
