package geodata

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"agentd/domains/internal/jsontext"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ujson"
)

// pythonText is str(value).
func pythonText(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	var b strings.Builder
	python.write(&b, value)
	return b.String()
}

// style is how a value is written.
type style struct {
	none         string
	comma, colon string
	boolean      func(bool) string
	text         func(b *strings.Builder, text string)
}

var (
	python  = style{"None", ", ", ": ", pytext.Bool, pytext.WriteRepr} // repr(value)
	compact = style{"null", ",", ":", strconv.FormatBool, writeASCII}  // JSON without blanks, in ASCII
)

func (s *style) write(b *strings.Builder, value any) {
	switch v := value.(type) {
	case nil:
		b.WriteString(s.none)
	case bool:
		b.WriteString(s.boolean(v))
	case ujson.Number:
		b.WriteString(v.Text)
	case string:
		s.text(b, v)
	case ujson.List:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteString(s.comma)
			}
			s.write(b, item)
		}
		b.WriteByte(']')
	case *ujson.Object:
		b.WriteByte('{')
		for i, key := range v.Keys {
			if i > 0 {
				b.WriteString(s.comma)
			}
			s.text(b, key)
			b.WriteString(s.colon)
			s.write(b, v.Values[key])
		}
		b.WriteByte('}')
	}
}

func writeASCII(b *strings.Builder, text string) {
	for _, r := range jsontext.Quote(text) {
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case r <= 0xffff:
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(b, `\u%04x\u%04x`, high, low)
		}
	}
}
