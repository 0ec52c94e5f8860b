package geodata

import (
	"strings"

	"agentd/domains/internal/jsontext"
)

// width is the length of line up to which arrays and objects stay on one line.
const width = 120

// print writes a value: on one line where that fits, otherwise with each item or
// member on a line of its own.
func (n *node) print() string {
	var b strings.Builder
	n.write(&b, 0, 0)
	b.WriteByte('\n')
	return b.String()
}

// write writes the node at a depth, after a name of the given length.
func (n *node) write(b *strings.Builder, depth, name int) {
	entries := len(n.items) + len(n.members)
	if !n.block && (entries == 0 || n.inlineLength(width) <= width-len(indent)*depth-name) {
		n.writeInline(b, asWritten, asWritten)
		return
	}
	brackets := "[]"
	if n.kind == objectKind {
		brackets = "{}"
	}
	b.WriteByte(brackets[0])
	for i := range entries {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n" + strings.Repeat(indent, depth+1))
		if n.kind == arrayKind {
			n.items[i].write(b, depth+1, 0)
			continue
		}
		name := jsontext.Quote(n.members[i].name) + ": "
		b.WriteString(name)
		n.members[i].value.write(b, depth+1, len(name))
	}
	b.WriteString("\n" + strings.Repeat(indent, depth))
	b.WriteByte(brackets[1])
}

const indent = "  "

func asWritten(s string) string { return s }

// writeInline writes the value on one line, with numbers and texts in the given
// forms.
func (n *node) writeInline(b *strings.Builder, number, words func(string) string) {
	switch n.kind {
	case nullKind:
		b.WriteString("null")
	case boolKind:
		b.WriteString(n.text)
	case numberKind:
		b.WriteString(number(n.text))
	case textKind:
		b.WriteString(jsontext.Quote(words(n.text)))
	case arrayKind:
		b.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				b.WriteString(", ")
			}
			item.writeInline(b, number, words)
		}
		b.WriteByte(']')
	case objectKind:
		b.WriteByte('{')
		for i, m := range n.members {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(jsontext.Quote(m.name) + ": ")
			m.value.writeInline(b, number, words)
		}
		b.WriteByte('}')
	}
}

// inlineLength is the length of the inline value but for escapes, counted until
// it is more than most.
func (n *node) inlineLength(most int) int {
	switch n.kind {
	case nullKind:
		return len("null")
	case boolKind, numberKind:
		return len(n.text)
	case textKind:
		return len(n.text) + 2
	}
	length := 2 * max(1, len(n.items)+len(n.members))
	for i := 0; i < len(n.items) && length <= most; i++ {
		length += n.items[i].inlineLength(most - length)
	}
	for i := 0; i < len(n.members) && length <= most; i++ {
		m := n.members[i]
		length += len(m.name) + 4 + m.value.inlineLength(most-length)
	}
	return length
}

// print writes a collection as GeoJSON.
func (c collection) print() string { return c.object().print() }

// object is the collection as one JSON object. Its frame is printed the same with
// and without features.
func (c *collection) object() *node {
	o := &node{kind: objectKind, members: c.before, block: true}
	if o.get("type") == nil {
		o.members = append([]member{{"type", textNode("FeatureCollection")}}, o.members...)
	}
	o.members = append(o.members[:len(o.members):len(o.members)], member{"features", &node{kind: arrayKind, items: c.features, block: true}})
	o.members = append(o.members, c.after...)
	return o
}

func textNode(s string) *node { return &node{kind: textKind, text: s} }
