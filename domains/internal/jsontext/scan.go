package jsontext

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
)

// scanner reads the parts of JSON that have no others in them.
type scanner struct {
	text  string
	at    int
	rules Rules
}

func (s *scanner) skipBlanks() {
	for ; s.at < len(s.text); s.at++ {
		if c := s.text[s.at]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return
		}
	}
}

// number reads a number. A minus alone is zero.
func (s *scanner) number() (string, error) {
	start := s.at
	if s.text[s.at] == '-' {
		s.at++
		if strings.HasPrefix(s.text[s.at:], "Infinity") {
			s.at += len("Infinity")
			return s.text[start:s.at], nil
		}
	}
	digits := s.digits()
	isFloat := false
	if s.at < len(s.text) && s.text[s.at] == '.' {
		isFloat = true
		s.at++
		digits += s.digits()
	}
	if s.at < len(s.text) && (s.text[s.at] == 'e' || s.text[s.at] == 'E') {
		isFloat = true
		s.at++
		if s.at < len(s.text) && (s.text[s.at] == '-' || s.text[s.at] == '+') {
			s.at++
		}
		if s.digits() == 0 {
			return "", errors.New("an exponent without digits")
		}
	}
	switch literal := s.text[start:s.at]; {
	case isFloat && digits == 0:
		return "", errors.New("a number without digits")
	case !isFloat && digits > pytext.MostDigits:
		return "", fmt.Errorf("an integer of %d digits", digits)
	case literal == "-":
		return "0", nil
	default:
		return literal, nil
	}
}

// digits passes over digits and returns their number.
func (s *scanner) digits() int {
	start := s.at
	for s.at < len(s.text) && s.text[s.at] >= '0' && s.text[s.at] <= '9' {
		s.at++
	}
	return s.at - start
}

func (s *scanner) string() (string, error) {
	s.at++
	start := s.at
	var b []byte
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case '"':
			text := s.text[start:s.at]
			s.at++
			if b == nil {
				return text, nil
			}
			return string(append(b, text...)), nil
		case 0:
			return "", errors.New("a NUL in a string")
		case '\\':
			b = append(b, s.text[start:s.at]...)
			s.at++
			r, ok := s.escape()
			if !ok {
				return "", errors.New("an unknown escape in a string")
			}
			b = s.appendRune(b, r)
			start = s.at
		default:
			s.at++
		}
	}
	return "", errors.New("a string is not closed")
}

// escape reads what stands after a backslash.
func (s *scanner) escape() (rune, bool) {
	if s.at >= len(s.text) {
		return 0, false
	}
	c := s.text[s.at]
	s.at++
	if c == 'u' {
		return s.unicodeEscape()
	}
	const letters, meanings = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	at := strings.IndexByte(letters, c)
	if at < 0 {
		return 0, false
	}
	return rune(meanings[at]), true
}

// unicodeEscape reads four hexadecimal digits and joins the halves of a pair.
func (s *scanner) unicodeEscape() (rune, bool) {
	high, ok := s.hex(s.at)
	if !ok {
		return 0, false
	}
	s.at += 4
	if high >= 0xd800 && high < 0xdc00 && strings.HasPrefix(s.text[s.at:], `\u`) {
		if low, ok := s.hex(s.at + 2); ok && low >= 0xdc00 && low < 0xe000 {
			s.at += 6
			return 0x10000 + (high-0xd800)<<10 + (low - 0xdc00), true
		}
	}
	return high, true
}

func (s *scanner) hex(at int) (rune, bool) {
	if at+4 > len(s.text) {
		return 0, false
	}
	var r rune
	for _, c := range []byte(s.text[at : at+4]) {
		digit := strings.IndexByte("0123456789abcdef", c|0x20)
		if digit < 0 || c < '0' {
			return 0, false
		}
		r = r<<4 + rune(digit)
	}
	return r, true
}

func (s *scanner) appendRune(b []byte, r rune) []byte {
	if s.rules.Halves {
		return AppendHalf(b, r)
	}
	return utf8.AppendRune(b, r)
}

// AppendHalf appends the UTF-8 of a rune. Half of a surrogate pair, which has
// none, becomes the three bytes that the rule would give.
func AppendHalf(b []byte, r rune) []byte {
	if r >= 0xd800 && r < 0xe000 {
		return append(b, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
	}
	return utf8.AppendRune(b, r)
}

// unescaped resolves escapes; one that JSON does not know stays as it is.
func unescaped(text string, rules Rules) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b []byte
	s := scanner{text: text, rules: rules}
	for s.at < len(text) {
		c := text[s.at]
		s.at++
		if c != '\\' {
			b = append(b, c)
			continue
		}
		at := s.at
		if r, ok := s.escape(); ok {
			b = s.appendRune(b, r)
			continue
		}
		s.at = at
		if !rules.Scripts || !strings.HasPrefix(text[at:], "'") {
			b = append(b, c)
		}
	}
	return string(b)
}
