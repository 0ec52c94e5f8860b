package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Limits on the JSON of a request.
const (
	maxMembers  = 1_000  // of an object
	maxElements = 10_000 // of a list
	// MaxWord limits a name, an identifier and the like, in bytes.
	MaxWord = 10_000
	// MaxSetting limits a member that is decoded as a whole, in bytes.
	MaxSetting = 256 << 10
)

// Members are the members of a JSON object. The values are slices of the text that they were
// read from.
type Members map[string]json.RawMessage

// ReadObject reads the next object from a decoder of text. It calls value to read each member's
// value.
func ReadObject(text []byte, d *jsontext.Decoder, value func(name string) error) (Members, error) {
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	all := Members{}
	for d.PeekKind() != '}' {
		token, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		name, from := token.String(), d.InputOffset()
		if err := value(name); err != nil {
			return nil, err
		}
		if _, twice := all[name]; twice || len(name) > MaxWord || len(all) == maxMembers {
			return nil, fmt.Errorf("the member %.50q is there twice, has a name of more than %d bytes or comes after %d others", name, MaxWord, maxMembers)
		}
		all[name] = bytes.TrimLeft(text[from:d.InputOffset()], ": \t\r\n")
	}
	_, err := d.ReadToken()
	return all, err
}

// Split returns the members of an object. path names the object in errors.
func Split(path string, value json.RawMessage) (all Members, err error) {
	value = bytes.TrimLeft(value, " \t\r\n")
	if len(value) == 0 || value[0] != '{' {
		return nil, WrongType(path, value)
	}
	err = Within(value, func(d *jsontext.Decoder) (err error) {
		all, err = ReadObject(value, d, func(string) error { return d.SkipValue() })
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}

// Pick returns the values of the named members of an object, nil for missing ones. It allocates
// nothing for other members. If value is not an object, all are nil.
func Pick(value json.RawMessage, names ...string) []json.RawMessage {
	picked := make([]json.RawMessage, len(names))
	if len(value) == 0 || value[0] != '{' {
		return picked
	}
	_ = Within(value, func(d *jsontext.Decoder) error {
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		for d.PeekKind() == '"' {
			name, err := d.ReadValue()
			if err != nil {
				return err
			}
			at := slices.IndexFunc(names, func(n string) bool { return len(name) == len(n)+2 && string(name[1:len(name)-1]) == n })
			from := d.InputOffset()
			if err := d.SkipValue(); err != nil {
				return err
			}
			if at >= 0 {
				picked[at] = bytes.TrimLeft(value[from:d.InputOffset()], ": \t\r\n")
			}
		}
		return nil
	})
	return picked
}

// Each calls look with every element of a list. What is not given is an empty list. path names
// the list in errors.
func Each(path string, list json.RawMessage, look func(i int, value json.RawMessage) error) error {
	if !Given(list) {
		return nil
	}
	if list[0] != '[' {
		return WrongType(path, list)
	}
	return Within(list, func(d *jsontext.Decoder) error {
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		for i := 0; d.PeekKind() != ']'; i++ {
			if i == maxElements {
				return fmt.Errorf("%s has more than %d elements", path, maxElements)
			}
			value, err := d.ReadValue()
			if err != nil {
				return err
			}
			end := d.InputOffset()
			if err := look(i, list[end-int64(len(value)):end]); err != nil {
				return err
			}
		}
		_, err := d.ReadToken()
		return err
	})
}

// EachKind calls look with every object of a list and its member "type". null counts as an
// object without members. path names the list in errors, and look's path the object.
func EachKind(path string, list json.RawMessage, look func(path, kind string, raw json.RawMessage) error) error {
	return Each(path, list, func(i int, raw json.RawMessage) error {
		at := path + "[" + strconv.Itoa(i) + "]"
		if !Given(raw) {
			raw = json.RawMessage("{}")
		}
		if raw[0] != '{' {
			return WrongType(at, raw)
		}
		return look(at, Plain(Pick(raw, "type")[0]), raw)
	})
}

// EachAs decodes the elements of a list one by one, each into a new value, and calls do with
// it. path names the list in errors.
func EachAs[T any](path string, list json.RawMessage, do func(i int, it *T) error) error {
	if len(list) == 0 || list[0] != '[' {
		return WrongType(path, list)
	}
	i := 0
	return Within(list, func(d *jsontext.Decoder) error {
		return EachElement(d, path, func() error {
			var it T
			if i == maxElements {
				return fmt.Errorf("%s has more than %d elements", path, maxElements)
			}
			if err := ReadNext(d, &it); err != nil {
				return misread(path, err)
			}
			i++
			return do(i-1, &it)
		})
	})
}

// ReadContent sets the message from a text or a list of objects. It calls read for each object;
// nil skips the object. path names the content in errors.
func (m *Message) ReadContent(path string, value json.RawMessage, read func(path, kind string, raw json.RawMessage) (*Part, error)) (err error) {
	switch {
	case !Given(value):
		return fmt.Errorf("%s: there is none", path)
	case value[0] == '"':
		m.Content, err = ReadText(path, value)
		return err
	}
	var parts []Part
	err = EachKind(path, value, func(path, kind string, raw json.RawMessage) error {
		part, err := read(path, kind, raw)
		if part != nil {
			parts = append(parts, *part)
		}
		return err
	})
	m.SetParts(parts)
	return err
}

// ReadAs decodes a value. Duplicate names are allowed, and invalid UTF-8 is replaced. path
// names the value in errors.
func ReadAs(path string, value json.RawMessage, into any) error {
	if err := Lenient(value, into); err != nil {
		return misread(path, err)
	}
	return nil
}

// misread turns an error of the JSON package into one of WrongType, if the type is the reason.
func misread(path string, err error) error {
	var wrong *jsonv2.SemanticError
	if !errors.As(err, &wrong) {
		return fmt.Errorf("%s cannot be read: %w", path, err)
	}
	for step := range wrong.JSONPointer.Tokens() {
		if _, err := strconv.Atoi(step); err == nil {
			path += "[" + step + "]"
		} else {
			path += "." + step
		}
	}
	if wrong.Err != nil && wrong.JSONKind != '0' {
		return fmt.Errorf("%s: %w", path, wrong.Err)
	}
	return WrongType(path, json.RawMessage{byte(wrong.JSONKind)})
}

// Within reads a text with one of the JSON package's pooled decoders, because a request can
// have thousands of objects.
func Within(text []byte, read func(*jsontext.Decoder) error) error {
	r := reading{read: read}
	err := jsonv2.Unmarshal(text, &r, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if r.err != nil {
		return r.err // without the package's words around it
	}
	return err
}

// reading is a value decoded by a function.
type reading struct {
	read func(*jsontext.Decoder) error
	err  error
}

// UnmarshalJSONFrom calls the function.
func (r *reading) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	r.err = r.read(d)
	return r.err
}

// Given reports whether a member is present and not null. Clients write null for members that
// they do not set.
func Given(value json.RawMessage) bool { return len(value) > 0 && string(value) != "null" }

// ReadText decodes a text, copying it once. path names it in errors.
func ReadText(path string, value json.RawMessage) (string, error) {
	if len(value) == 0 || value[0] != '"' {
		return "", WrongType(path, value)
	}
	if bytes.IndexByte(value, '\\') < 0 {
		return strings.ToValidUTF8(string(value[1:len(value)-1]), "?"), nil
	}
	var text string
	err := Lenient(value, &text)
	return text, err
}

// Lenient decodes a part of a request. Duplicate names are allowed, and invalid UTF-8 is
// replaced.
func Lenient(value []byte, into any) error {
	return jsonv2.Unmarshal(value, into, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// Plain returns a short text; "" if the value is not a text.
func Plain(value json.RawMessage) (text string) {
	if len(value) <= MaxWord {
		text, _ = ReadText("", value)
	}
	return text
}

// Setting decodes an optional, short member. path names it in errors.
func Setting(path string, value json.RawMessage, into any) error {
	if !Given(value) {
		return nil
	}
	if len(value) > MaxSetting {
		return fmt.Errorf("%s has more than %d bytes", path, MaxSetting)
	}
	return ReadAs(path, value, into)
}

// WrongType returns the error for a value of the wrong type.
func WrongType(path string, value json.RawMessage) error {
	kind := "nothing"
	if len(value) > 0 {
		kind = map[byte]string{'{': "object", '[': "array", '"': "string", 't': "bool", 'f': "bool", 'n': "null"}[value[0]]
		if kind == "" {
			kind = "number"
		}
	}
	return fmt.Errorf("%s is of the wrong type: %s", path, kind)
}

// Without removes a member. A name with points removes a member of an inner object. It reports
// whether the member existed.
func (m Members) Without(name string) (was bool, err error) {
	name, rest, nested := strings.Cut(name, ".")
	value, there := m[name]
	if !there || !nested {
		delete(m, name)
		return there && Given(value), nil
	}
	if len(value) == 0 || value[0] != '{' {
		return false, nil
	}
	if len(value) > MaxSetting {
		return false, fmt.Errorf("%s has more than %d bytes", name, MaxSetting)
	}
	inside, err := Split(name, value)
	if err != nil {
		return false, err
	}
	if was, err = inside.Without(rest); !was || err != nil {
		return was, err
	}
	if m[name], err = Write(inside); len(inside) == 0 {
		delete(m, name)
	}
	return true, err
}

// Head reads the members that most dialects share: the model, whether the answer is to be
// streamed, and whether the stream ends with the usage. Values of other types are ignored.
func (m Members) Head() Request {
	r := Request{Model: Plain(m["model"])}
	var options struct {
		Usage bool `json:"include_usage"`
	}
	_ = Setting("", m["stream"], &r.Stream)
	_ = Setting("", m["stream_options"], &options)
	r.Usage = options.Usage
	return r
}

// ErrNoMessages means that the request has no message to answer.
var ErrNoMessages = errors.New("the request has no messages")

// EachTurn is EachKind for the member that holds the conversation. The error is ErrNoMessages if
// there is none, or if it is empty.
func (m Members) EachTurn(name string, look func(path, kind string, raw json.RawMessage) error) error {
	err := ErrNoMessages
	failed := EachKind(name, m[name], func(path, kind string, raw json.RawMessage) error {
		err = nil
		return look(path, kind, raw)
	})
	return cmp.Or(failed, err)
}

// Offer adds a tool to a request. path names the tool in errors.
func (r *Request) Offer(path string, t Tool) error {
	if t.Name == "" {
		return fmt.Errorf("%s: the function has no name", path)
	}
	if !Given(t.Parameters) {
		t.Parameters = nil
	}
	r.Tools = append(r.Tools, t)
	return nil
}
