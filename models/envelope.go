package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// envelope is what Responses, Messages and generateContent have in common: how a
// request is put together around the conversation, whose messages are written once.
//
// The makers' own Go packages are not used. They encode a whole conversation with every
// turn, put what they know of an answer in place of what the server sent, so that it
// cannot go back byte for byte, and retry and redirect by rules of their own.
type envelope struct {
	spec    Spec
	profile Profile
}

// member is one of a request's JSON object.
type member struct {
	name  string
	value any // json.RawMessage is written as it is
}

// write returns a request: the members, and the spec's own in place of those of the same
// name. Where both are objects, the spec's are put into it, as generationConfig has many.
func (e *envelope) write(members []member) ([]byte, error) {
	size := len("{}")
	for _, m := range members {
		raw, _ := m.value.(json.RawMessage)
		size += len(m.name) + len(raw) + len(`"":,`)
	}
	body := maps.Clone(e.spec.Body)
	b := bytes.NewBuffer(make([]byte, 0, size+roomForTools))
	b.WriteByte('{')
	for _, m := range members {
		value := m.value
		if own, said := body[m.name]; said {
			value = over(value, own)
			delete(body, m.name)
		}
		if err := put(b, m.name, value); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(body)) {
		if err := put(b, name, body[name]); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// over returns a spec's value for a member in place of another.
func over(value, own any) any {
	into, ok := value.(map[string]any)
	from, both := own.(map[string]any)
	if !ok || !both {
		return own
	}
	into = maps.Clone(into)
	for name, v := range from {
		into[name] = v
		if v == nil {
			delete(into, name)
		}
	}
	return into
}

// decodeNext reads the next value.
func decodeNext(d *jsontext.Decoder, into any) error { return jsonv2.UnmarshalDecode(d, into) }

// eachOf reads a list's elements, one after the other, each into a fresh value.
func eachOf[T any](list jsontext.Value, name string, do func(*T) error) error {
	r := listReader(func(d *jsontext.Decoder) error {
		return eachElement(d, name, func() error {
			var it T
			if err := decodeNext(d, &it); err != nil {
				return err
			}
			return do(&it)
		})
	})
	return leniently(list, &r)
}

// listReader reads a list.
type listReader func(*jsontext.Decoder) error

// UnmarshalJSONFrom reads it.
func (r listReader) UnmarshalJSONFrom(d *jsontext.Decoder) error { return r(d) }

// put writes a member of an object. One whose value is nil is left out.
func put(b *bytes.Buffer, name string, value any) error {
	raw, ok := value.(json.RawMessage)
	switch {
	case value == nil || ok && raw == nil:
		return nil
	case !ok:
		var err error
		if raw, err = writeJSON(value); err != nil {
			return fmt.Errorf("member %s: %w", name, err)
		}
	}
	if b.Len() > 1 {
		b.WriteByte(',')
	}
	fmt.Fprintf(b, "%q:", name)
	b.Write(raw)
	return nil
}

// header returns those of every request, with the key under a name of the dialect's.
func keyHeader(name, key string) http.Header {
	header := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}}
	if key != "" {
		header.Set(name, key)
	}
	return header
}

// path returns an address below the base URL.
func (e *envelope) path(path string) string { return strings.TrimRight(e.spec.BaseURL, "/") + path }

// limitOf is the output limit of a request in tokens; 0 if nothing sets one. Another
// client's comes last.
func (e *envelope) limitOf(req Request) int {
	if e.spec.MaxOutput > 0 {
		return e.spec.MaxOutput
	}
	limit := req.Terms.MaxOutput
	for _, name := range limitFields {
		if limit == 0 {
			_ = json.Unmarshal(req.Members[name], &limit) // what is no number is no limit
		}
	}
	if most := e.profile.MaxOutput; most > 0 {
		limit = min(limit, most)
	}
	return max(limit, 0)
}

// temperatureOf is the temperature to be sent; nil for none. Another client may choose it
// where the spec does not.
func (e *envelope) temperatureOf(req Request, without omissions, reasoning bool) any {
	switch {
	case e.spec.Temperature != nil:
		return *e.spec.Temperature
	case without.has(settingTemperature) || !e.profile.takesTemperature() || reasoning:
		return nil
	}
	temperature := 1.0
	_ = json.Unmarshal(req.Members["temperature"], &temperature) // what is no number is not meant
	return temperature
}

// wantsJSON reports whether the spec asks for an answer that is a JSON object, in the
// words of chat completions, and returns the envelope without them.
func (e *envelope) wantsJSON() (bool, *envelope) {
	const name = "response_format"
	value, said := e.spec.Body[name]
	if !said {
		return false, e
	}
	without := *e
	without.spec.Body = maps.Clone(e.spec.Body)
	delete(without.spec.Body, name)
	format, _ := value.(map[string]any)
	return format["type"] == "json_object", &without
}

// conversation returns a request whose messages and tools are read from another client's,
// if it is one's.
func (e *envelope) conversation(req Request) (Request, error) {
	if req.Members != nil {
		return fromChat(req)
	}
	if e.spec.NoSystem {
		req.Messages = foldSystem(req.Messages)
	}
	return req, nil
}

// joinWire writes messages, each once, and puts them together with commas. write returns
// nil for a message that adds nothing.
func joinWire(messages []Message, write func(*Message) ([]byte, error)) error {
	for i := range messages {
		m := &messages[i]
		if m.wire != nil {
			continue
		}
		raw, err := write(m)
		if err != nil {
			return err
		}
		if raw == nil {
			raw = []byte{}
		}
		m.wire = raw
	}
	return nil
}

// replayOf is what a server of the dialect sent of a turn; nil if it is not known.
func (m *Message) replayOf(api API) json.RawMessage {
	if m.Replay == nil || m.Replay.API != api {
		return nil
	}
	return json.RawMessage(m.Replay.Raw)
}

// elementsOf is the inside of a list as it is written.
func elementsOf(list []byte) []byte {
	list = bytes.TrimSpace(list)
	if len(list) < 2 || list[0] != '[' {
		return nil
	}
	return bytes.TrimSpace(list[1 : len(list)-1])
}

// arguments are a call's arguments as the object that a server wants. What is no object
// becomes one that holds the text.
func (c *ToolCall) object() json.RawMessage {
	value := jsontext.Value(c.Arguments)
	if strings.TrimSpace(c.Arguments) == "" {
		return json.RawMessage("{}")
	}
	if value.IsValid() && value.Kind() == '{' {
		return json.RawMessage(bytes.TrimSpace(value))
	}
	raw, _ := writeJSON(map[string]string{"arguments": c.Arguments}) // a text can always be written
	return raw
}

// leniently reads an answer. Servers are not as strict as the protocol, so names are
// matched in any case, and bytes that are no UTF-8 become question marks.
func leniently(body []byte, into any) error {
	mendUTF8(body)
	return jsonv2.Unmarshal(body, into,
		jsonv2.MatchCaseInsensitiveNames(true), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// explained reads an error as OpenAI, Anthropic and Google write it, each with members of
// its own. What is no such error is its own message.
func explained(body []byte) *serverError {
	type detail struct {
		Message string          `json:"message"`
		Type    string          `json:"type"`   // OpenAI, Anthropic
		Code    any             `json:"code"`   // OpenAI: a word; Google: the status
		Param   string          `json:"param"`  // OpenAI
		Status  string          `json:"status"` // Google: a word
		Details json.RawMessage `json:"details"`
		Prompt  int             `json:"n_prompt_tokens"` // llama.cpp
		Context int             `json:"n_ctx"`           // llama.cpp
	}
	var said struct {
		Error *detail `json:"error"`
	}
	raw := bytes.TrimSpace(body)
	if elements := elementsOf(raw); elements != nil { // Google's, of a streamed request
		raw = elements
	}
	if json.Unmarshal(raw, &said) != nil || said.Error == nil {
		return &serverError{message: string(bytes.TrimSpace(body))}
	}
	d := said.Error
	e := &serverError{message: d.Message, code: d.Type}
	if _, _, known := TokensSaid(d.Message); !known && d.Prompt > 0 && d.Context > 0 {
		e.message += fmt.Sprintf(" (%d tokens > %d maximum)", d.Prompt, d.Context)
	}
	switch code := d.Code.(type) {
	case string:
		e.code = code
		if status, err := strconv.Atoi(code); err == nil {
			e.status = status
		}
	case float64:
		if code == math.Trunc(code) && code >= 400 && code < 600 {
			e.status = int(code)
		}
	}
	if d.Status != "" {
		e.code = d.Status
	}
	e.wait = retryDelay(d.Details)
	if e.status == 0 {
		e.status = statusOf(e.code)
	}
	return e
}

// statusOf is the HTTP status that a word for an error stands for, where the error comes
// inside of an answer; 0 if it is not known.
func statusOf(code string) int {
	switch code {
	case "rate_limit_error", "rate_limit_exceeded", "RESOURCE_EXHAUSTED":
		return http.StatusTooManyRequests
	case "overloaded_error", "UNAVAILABLE":
		return http.StatusServiceUnavailable
	case "api_error", "server_error", "INTERNAL":
		return http.StatusInternalServerError
	case "invalid_request_error", "invalid_prompt", "INVALID_ARGUMENT":
		return http.StatusBadRequest
	case "authentication_error", "UNAUTHENTICATED":
		return http.StatusUnauthorized
	case "permission_error", "PERMISSION_DENIED":
		return http.StatusForbidden
	case "not_found_error", "NOT_FOUND":
		return http.StatusNotFound
	}
	return 0
}

var errNoAnswer = errors.New("the answer has no content")

// escaped is a part of an address.
func escaped(part string) string { return url.PathEscape(part) }
