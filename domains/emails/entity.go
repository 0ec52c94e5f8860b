package emails

import (
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"strings"

	"agentd/domains/internal/pytext"
)

// entity is a message or a part of one, read as Python's email package reads
// it, which rejects nothing.
type entity struct {
	envelope string // a first line "From x"
	headers  []header
	// fallback is the content type where none is stated.
	fallback string
	// A multipart entity has parts and mostly no payload, any other a payload
	// that is still encoded.
	parts   []*entity
	payload string
	// around are the texts before the first and after the last part.
	around []string
}

// header is one header; a folded value keeps its line breaks.
type header struct{ name, value string }

// get returns the first header of the name, in any case.
func (e *entity) get(name string) string {
	for _, h := range e.headers {
		if strings.EqualFold(h.name, name) {
			return h.value
		}
	}
	return ""
}

// contentType is the lower-cased type, "text/plain" where it is malformed.
func (e *entity) contentType() string {
	value := e.get("Content-Type")
	if value == "" {
		return e.fallback
	}
	value, _, _ = strings.Cut(value, ";")
	value = pytext.Lower(pytext.Strip(value))
	if strings.Count(value, "/") != 1 {
		return "text/plain"
	}
	return value
}

func (e *entity) mainType() string {
	main, _, _ := strings.Cut(e.contentType(), "/")
	return main
}

func (e *entity) isMultipart() bool { return e.parts != nil }

// parameter returns a parameter of the content type; false if there is none.
func (e *entity) parameter(name string) (string, bool) {
	value := e.get("Content-Type")
	isQuote := func(at int) bool { return value[at] == '"' && (at == 0 || value[at-1] != '\\') }
	for _, piece := range cutOutside(value, ';', isQuote)[1:] {
		found, value, stated := strings.Cut(piece, "=")
		if stated {
			found = pytext.Lower(found)
		}
		if pytext.Strip(found) != name {
			continue
		}
		value = pytext.Strip(value)
		if len(value) > 1 && value[0] == '"' && value[len(value)-1] == '"' {
			value = strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(value[1 : len(value)-1])
		} else if len(value) > 1 && value[0] == '<' && value[len(value)-1] == '>' {
			value = value[1 : len(value)-1]
		}
		return pytext.StripRight(value), true
	}
	return "", false
}

// cutOutside cuts a text at a separator outside of quotes.
func cutOutside(text string, separator byte, isQuote func(at int) bool) (pieces []string) {
	quoted, start := false, 0
	for at := range len(text) {
		if isQuote(at) {
			quoted = !quoted
		} else if text[at] == separator && !quoted {
			pieces = append(pieces, text[start:at])
			start = at + 1
		}
	}
	return append(pieces, text[start:])
}

// decoded undoes the transfer encoding as Python does: what cannot be decoded
// stays as it is.
func (e *entity) decoded() []byte {
	raw := rawUnicodeEscape(e.payload)
	switch pytext.Lower(e.get("Content-Transfer-Encoding")) {
	case "quoted-printable":
		return decodeQuotedPrintable(raw)
	case "base64":
		joined := unfolded(string(raw))
		if bytes, ok := decodeBase64(joined); ok {
			return bytes
		}
		return []byte(joined)
	}
	return raw
}

// escape is an equals sign in quoted-printable that does not stand for itself: it begins an
// octet or a soft line break, is doubled, or is the last character.
var escape = regexp.MustCompile(`=(?:[0-9A-Fa-f]{2}|=|\n|\r[^\n]*\n?|\z)`)

// decodeQuotedPrintable follows binascii.a2b_qp.
func decodeQuotedPrintable(text []byte) []byte {
	return escape.ReplaceAllFunc(text, func(found []byte) []byte {
		if string(found) == "==" {
			return found[:1]
		}
		octet, _ := hex.DecodeString(string(found[1:])) // none of a line break
		return octet
	})
}

// decodeBase64 passes over what is no base64 and takes text without its
// padding; false if the length cannot be right.
func decodeBase64(text string) ([]byte, bool) {
	digits := make([]byte, 0, len(text))
	padding := 0
	for at := range len(text) {
		c := text[at]
		if c == '=' && len(digits)%4 >= 2 {
			if padding++; len(digits)%4+padding >= 4 {
				break
			}
		}
		if c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/' {
			digits = append(digits, c)
			padding = 0
		}
	}
	out := make([]byte, base64.RawStdEncoding.DecodedLen(len(digits)))
	n, err := base64.RawStdEncoding.Decode(out, digits)
	return out[:n], err == nil
}
