package gateway

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"agentd/models/wire"
)

// Limits on a request's JSON, checked before any of it is decoded.
const (
	maxValues = 200_000 // all objects, lists, strings, numbers and literals
	maxDepth  = 100     // of nested objects and lists
)

// survey splits a request into its members. It returns an error unless the request is one
// object within the limits, without addresses that the model's server must not fetch.
func survey(body []byte) (wire.Members, error) {
	if text := bytes.TrimLeft(body, " \t\r\n"); len(text) > 0 && text[0] != '{' {
		return nil, errors.New("it is no JSON object")
	}
	var all wire.Members
	err := wire.Within(body, func(d *jsontext.Decoder) (err error) {
		w := walker{decoder: d}
		all, err = wire.ReadObject(body, d, func(name string) error {
			w.suffixes = addresses[name]
			return w.walk()
		})
		return err
	})
	return all, err
}

// walker reads JSON values without decoding them and checks the limits.
type walker struct {
	decoder *jsontext.Decoder
	values  int // so far
	// suffixes are the endings of member names that hold addresses; empty where addresses are
	// not checked. addresses says for each depth whether the next value is an address.
	suffixes  []string
	addresses [maxDepth + 2]bool
}

// walk reads the next value.
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

// step reads one token: a name, a bracket or a scalar.
func (w *walker) step() error {
	d, depth := w.decoder, w.decoder.StackDepth()
	kind := d.PeekKind()
	parent, before := d.StackIndex(depth)
	if parent == '{' && before%2 == 0 && kind == '"' {
		name, err := d.ReadValue()
		w.addresses[depth] = namesAddress(name, w.suffixes)
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
