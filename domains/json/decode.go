package json

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/plain"
)

const (
	// deepestJSON is how many lists and objects may stand in each other.
	deepestJSON = 1024
	// longestInteger is the number of digits that Python takes for an integer.
	longestInteger = 4300
)

// decodeJSON reads JSON as ujson does: with control characters in strings,
// leading zeros, a point without digits after it, NaN and Infinity.
func decodeJSON(text string) (*node, error) {
	d := decoder{text: text}
	root, err := d.value(0)
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", 1+strings.Count(text[:d.at], "\n"), err)
	}
	if d.skipSpace(); d.at < len(text) {
		return nil, fmt.Errorf("line %d: text after the end of the value", 1+strings.Count(text[:d.at], "\n"))
	}
	return root, nil
}

type decoder struct {
	text string
	at   int
	free []node // room for values
}

func (d *decoder) skipSpace() {
	for d.at < len(d.text) && strings.IndexByte(" \t\r\n", d.text[d.at]) >= 0 {
		d.at++
	}
}

// next skips white space and returns the byte there, 0 at the end.
func (d *decoder) next() byte {
	d.skipSpace()
	if d.at < len(d.text) {
		return d.text[d.at]
	}
	return 0
}

func (d *decoder) new(n node) *node {
	if len(d.free) == 0 {
		const most = 256
		d.free = make([]node, min(most, 1+(len(d.text)-d.at)/4))
	}
	fresh := &d.free[0]
	d.free = d.free[1:]
	*fresh = n
	return fresh
}

func (d *decoder) value(depth int) (*node, error) {
	c := d.next()
	switch {
	case c == '{' || c == '[':
		if depth >= deepestJSON {
			return nil, fmt.Errorf("more than %d lists and objects in each other", deepestJSON)
		}
		d.at++
		if c == '{' {
			return d.object(depth)
		}
		return d.list(depth)
	case c == '"':
		text, err := d.string()
		return d.new(node{kind: textKind, text: text}), err
	case c == '-' || c >= '0' && c <= '9':
		return d.number()
	}
	for _, word := range words {
		if strings.HasPrefix(d.text[d.at:], word.text) {
			d.at += len(word.text)
			return d.new(word), nil
		}
	}
	return nil, errors.New("no value")
}

var words = []node{
	{kind: nullKind, text: "null"},
	{kind: boolKind, text: "true"},
	{kind: boolKind, text: "false"},
	{kind: numberKind, text: "NaN"},
	{kind: numberKind, text: "Infinity"},
}

func (d *decoder) list(depth int) (*node, error) {
	n := d.new(node{kind: listKind})
	if d.next() == ']' {
		d.at++
		return n, nil
	}
	for {
		item, err := d.value(depth + 1)
		if err != nil {
			return nil, err
		}
		n.items = plain.Append(n.items, item)
		switch d.next() {
		case ',':
			d.at++
		case ']':
			d.at++
			return n, nil
		default:
			return nil, errors.New("a list goes on without a comma, or is not closed")
		}
	}
}

func (d *decoder) object(depth int) (*node, error) {
	n := d.new(node{kind: objectKind})
	if d.next() == '}' {
		d.at++
		return n, nil
	}
	for {
		if d.next() != '"' {
			return nil, errors.New("no name in quotes where a member should begin")
		}
		name, err := d.string()
		if err != nil {
			return nil, err
		}
		if d.next() != ':' {
			return nil, fmt.Errorf("no colon after the name %q", name)
		}
		d.at++
		value, err := d.value(depth + 1)
		if err != nil {
			return nil, err
		}
		n.members = plain.Append(n.members, member{name: name, value: value})
		switch d.next() {
		case ',':
			d.at++
		case '}':
			d.at++
			return n, nil
		default:
			return nil, errors.New("an object goes on without a comma, or is not closed")
		}
	}
}

// number reads a number. A minus alone is zero.
func (d *decoder) number() (*node, error) {
	start := d.at
	if d.text[d.at] == '-' {
		d.at++
		if strings.HasPrefix(d.text[d.at:], "Infinity") {
			d.at += len("Infinity")
			return d.new(node{kind: numberKind, text: "-Infinity"}), nil
		}
	}
	whole := d.digits()
	isFloat := false
	if d.at < len(d.text) && d.text[d.at] == '.' {
		isFloat = true
		d.at++
		d.digits()
	}
	if d.at < len(d.text) && (d.text[d.at] == 'e' || d.text[d.at] == 'E') {
		isFloat = true
		d.at++
		if d.at < len(d.text) && (d.text[d.at] == '-' || d.text[d.at] == '+') {
			d.at++
		}
		if d.digits() == 0 {
			return nil, errors.New("an exponent without digits")
		}
	}
	literal := d.text[start:d.at]
	switch {
	case !isFloat && whole > longestInteger:
		return nil, fmt.Errorf("an integer of %d digits", whole)
	case literal == "-":
		literal = "0"
	}
	return d.new(node{kind: numberKind, text: literal}), nil
}

// digits passes over digits and returns their number.
func (d *decoder) digits() int {
	start := d.at
	for d.at < len(d.text) && d.text[d.at] >= '0' && d.text[d.at] <= '9' {
		d.at++
	}
	return d.at - start
}

func (d *decoder) string() (string, error) {
	d.at++
	start := d.at
	var b []byte
	for d.at < len(d.text) {
		switch d.text[d.at] {
		case '"':
			text := d.text[start:d.at]
			d.at++
			if b == nil {
				return text, nil
			}
			return string(append(b, text...)), nil
		case 0:
			return "", errors.New("a NUL in a string")
		case '\\':
			b = append(b, d.text[start:d.at]...)
			d.at++
			r, ok := d.escape()
			if !ok {
				return "", errors.New("an unknown escape in a string")
			}
			b = appendRune(b, r)
			start = d.at
		default:
			d.at++
		}
	}
	return "", errors.New("a string is not closed")
}

// escape reads what stands after a backslash.
func (d *decoder) escape() (rune, bool) {
	if d.at >= len(d.text) {
		return 0, false
	}
	c := d.text[d.at]
	d.at++
	if c == 'u' {
		return d.unicodeEscape()
	}
	const letters, meanings = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	at := strings.IndexByte(letters, c)
	if at < 0 {
		return 0, false
	}
	return rune(meanings[at]), true
}

// unicodeEscape reads four hexadecimal digits and joins the halves of a pair.
func (d *decoder) unicodeEscape() (rune, bool) {
	high, ok := d.hex(d.at)
	if !ok {
		return 0, false
	}
	d.at += 4
	if high >= 0xd800 && high < 0xdc00 && strings.HasPrefix(d.text[d.at:], `\u`) {
		if low, ok := d.hex(d.at + 2); ok && low >= 0xdc00 && low < 0xe000 {
			d.at += 6
			return 0x10000 + (high-0xd800)<<10 + (low - 0xdc00), true
		}
	}
	return high, true
}

func (d *decoder) hex(at int) (rune, bool) {
	if at+4 > len(d.text) {
		return 0, false
	}
	var r rune
	for _, c := range []byte(d.text[at : at+4]) {
		digit := strings.IndexByte("0123456789abcdef", c|0x20)
		if digit < 0 || c < '0' {
			return 0, false
		}
		r = r<<4 + rune(digit)
	}
	return r, true
}

// appendRune appends the UTF-8 of a rune. Half of a surrogate pair, which has
// none, becomes the three bytes that the rule would give.
func appendRune(b []byte, r rune) []byte {
	if r >= 0xd800 && r < 0xe000 {
		return append(b, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
	}
	return utf8.AppendRune(b, r)
}
