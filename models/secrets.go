package models

import (
	"encoding/base64"
	"encoding/hex"
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// secrets finds keys and parts of keys in servers' messages. Servers and gateways may repeat
// what they were sent: whole, cut off, or in another spelling.
//
// A text is compared by its letters and digits only, in lower case, both as it is and with its
// escapes decoded. A part of a key counts from minPiece characters on, so that a server may
// still say sk-…abcd to identify a key.
type secrets struct {
	whole   []string // the keys unchanged
	longest int      // length of the longest key, in bytes
	// pieces are parts of the keys and of their encodings. lengths are the lengths that occur.
	pieces  map[string]bool
	lengths []int
}

const (
	// minPiece is the shortest part of a key that is hidden, in letters and digits. minEncoded
	// is the same for its base64 or hexadecimal encoding.
	minPiece   = 8
	minEncoded = 12
	// minCertain is the shortest key that is removed from the text of an answer. A shorter one
	// might be a word.
	minCertain = 16
	// maxEscapes limits how many levels of escapes are decoded.
	maxEscapes = 4
	// hidden replaces a key.
	hidden = "(key)"
)

func newSecrets(keys []string) *secrets {
	s := &secrets{pieces: map[string]bool{}}
	for _, key := range keys {
		if key == "" {
			continue
		}
		s.whole, s.longest = append(s.whole, key), max(s.longest, len(key))
		s.add(key, minPiece)
		if len(key) < minPiece {
			continue
		}
		s.add(hex.EncodeToString([]byte(key)), minEncoded)
		for before := range 3 { // the number of bytes before the key shifts its base64 groups
			s.add(base64Of(key, before), minEncoded)
		}
	}
	return s
}

// add adds all parts of a text with the given number of letters and digits.
func (s *secrets) add(text string, length int) {
	plain, _ := plainOf(text)
	if len(plain) < length {
		return // such short keys are matched only as they are
	}
	for i := range len(plain) - length + 1 {
		s.pieces[string(plain[i:i+length])] = true
	}
	if !slices.Contains(s.lengths, length) {
		s.lengths = append(s.lengths, length)
	}
}

// base64Of returns the part of the key's base64 encoding that does not depend on the text
// around it, if so many bytes precede the key.
func base64Of(key string, before int) string {
	encoded := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("\x00", before) + key))
	if (before+len(key))%3 != 0 {
		encoded = encoded[:len(encoded)-1]
	}
	return encoded[[]int{0, 2, 3}[before]:]
}

// hide returns a server's message without keys and parts of keys.
func (s *secrets) hide(text string) string {
	for _, key := range s.whole {
		text = strings.ReplaceAll(text, key, hidden)
	}
	secret := make([]bool, len(text)) // by byte
	for level, view := 0, original(text); level <= maxEscapes; level++ {
		s.mark(secret, view)
		next := view.unescape()
		if len(next.text) == len(view.text) {
			break
		}
		view = next
	}
	var b strings.Builder
	for i := range len(text) {
		switch {
		case !secret[i]:
			b.WriteByte(text[i])
		case i == 0 || !secret[i-1]:
			b.WriteString(hidden)
		}
	}
	return b.String()
}

// mark marks the bytes of the original that belong to pieces.
func (s *secrets) mark(secret []bool, view unescaped) {
	plain, at := plainOf(view.text)
	for _, length := range s.lengths {
		for i := range len(plain) - length + 1 {
			if s.pieces[string(plain[i:i+length])] {
				for j := view.starts[at[i]]; j < view.starts[at[i+length-1]+1]; j++ {
					secret[j] = true
				}
			}
		}
	}
}

// hideWhole returns a text without the keys of at least minCertain characters.
func (s *secrets) hideWhole(text string) string {
	for _, key := range s.whole {
		if len(key) >= minCertain {
			text = strings.ReplaceAll(text, key, hidden)
		}
	}
	return text
}

// hideIn is hideWhole for JSON. It returns JSON without a key unchanged. It returns false if a
// key is written with escapes.
func (s *secrets) hideIn(raw string) (string, bool) {
	raw = s.hideWhole(raw)
	if len(s.whole) == 0 || strings.IndexByte(raw, '\\') < 0 {
		return raw, true
	}
	for d := jsontext.NewDecoder(strings.NewReader(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); ; {
		token, err := d.ReadToken()
		if err != nil {
			return raw, true // its end
		}
		if token.Kind() != '"' {
			continue
		}
		if text := token.String(); s.hideWhole(text) != text {
			return "", false
		}
	}
}

// plainOf returns the lower-case letters and digits of a text, and their positions.
func plainOf(text string) (plain []byte, at []int) {
	for i := range len(text) {
		c := text[i]
		switch {
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
		default:
			continue
		}
		plain, at = append(plain, c), append(at, i)
	}
	return plain, at
}

// unescaped is a text with some levels of its escapes decoded.
type unescaped struct {
	text string
	// starts are the positions in the original where each byte begins, followed by the end of
	// the last one.
	starts []int
}

// original returns a text whose escapes are not decoded.
func original(text string) unescaped {
	starts := make([]int, len(text)+1)
	for i := range starts {
		starts[i] = i
	}
	return unescaped{text, starts}
}

// unescape decodes one level of escapes: those of JSON and programming languages, of URLs and
// of HTML.
func (u unescaped) unescape() unescaped {
	var text strings.Builder
	starts := make([]int, 0, len(u.text)+1)
	for i := 0; i < len(u.text); {
		c, size := escape(u.text[i:])
		text.WriteByte(c)
		starts = append(starts, u.starts[i])
		i += size
	}
	return unescaped{text.String(), append(starts, u.starts[len(u.text)])}
}

// escape decodes the first byte of a text, and returns how many bytes encode it. Non-ASCII
// characters become 0, because no key contains them.
func escape(text string) (c byte, size int) {
	switch text[0] {
	case '\\':
		if len(text) > 1 && strings.IndexByte(`/"'`, text[1]) >= 0 {
			return text[1], 2
		}
		if char, _, rest, err := strconv.UnquoteChar(text, 0); err == nil {
			return ascii(char), len(text) - len(rest)
		}
	case '%':
		if len(text) > 2 {
			if code, err := strconv.ParseUint(text[1:3], 16, 8); err == nil {
				return ascii(rune(code)), 3
			}
		}
	case '&':
		const longest = 12 // &#x0000041;
		end := strings.IndexByte(text[:min(len(text), longest)], ';')
		if end < 0 {
			break
		}
		if resolved := html.UnescapeString(text[:end+1]); resolved != text[:end+1] {
			return ascii([]rune(resolved)[0]), end + 1
		}
	}
	return text[0], 1
}

func ascii(code rune) byte {
	if code < utf8.RuneSelf {
		return byte(code)
	}
	return 0
}
