package gateway

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// content is what a message says, as a client of the Responses API wrote it: a text,
// or a list of parts. It is written as chat completions have it only where a request
// is put together, as it can be long.
type content json.RawMessage

// Parts that the content of a message may have.
var (
	textParts  = []string{"input_text", "output_text"}
	modelParts = []string{"output_text", "input_text", "refusal"}
	userParts  = []string{"input_text", "output_text", "input_image"}
)

// readContent looks at what a message says, a text or parts of the given types; path
// is what an error calls it.
func readContent(path string, value json.RawMessage, takes []string) (content, error) {
	if !given(value) {
		return nil, fmt.Errorf("%s: there is none", path)
	}
	if value[0] == '"' {
		return content(value), nil
	}
	err := each(path, value, func(i int, raw json.RawMessage) error {
		p, err := readPart(fmt.Sprintf("%s[%d]", path, i), raw)
		if err != nil {
			return err
		}
		if !slices.Contains(takes, p.kind) {
			return fmt.Errorf("%s[%d]: a part of type %q cannot be had here; there are %v", path, i, p.kind, takes)
		}
		if p.kind == "input_image" && p.value == nil {
			return fmt.Errorf("%s[%d]: the image has no image_url; there are no files that could be named", path, i)
		}
		return nil
	})
	return content(value), err
}

// part is one of a message's content.
type part struct {
	kind   string
	value  json.RawMessage // its text, or the picture's address, as it is written; nil if it has none
	detail string          // of a picture
}

func readPart(path string, raw json.RawMessage) (p part, err error) {
	if !given(raw) {
		return part{}, nil
	}
	all, err := split(path, raw)
	if err != nil {
		return part{}, err
	}
	if p.kind, err = all.word(path, "type"); err != nil {
		return part{}, err
	}
	name := "text"
	switch p.kind {
	case "refusal":
		name = p.kind
	case "input_image":
		name = "image_url"
		if p.detail, err = all.word(path, "detail"); err != nil {
			return part{}, err
		}
	}
	p.value, err = all.text(path, name)
	if string(p.value) == `""` && p.kind == "input_image" {
		p.value = nil
	}
	return p, err
}

// write writes a content as chat completions have it. One part that is a text becomes
// that text, which every server knows; a tool that says nothing says an empty one.
func (c content) write(b *bytes.Buffer) {
	if c[0] == '"' {
		b.Write(c)
		return
	}
	var only part
	parts := 0
	_ = each("", json.RawMessage(c), func(i int, raw json.RawMessage) (err error) { // readContent has found no error
		only, err = readPart("", raw)
		parts++
		return err
	})
	switch {
	case parts == 0:
		b.WriteString(`""`)
	case parts == 1 && only.kind != "input_image":
		b.Write(only.text())
	default:
		c.writeParts(b)
	}
}

func (c content) writeParts(b *bytes.Buffer) {
	b.WriteByte('[')
	_ = each("", json.RawMessage(c), func(i int, raw json.RawMessage) error {
		p, err := readPart("", raw)
		if i > 0 {
			b.WriteByte(',')
		}
		p.write(b)
		return err
	})
	b.WriteByte(']')
}

// text is a part's text as it is written.
func (p part) text() json.RawMessage {
	if p.value == nil {
		return json.RawMessage(`""`)
	}
	return p.value
}

func (p part) write(b *bytes.Buffer) {
	if p.kind != "input_image" {
		b.WriteString(`{"text":`)
		b.Write(p.text())
		b.WriteString(`,"type":"text"}`)
		return
	}
	b.WriteString(`{"image_url":{`)
	if slices.Contains([]string{"auto", "low", "high"}, p.detail) {
		fmt.Fprintf(b, `"detail":%q,`, p.detail)
	}
	b.WriteString(`"url":`)
	b.Write(p.value)
	b.WriteString(`},"type":"image_url"}`)
}

// writeMessages returns messages as chat completions have them.
func writeMessages(messages []chatMessage) (json.RawMessage, error) {
	const ofMessage, ofPart, ofCall = 60, 30, 80 // more bytes than there were
	size := len("[]")
	for _, m := range messages {
		size += ofMessage + len(m.content) + ofPart*bytes.Count(m.content, []byte("{")) + len(m.toolCallID)
		for _, call := range m.calls {
			size += ofCall + len(call.id) + len(call.name) + len(call.arguments)
		}
	}
	b := bytes.NewBuffer(make([]byte, 0, size))
	b.WriteByte('[')
	for i, m := range messages {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := m.write(b); err != nil {
			return nil, err
		}
	}
	b.WriteByte(']')
	return b.Bytes(), nil
}

// write writes a message.
func (m chatMessage) write(b *bytes.Buffer) error {
	fmt.Fprintf(b, `{"role":%q`, m.role)
	if m.content != nil {
		b.WriteString(`,"content":`)
		m.content.write(b)
	}
	for i, call := range m.calls {
		if i == 0 {
			b.WriteString(`,"tool_calls":[`)
		} else {
			b.WriteByte(',')
		}
		id, err := encode(call.id)
		if err != nil {
			return err
		}
		name, err := encode(call.name)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, `{"id":%s,"type":"function","function":{"name":%s,"arguments":%s}}`, id, name, call.arguments)
	}
	if len(m.calls) > 0 {
		b.WriteByte(']')
	}
	if m.toolCallID != "" {
		id, err := encode(m.toolCallID)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, `,"tool_call_id":%s`, id)
	}
	b.WriteByte('}')
	return nil
}
