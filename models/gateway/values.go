package gateway

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"agentd/models/wire"
)

// Bounds of a request's JSON. They hold before any of it is decoded.
const (
	maxValues = 200_000 // objects, lists, texts, numbers and words, in all
	maxDepth  = 100     // of objects and lists within each other
)

// survey reads a request: one object within the bounds, whose messages have no
// address that a model's server must not fetch.
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

// walker reads values without decoding them and holds them to the bounds.
type walker struct {
	decoder *jsontext.Decoder
	values  int // so far
	// suffixes are those of names of members that hold addresses, where addresses matter.
	// addresses says for each depth whether the value that comes next is one.
	suffixes  []string
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
