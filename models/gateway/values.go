package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Bounds of a request's JSON. They hold before any of it is decoded.
const (
	maxValues   = 200_000 // objects, lists, texts, numbers and words, in all
	maxDepth    = 100     // of objects and lists within each other
	maxMembers  = 1_000   // of an object whose members are looked at
	maxElements = 10_000  // of a list whose elements are looked at
	// maxWord bounds a name, an identifier and the like, in bytes.
	maxWord = 10_000
	// maxSetting bounds a member that is decoded as a whole, in bytes.
	maxSetting = 256 << 10
)

// members are those of a JSON object. The values are parts of the text that they were
// read from, and need no memory of their own.
type members map[string]json.RawMessage

// survey reads a request: one object within the bounds, whose messages have no
// address that a model's server must not fetch.
func survey(body []byte) (members, error) {
	if text := bytes.TrimLeft(body, " \t\r\n"); len(text) > 0 && text[0] != '{' {
		return nil, errors.New("it is no JSON object")
	}
	var all members
	err := within(body, func(d *jsontext.Decoder) (err error) {
		w := walker{decoder: d}
		all, err = readObject(body, d, func(name string) error {
			w.watching = name == "messages" || name == "input"
			return w.walk()
		})
		return err
	})
	return all, err
}

// readObject reads the object that comes next in a decoder of the text. value reads
// the value of a member.
func readObject(text []byte, d *jsontext.Decoder, value func(name string) error) (members, error) {
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	all := members{}
	for d.PeekKind() != '}' {
		token, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		name, from := token.String(), d.InputOffset()
		if err := value(name); err != nil {
			return nil, err
		}
		if _, twice := all[name]; twice || len(name) > maxWord || len(all) == maxMembers {
			return nil, fmt.Errorf("the member %.50q is there twice, has a name of more than %d bytes or comes after %d others", name, maxWord, maxMembers)
		}
		all[name] = bytes.TrimLeft(text[from:d.InputOffset()], ": \t\r\n")
	}
	_, err := d.ReadToken()
	return all, err
}

// split returns the members of an object; path is what an error calls it.
func split(path string, value json.RawMessage) (all members, err error) {
	if len(value) == 0 || value[0] != '{' {
		return nil, wrongType(path, value)
	}
	err = within(value, func(d *jsontext.Decoder) (err error) {
		all, err = readObject(value, d, func(string) error { return d.SkipValue() })
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}

// each calls look with every element of a list; path is what an error calls it.
func each(path string, list json.RawMessage, look func(i int, value json.RawMessage) error) error {
	if len(list) == 0 || list[0] != '[' {
		return wrongType(path, list)
	}
	return within(list, func(d *jsontext.Decoder) error {
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

// within has a text read with one of the JSON package's own decoders, which are used
// again and again: a request can have thousands of objects.
func within(text []byte, read func(*jsontext.Decoder) error) error {
	r := reading{read: read}
	err := jsonv2.Unmarshal(text, &r, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if r.err != nil {
		return r.err // without the package's words around it
	}
	return err
}

// reading is a value that a function reads.
type reading struct {
	read func(*jsontext.Decoder) error
	err  error
}

// UnmarshalJSONFrom reads it.
func (r *reading) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	r.err = r.read(d)
	return r.err
}

// given reports whether a member is there. Clients write null for those they do
// not mean.
func given(value json.RawMessage) bool { return len(value) > 0 && string(value) != "null" }

// word returns a member that is a short text, "" if it is missing; path is what an
// error calls the object.
func (m members) word(path, name string) (string, error) {
	value := m[name]
	if !given(value) {
		return "", nil
	}
	path += "." + name
	if value[0] != '"' {
		return "", wrongType(path, value)
	}
	if len(value) > maxWord {
		return "", fmt.Errorf("%s has more than %d bytes", path, maxWord)
	}
	if bytes.IndexByte(value, '\\') < 0 {
		return string(value[1 : len(value)-1]), nil
	}
	var text string
	err := json.Unmarshal(value, &text)
	return text, err
}

// text returns a member that is a text as it is written, nil if it is missing.
func (m members) text(path, name string) (json.RawMessage, error) {
	value := m[name]
	if !given(value) {
		return nil, nil
	}
	if value[0] != '"' {
		return nil, wrongType(path+"."+name, value)
	}
	return value, nil
}

// decode reads a member that may be missing, and has to be short; path is what an
// error calls it.
func decode(path string, value json.RawMessage, into any) error {
	if !given(value) {
		return nil
	}
	if len(value) > maxSetting {
		return fmt.Errorf("%s has more than %d bytes", path, maxSetting)
	}
	err := json.Unmarshal(value, into)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		if wrong.Field != "" {
			path += "." + wrong.Field
		}
		return fmt.Errorf("%s is of the wrong type: %s", path, wrong.Value)
	}
	return err
}

func wrongType(path string, value json.RawMessage) error {
	kind := "nothing"
	if len(value) > 0 {
		kind = map[byte]string{'{': "object", '[': "array", '"': "string", 't': "bool", 'f': "bool", 'n': "null"}[value[0]]
		if kind == "" {
			kind = "number"
		}
	}
	return fmt.Errorf("%s is of the wrong type: %s", path, kind)
}

// walker reads values without decoding them and holds them to the bounds.
type walker struct {
	decoder *jsontext.Decoder
	values  int // so far
	// watching is set where addresses matter. addresses says for each depth whether
	// the value that comes next is one.
	watching  bool
	addresses [maxDepth + 2]bool
}

// walk reads the value that comes next.
func (w *walker) walk() error {
	outside := w.decoder.StackDepth()
	w.addresses[outside] = false
	for {
		if err := w.step(); err != nil {
			return err
		}
		if w.decoder.StackDepth() == outside {
			return nil
		}
	}
}

// step reads a name, a bracket, or a value that has none.
func (w *walker) step() error {
	d, depth := w.decoder, w.decoder.StackDepth()
	kind := d.PeekKind()
	parent, before := d.StackIndex(depth)
	if parent == '{' && before%2 == 0 && kind == '"' {
		name, err := d.ReadValue()
		w.addresses[depth] = w.watching && namesAddress(name)
		return err
	}
	if kind == '}' || kind == ']' {
		_, err := d.ReadToken()
		return err
	}
	if w.values++; w.values > maxValues {
		return fmt.Errorf("it has more than %d values", maxValues)
	}
	switch kind {
	case '{', '[':
		if depth == maxDepth {
			return fmt.Errorf("it has objects or lists in each other, %d deep", maxDepth)
		}
		w.addresses[depth+1] = kind == '[' && w.addresses[depth]
	case '"':
		text, err := d.ReadValue()
		if err == nil && w.addresses[depth] {
			err = checkAddress(text)
			if err != nil {
				err = fmt.Errorf("%s: %w", d.StackPointer(), err)
			}
		}
		return err
	}
	_, err := d.ReadToken()
	return err
}
