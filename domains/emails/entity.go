package emails

import (
	"encoding/base64"
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
	for _, p := range parameters(e.get("Content-Type")) {
		found, value, _ := strings.Cut(p, "=")
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

// parameters cuts a header at semicolons outside quotes; names are lower-cased.
func parameters(value string) []string {
	var all []string
	quoted, start := false, 0
	add := func(text string) {
		name, rest, ok := strings.Cut(text, "=")
		if ok {
			text = pytext.Lower(pytext.Strip(name)) + "=" + pytext.Strip(rest)
		}
		all = append(all, pytext.Strip(text))
	}
	for at := range len(value) {
		switch {
		case value[at] == '"' && (at == 0 || value[at-1] != '\\'):
			quoted = !quoted
		case value[at] == ';' && !quoted:
			add(value[start:at])
			start = at + 1
		}
	}
	add(value[start:])
	return all[1:]
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

// decodeQuotedPrintable follows binascii.a2b_qp: an equals sign that begins
// neither an octet nor a soft line break stands for itself.
func decodeQuotedPrintable(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for at := 0; at < len(text); {
		c := text[at]
		at++
		if c != '=' {
			out = append(out, c)
			continue
		}
		switch {
		case at == len(text):
		case text[at] == '\n' || text[at] == '\r':
			for at < len(text) && text[at] != '\n' {
				at++
			}
			at++
		case text[at] == '=':
			out = append(out, '=')
			at++
		case at+1 < len(text) && isHex(text[at]) && isHex(text[at+1]):
			out = append(out, unhex(text[at])<<4|unhex(text[at+1]))
			at += 2
		default:
			out = append(out, '=')
		}
	}
	return out
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c&^0x20 - 'A' + 10
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
