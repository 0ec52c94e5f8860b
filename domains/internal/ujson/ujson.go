// Package ujson decodes JSON as ujson 5 does, the library on which published
// evaluators rest.
package ujson

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"agentd/domains/internal/plain"
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

var errJSON = errors.New("no JSON")

// Decode reads JSON. Beyond the standard it takes leading zeros,
// "1.", a lone minus for 0, NaN, Infinity, and raw control characters other than
// NUL in strings; the last of repeated keys wins.
func Decode(text string) (any, error) {
	if !utf8.ValidString(text) {
		return nil, errJSON
	}
	d := decoder{text: text}
	value := d.value()
	d.skipBlanks()
	if d.failed || d.at < len(text) {
		return nil, errJSON
	}
	return value, nil
}

// Deepest is how far arrays and objects may be nested.
const Deepest = 1024

type decoder struct {
	text   string
	at     int
	depth  int
	failed bool
}

func (d *decoder) fail() any {
	d.failed = true
	return nil
}

// peek returns the next byte, 0 at the end.
func (d *decoder) peek() byte {
	if d.at < len(d.text) {
		return d.text[d.at]
	}
	return 0
}

func (d *decoder) take(word string) bool {
	if !strings.HasPrefix(d.text[d.at:], word) {
		return false
	}
	d.at += len(word)
	return true
}

func (d *decoder) skipBlanks() {
	for d.at < len(d.text) {
		switch d.text[d.at] {
		case ' ', '\n', '\t', '\r':
			d.at++
		default:
			return
		}
	}
}

func (d *decoder) value() any {
	d.skipBlanks()
	switch c := d.peek(); {
	case c == '"':
		return d.string()
	case c == '[':
		return d.nested(d.array)
	case c == '{':
		return d.nested(d.object)
	case c == '-' || c >= '0' && c <= '9':
		return d.number()
	case d.take("true"):
		return true
	case d.take("false"):
		return false
	case d.take("null"):
		return nil
	case d.take("NaN"):
		return floatNumber("NaN")
	case d.take("Infinity"):
		return floatNumber("Inf")
	}
	return d.fail()
}

func (d *decoder) nested(read func() any) any {
	d.at++
	if d.depth++; d.depth > Deepest {
		return d.fail()
	}
	value := read()
	d.depth--
	return value
}

func (d *decoder) array() any {
	items := List{}
	d.skipBlanks()
	if d.take("]") {
		return items
	}
	for !d.failed {
		items = plain.Append(items, d.value())
		d.skipBlanks()
		switch {
		case d.take("]"):
			return items
		case !d.take(","):
			return d.fail()
		}
	}
	return nil
}

func (d *decoder) object() any {
	d.skipBlanks()
	if d.take("}") {
		return &Object{}
	}
	o := &Object{Values: map[string]any{}}
	for !d.failed {
		d.skipBlanks()
		if d.peek() != '"' {
			return d.fail()
		}
		key := d.string()
		d.skipBlanks()
		if !d.take(":") {
			return d.fail()
		}
		if _, again := o.Values[key]; !again {
			o.Keys = append(o.Keys, key)
		}
		o.Values[key] = d.value()
		d.skipBlanks()
		switch {
		case d.take("}"):
			return o
		case !d.take(","):
			return d.fail()
		}
	}
	return nil
}

func (d *decoder) number() any {
	start := d.at
	negative := d.take("-")
	if negative && d.take("Infinity") {
		return floatNumber("-Inf")
	}
	whole := d.digits()
	if c := d.peek(); c == '.' || c == 'e' || c == 'E' {
		return d.floatFrom(start, whole)
	}
	digits := strings.TrimLeft(whole, "0")
	switch {
	case digits == "":
		digits = "0"
	case negative:
		digits = "-" + digits
	}
	float, _ := strconv.ParseFloat(digits, 64) // infinite beyond its range
	return Number{Text: digits, Float: float, Integer: true}
}

// floatFrom reads on at the point or exponent of a number. Without a digit, or
// with an exponent without one, it is none.
func (d *decoder) floatFrom(start int, whole string) any {
	fraction := ""
	if d.take(".") {
		fraction = d.digits()
	}
	if d.take("e") || d.take("E") {
		_ = d.take("+") || d.take("-")
		if d.digits() == "" {
			return d.fail()
		}
	}
	if whole+fraction == "" {
		return d.fail()
	}
	return floatNumber(d.text[start:d.at])
}

func (d *decoder) digits() string {
	start := d.at
	for c := d.peek(); c >= '0' && c <= '9'; c = d.peek() {
		d.at++
	}
	return d.text[start:d.at]
}

func floatNumber(literal string) Number {
	float, _ := strconv.ParseFloat(literal, 64) // infinite beyond its range
	return Number{Text: pytext.FloatText(float), Float: float}
}

func (d *decoder) string() string {
	d.at++
	start := d.at
	for d.at < len(d.text) && d.text[d.at] != '"' && d.text[d.at] != '\\' && d.text[d.at] != 0 {
		d.at++
	}
	if d.at < len(d.text) && d.text[d.at] == '"' { // no escapes
		d.at++
		return d.text[start : d.at-1]
	}
	d.at = start
	var b strings.Builder
	for {
		length := strings.IndexAny(d.text[d.at:], "\"\\\x00")
		if length < 0 {
			d.failed = true
			return ""
		}
		b.WriteString(d.text[d.at : d.at+length])
		d.at += length + 1
		switch d.text[d.at-1] {
		case '"':
			return b.String()
		case '\\':
			r, ok := d.escape()
			if !ok {
				d.failed = true
				return ""
			}
			b.WriteRune(r)
		default:
			d.failed = true
			return ""
		}
	}
}

// escape reads what follows a backslash. A lone surrogate becomes U+FFFD.
func (d *decoder) escape() (rune, bool) {
	c := d.peek()
	if c == 'u' {
		d.at++
		return d.unicodeEscape()
	}
	plain := strings.IndexByte(`"\/bfnrt`, c)
	if plain < 0 {
		return 0, false
	}
	d.at++
	return rune("\"\\/\b\f\n\r\t"[plain]), true
}

func (d *decoder) unicodeEscape() (rune, bool) {
	r, ok := d.hex()
	if ok && utf16.IsSurrogate(r) && strings.HasPrefix(d.text[d.at:], `\u`) {
		alone := d.at
		d.at += len(`\u`)
		var low rune
		low, ok = d.hex()
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, ok
		}
		d.at = alone
	}
	return r, ok
}

// hex reads the four digits of a \u escape.
func (d *decoder) hex() (rune, bool) {
	if d.at+4 > len(d.text) {
		return 0, false
	}
	unit, err := strconv.ParseUint(d.text[d.at:d.at+4], 16, 16)
	if err != nil {
		return 0, false
	}
	d.at += 4
	return rune(unit), true
}

// Unescape resolves the escapes of a string; one that JSON does not know stays as it is.
func Unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	d := decoder{text: s}
	for d.at < len(s) {
		c := s[d.at]
		d.at++
		if c != '\\' {
			b.WriteByte(c)
			continue
		}
		at := d.at
		if r, ok := d.escape(); ok {
			b.WriteRune(r)
		} else {
			b.WriteByte(c)
			d.at = at
		}
	}
	return b.String()
}
