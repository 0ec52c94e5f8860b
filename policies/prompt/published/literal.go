package published

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// toJSON returns a Python literal of JSON's shape as JSON, its members in their order.
//
// It reads strings in single or double quotes with Python's escapes, adjacent strings
// as one, values in parentheses, dictionaries with strings as keys, lists, numbers as
// JSON has them, True, False and None. Anything else is an error: it names the byte,
// counted from that of the literal's first.
func toJSON(text string, first int) ([]byte, error) {
	l := literal{text: text, first: first}
	if err := l.value(0); err != nil {
		return nil, err
	}
	if l.skipSpace(); l.at < len(l.text) {
		return nil, l.errorf("something follows the literal")
	}
	return l.json, nil
}

// literal is a Python literal that is being read.
type literal struct {
	text  string
	first int // byte of the file that text begins at
	at    int // next byte of the text
	json  []byte
}

// mostLevels is how many lists and dictionaries may lie in each other.
const mostLevels = 64

func (l *literal) errorf(format string, args ...any) error {
	return fmt.Errorf("byte %d: %s", l.first+l.at, fmt.Sprintf(format, args...))
}

func (l *literal) skipSpace() {
	for l.at < len(l.text) && strings.IndexByte(" \t\n\r\f", l.text[l.at]) >= 0 {
		l.at++
	}
}

// take goes past a text if it stands next, after white space.
func (l *literal) take(text string) bool {
	l.skipSpace()
	if !strings.HasPrefix(l.text[l.at:], text) {
		return false
	}
	l.at += len(text)
	return true
}

// next is the next byte after white space, 0 at the end.
func (l *literal) next() byte {
	if l.skipSpace(); l.at == len(l.text) {
		return 0
	}
	return l.text[l.at]
}

func (l *literal) write(json string) { l.json = append(l.json, json...) }

func (l *literal) value(level int) error {
	if level > mostLevels {
		return l.errorf("more than %d values in each other", mostLevels)
	}
	switch c := l.next(); {
	case l.at == len(l.text):
		return l.errorf("a value is missing at the end")
	case c == '"' || c == '\'':
		return l.strings()
	case l.take("("):
		if err := l.value(level + 1); err != nil {
			return err
		}
		if !l.take(")") {
			return l.errorf("a closing parenthesis is missing")
		}
		return nil
	case l.take("["):
		return l.elements("[", "]", func() error { return l.value(level + 1) })
	case l.take("{"):
		return l.dictionary(level)
	case c == '-' || '0' <= c && c <= '9':
		return l.number()
	}
	return l.constant()
}

// elements reads what stands between brackets, with commas between and, if need be,
// after the last one.
func (l *literal) elements(open, end string, element func() error) error {
	l.write(open)
	for n := 0; !l.take(end); n++ {
		if n > 0 {
			l.write(",")
		}
		if err := element(); err != nil {
			return err
		}
		if !l.take(",") && l.next() != end[0] {
			return l.errorf("a comma or %s is missing", end)
		}
	}
	l.write(end)
	return nil
}

func (l *literal) dictionary(level int) error {
	seen := map[string]bool{}
	return l.elements("{", "}", func() error {
		if c := l.next(); c != '"' && c != '\'' {
			return l.errorf("a string is missing, as the key of a dictionary")
		}
		from, start := l.at, len(l.json)
		if err := l.strings(); err != nil {
			return err
		}
		key := string(l.json[start:])
		if seen[key] {
			l.at = from
			return l.errorf("the key %s occurs twice", key)
		}
		seen[key] = true
		if !l.take(":") {
			return l.errorf("a colon is missing")
		}
		l.write(":")
		return l.value(level + 1)
	})
}

func (l *literal) constant() error {
	end := l.at
	for end < len(l.text) && isWordByte(l.text[end]) {
		end++
	}
	word := l.text[l.at:end]
	json, ok := map[string]string{"True": "true", "False": "false", "None": "null"}[word]
	if !ok {
		return l.errorf("neither a string, list, dictionary or number nor True, False or None")
	}
	l.at = end
	l.write(json)
	return nil
}

// number reads a number as JSON has them, which Python reads likewise.
func (l *literal) number() error {
	end := l.at
	for end < len(l.text) && (isWordByte(l.text[end]) || strings.IndexByte("+-.", l.text[end]) >= 0) {
		end++
	}
	text := l.text[l.at:end]
	if !json.Valid([]byte(text)) {
		return l.errorf("%q is no number", text)
	}
	l.at = end
	l.write(text)
	return nil
}

func isWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= utf8.RuneSelf
}

// strings reads a string and those next to it, which belong to it.
func (l *literal) strings() error {
	var whole strings.Builder
	for c := l.next(); c == '"' || c == '\''; c = l.next() {
		quote := string(c)
		if strings.HasPrefix(l.text[l.at:], strings.Repeat(quote, 3)) {
			return l.errorf("a string in triple quotes")
		}
		l.at++
		end := l.at
		for end < len(l.text) && l.text[end] != c && l.text[end] != '\n' {
			if l.text[end] == '\\' {
				end++ // whatever follows does not end the string
			}
			end++
		}
		if end >= len(l.text) || l.text[end] != c {
			return l.errorf("the string has no end")
		}
		part, err := unquoted(l.text[l.at:end], l.first+l.at)
		if err != nil {
			return err
		}
		whole.WriteString(part)
		l.at = end + 1
	}
	l.write(jsonString(whole.String()))
	return nil
}

// jsonString is a text as a JSON string, without escapes for HTML.
func jsonString(text string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // texts always encode
	return strings.TrimSuffix(b.String(), "\n")
}

// unquoted is what the text between the quotes of a Python string means. A backslash
// at the end of a line joins it with the next. first is the byte of the file that the
// text begins at, for errors.
func unquoted(text string, first int) (string, error) {
	if !utf8.ValidString(text) {
		return "", fmt.Errorf("byte %d: the string is no UTF-8", first)
	}
	var b strings.Builder
	for at := 0; at < len(text); {
		if text[at] != '\\' {
			b.WriteByte(text[at])
			at++
			continue
		}
		meant, length, err := escaped(text[at:])
		if err != nil {
			return "", fmt.Errorf("byte %d: %w", first+at, err)
		}
		b.WriteString(meant)
		at += length
	}
	return b.String(), nil
}

// escaped is what the escape at the start of a text means, and how many bytes it has.
// Python leaves escapes that it does not know as they are, with a warning; here they
// are an error, and so are names of characters.
func escaped(text string) (meant string, length int, err error) {
	if len(text) < 2 {
		return "", 0, fmt.Errorf("nothing follows the backslash")
	}
	simple := map[byte]string{
		'\n': "", '\\': `\`, '\'': "'", '"': `"`,
		'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v",
	}
	c := text[1]
	if meant, ok := simple[c]; ok {
		return meant, 2, nil
	}
	from, digits, base := 2, map[byte]int{'x': 2, 'u': 4, 'U': 8}[c], 16
	if '0' <= c && c <= '7' {
		from, base = 1, 8
		for digits < 3 && from+digits < len(text) && '0' <= text[from+digits] && text[from+digits] <= '7' {
			digits++
		}
	}
	if digits == 0 {
		r, _ := utf8.DecodeRuneInString(text[1:])
		return "", 0, fmt.Errorf(`the escape \%c is unknown`, r)
	}
	length = from + digits
	if len(text) < length {
		return "", 0, fmt.Errorf(`the escape %s is cut off`, text)
	}
	const bits = 32
	code, err := strconv.ParseUint(text[from:length], base, bits)
	if err != nil || !utf8.ValidRune(rune(code)) || base == 8 && code > 0o377 {
		return "", 0, fmt.Errorf(`the escape %s is no character`, text[:length])
	}
	return string(rune(code)), length, nil
}
