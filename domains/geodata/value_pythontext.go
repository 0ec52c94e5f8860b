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
	writePython(&b, value)
	return b.String()
}

// writePython writes repr(value).
func writePython(b *strings.Builder, value any) {
	switch v := value.(type) {
	case nil:
		b.WriteString("None")
	case bool:
		b.WriteString(pytext.Bool(v))
	case ujson.Number:
		b.WriteString(v.Text)
	case string:
		pytext.WriteRepr(b, v)
	case ujson.List:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			writePython(b, item)
		}
		b.WriteByte(']')
	case *ujson.Object:
		b.WriteByte('{')
		for i, key := range v.Keys {
			if i > 0 {
				b.WriteString(", ")
			}
			pytext.WriteRepr(b, key)
			b.WriteString(": ")
			writePython(b, v.Values[key])
		}
		b.WriteByte('}')
	}
}

// compactJSON writes a value without blanks, in ASCII.
func compactJSON(b *strings.Builder, value any) {
	switch v := value.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case ujson.Number:
		b.WriteString(v.Text)
	case string:
		writeASCII(b, v)
	case ujson.List:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			compactJSON(b, item)
		}
		b.WriteByte(']')
	case *ujson.Object:
		b.WriteByte('{')
		for i, key := range v.Keys {
			if i > 0 {
				b.WriteByte(',')
			}
			writeASCII(b, key)
			b.WriteByte(':')
			compactJSON(b, v.Values[key])
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
