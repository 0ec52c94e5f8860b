package jsontext

import (
	"errors"
	"fmt"
	"strings"

	"agentd/domains/internal/plain"
)

// Decode reads JSON as ujson does: with control characters in strings,
// leading zeros, a point without digits after it, NaN and Infinity.
func Decode[V any](text string, rules Rules, maker Maker[V]) (V, error) {
	d := decoder[V]{scanner{text: text, rules: rules}, maker}
	root, err := d.value(0)
	if d.skipBlanks(); err == nil && d.at < len(text) {
		err = errors.New("text after the end of the value")
	}
	if err != nil {
		return root, fmt.Errorf("line %d: %w", 1+strings.Count(text[:d.at], "\n"), err)
	}
	return root, nil
}

type decoder[V any] struct {
	scanner
	maker Maker[V]
}

// next skips white space and returns the byte there, 0 at the end.
func (d *decoder[V]) next() byte {
	d.skipBlanks()
	if d.at < len(d.text) {
		return d.text[d.at]
	}
	return 0
}

func (d *decoder[V]) value(depth int) (value V, err error) {
	c := d.next()
	switch {
	case c == '{' || c == '[':
		if depth >= Deepest {
			return value, fmt.Errorf("more than %d lists and objects in each other", Deepest)
		}
		d.at++
		if c == '{' {
			return d.object(depth)
		}
		return d.list(depth)
	case c == '"':
		text, err := d.string()
		return d.maker.Scalar(Text, text), err
	case c == '-' || c >= '0' && c <= '9':
		text, err := d.number()
		if err != nil {
			return value, err
		}
		return d.maker.Scalar(Number, text), nil
	}
	for _, word := range words {
		if strings.HasPrefix(d.text[d.at:], word.text) {
			d.at += len(word.text)
			return d.maker.Scalar(word.kind, word.text), nil
		}
	}
	return value, errors.New("no value")
}

var words = []struct {
	kind Kind
	text string
}{{Null, "null"}, {Bool, "true"}, {Bool, "false"}, {Number, "NaN"}, {Number, "Infinity"}}

func (d *decoder[V]) list(depth int) (list V, err error) {
	var items []V
	if d.next() == ']' {
		d.at++
		return d.maker.List(items), nil
	}
	for {
		item, err := d.value(depth + 1)
		if err != nil {
			return list, err
		}
		items = plain.Append(items, item)
		switch d.next() {
		case ',':
			d.at++
		case ']':
			d.at++
			return d.maker.List(items), nil
		default:
			return list, errors.New("a list goes on without a comma, or is not closed")
		}
	}
}

func (d *decoder[V]) object(depth int) (object V, err error) {
	object = d.maker.Object()
	if d.next() == '}' {
		d.at++
		return object, nil
	}
	for {
		if d.next() != '"' {
			return object, errors.New("no name in quotes where a member should begin")
		}
		name, err := d.string()
		if err != nil {
			return object, err
		}
		if d.next() != ':' {
			return object, fmt.Errorf("no colon after the name %q", name)
		}
		d.at++
		value, err := d.value(depth + 1)
		if err != nil {
			return object, err
		}
		d.maker.Member(object, name, value)
		switch d.next() {
		case ',':
			d.at++
		case '}':
			d.at++
			return object, nil
		default:
			return object, errors.New("an object goes on without a comma, or is not closed")
		}
	}
}
