package geodata

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

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
		if v {
			b.WriteString("True")
		} else {
			b.WriteString("False")
		}
	case ujson.Number:
		b.WriteString(v.Text)
	case string:
		writeQuoted(b, v)
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
			writeQuoted(b, key)
			b.WriteString(": ")
			writePython(b, v.Values[key])
		}
		b.WriteByte('}')
	}
}

func writeQuoted(b *strings.Builder, text string) {
	quote := '\''
	if strings.Contains(text, "'") && !strings.Contains(text, `"`) {
		quote = '"'
	}
	b.WriteRune(quote)
	for _, r := range text {
		switch {
		case r == '\\' || r == quote:
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r <= 0xff:
			b.WriteString(`\x` + hexDigits(r, 2))
		case r <= 0xffff:
			b.WriteString(`\u` + hexDigits(r, 4))
		default:
			b.WriteString(`\U` + hexDigits(r, 8))
		}
	}
	b.WriteRune(quote)
}

func hexDigits(r rune, width int) string {
	digits := strconv.FormatInt(int64(r), 16)
	return strings.Repeat("0", max(0, width-len(digits))) + digits
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
	for _, r := range jsonString(text) {
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case r <= 0xffff:
			b.WriteString(`\u` + hexDigits(r, 4))
		default:
			const half = 0x400
			b.WriteString(`\u` + hexDigits(0xd800+(r-0x10000)/half, 4))
			b.WriteString(`\u` + hexDigits(0xdc00+(r-0x10000)%half, 4))
		}
	}
}
