// Package ujson decodes JSON as ujson 5 does, the library on which published evaluators rest.
package ujson

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/jsontext"
	"agentd/domains/internal/pytext"
)

// A value is nil, a bool, a Number, a string, a List or an *Object.
type (
	// List is a JSON array.
	List []any
	// Object is a JSON object.
	Object struct {
		Keys   []string // in order of first appearance
		Values map[string]any
	}
	// Number is an integer of any size or a float; Text is what Python prints.
	Number struct {
		Text    string
		Float   float64
		Integer bool
	}
)

// Get returns the value of a key, nil if there is none.
func (o *Object) Get(key string) any { return o.Values[key] }

// Decode reads JSON. Beyond the standard it takes leading zeros, "1.", a lone minus for 0, NaN, Infinity, and raw
// control characters other than NUL in strings; the last of repeated keys wins.
func Decode(text string) (any, error) {
	if !utf8.ValidString(text) {
		return nil, errors.New("no UTF-8")
	}
	return jsontext.Decode[any](text, jsontext.Rules{}, maker{})
}

type maker struct{}

// Scalar makes a string, a Number, a bool or nil.
func (maker) Scalar(kind jsontext.Kind, text string) any {
	switch kind {
	case jsontext.Null:
		return nil
	case jsontext.Bool:
		return text == "true"
	case jsontext.Number:
		return newNumber(text)
	}
	return text
}

// List makes a List.
func (maker) List(items []any) any { return List(items) }

// Object makes an *Object.
func (maker) Object() any { return &Object{} }

// Member adds a member to an object, or gives it another value.
func (maker) Member(object any, key string, value any) {
	o, _ := object.(*Object)
	if o.Values == nil {
		o.Values = map[string]any{}
	}
	if _, again := o.Values[key]; !again {
		o.Keys = append(o.Keys, key)
	}
	o.Values[key] = value
}

func newNumber(literal string) Number {
	if strings.ContainsAny(literal, ".eEIN") {
		float, _ := strconv.ParseFloat(literal, 64) // infinite beyond its range
		if isFloatText(literal) {
			return Number{Text: literal, Float: float}
		}
		return Number{Text: pytext.FloatText(float), Float: float}
	}
	digits, negative := strings.CutPrefix(literal, "-")
	digits = strings.TrimLeft(digits, "0")
	switch {
	case digits == "":
		digits = "0"
	case negative:
		digits = "-" + digits
	}
	float, _ := strconv.ParseFloat(digits, 64) // infinite beyond its range
	return Number{Text: digits, Float: float, Integer: true}
}

// isFloatText reports whether a literal is what Python prints of its value, as far as that can be seen: of at most
// fifteen digits each decimal number has a float of its own, and is the shortest text of it.
func isFloatText(literal string) bool {
	const exact = 15
	return len(literal) <= exact && !strings.HasPrefix(strings.TrimPrefix(literal, "-"), "0.0000") && jsontext.IsShortFraction(literal)
}
