package geodata

import (
	"slices"
	"strings"

	"agentd/domains/internal/jsontext"
	"agentd/domains/internal/plain"
)

// node is a JSON value as it is written. Numbers keep their digits, objects the
// order of their members and repeated names.
type node struct {
	kind    kind
	text    string // a string's text, a number's digits, true or false
	items   []*node
	members []member
	block   bool // printed over several lines, however short it is
}

type member struct {
	name  string
	value *node
}

type kind uint8

const (
	nullKind   = kind(jsontext.Null)
	boolKind   = kind(jsontext.Bool)
	numberKind = kind(jsontext.Number)
	textKind   = kind(jsontext.Text)
	arrayKind  = textKind + 1
	objectKind = textKind + 2
)

// get returns the member that counts, the last of the name; nil if there is none.
func (n *node) get(name string) *node {
	if n == nil {
		return nil
	}
	for _, m := range slices.Backward(n.members) {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

func (n *node) is(k kind) bool { return n != nil && n.kind == k }

// isText reports whether the node is the given string.
func (n *node) isText(s string) bool { return n.is(textKind) && n.text == s }

// read takes in any text: the JSON values in it, and the lines and comments outside of them. It forgives a byte order
// mark, code fences, single quotes, bare names, quotes inside of strings, missing and surplus commas and missing
// brackets.
func read(content string) (values []*node, outside []string) {
	var c collector
	r := newReader(strings.Join(plain.Lines(content), "\n"), &c)
	for {
		r.SkipBlanks()
		switch r.Peek() {
		case 0:
			return values, c.outside
		case '{', '[':
			values = append(values, r.Value())
		case ',', ';', 0x1e: // between values, as in text sequences
			r.Pass()
		default:
			c.Outside(r.Line())
		}
	}
}

func newReader(text string, c *collector) *jsontext.Reader[*node] {
	return jsontext.NewReader(text, jsontext.Deepest, jsontext.Rules{}, c)
}

// collector makes nodes, and keeps text that is no JSON.
type collector struct {
	outside []string
	room    []node // for nodes to come
}

// node makes a node.
func (c *collector) node(n node) *node {
	const many = 64
	if len(c.room) == 0 {
		c.room = make([]node, many)
	}
	made := &c.room[0]
	c.room = c.room[1:]
	*made = n
	return made
}

// Scalar makes a text, a number, a boolean or null.
func (c *collector) Scalar(k jsontext.Kind, text string) *node {
	return c.node(node{kind: kind(k), text: text})
}

// List makes an array.
func (c *collector) List(items []*node) *node { return c.node(node{kind: arrayKind, items: items}) }

// Object makes an object.
func (c *collector) Object() *node { return c.node(node{kind: objectKind}) }

// Member adds a member to an object.
func (c *collector) Member(object *node, name string, value *node) {
	object.members = plain.Append(object.members, member{name, value})
}

// Outside keeps text that is no JSON.
func (c *collector) Outside(words string) {
	if words = strings.TrimSpace(strings.Trim(words, "\x00")); words != "" {
		c.outside = append(c.outside, words)
	}
}

// Comment keeps a comment.
func (c *collector) Comment(text string) { c.Outside(text) }

// collection is the content of GeoJSON files: features, and the members of the collection around them.
type collection struct {
	before, after []member // the features
	features      []*node
	declared      bool     // there is an object with features, not just features
	outside       []string // text that is no JSON
}

// readCollection takes in any text. Features may stand in a collection, in an array, or one after the other.
func readCollection(content string) collection {
	values, outside := read(content)
	c := collection{outside: outside}
	for _, value := range values {
		switch {
		case value.kind == arrayKind && slices.ContainsFunc(value.items, isObject):
			c.features = append(c.features, value.items...)
		case value.kind == arrayKind:
			c.outside = append(c.outside, value.canonical())
		case value.get("type").isText("Feature") && value.get("features") == nil:
			c.features = append(c.features, value)
		default:
			c.add(value)
		}
	}
	return c
}

func isObject(n *node) bool { return n.kind == objectKind }

// add takes in a collection, or an object that is none.
func (c *collection) add(object *node) {
	features := object.get("features")
	c.declared = c.declared || features.is(arrayKind)
	passed := false
	for _, m := range object.members {
		switch {
		case m.value == features && features.is(arrayKind):
			c.features = append(c.features, features.items...)
			passed = true
		case passed:
			c.after = append(c.after, m)
		default:
			c.before = append(c.before, m)
		}
	}
}

// width is the length of line up to which arrays and objects stay on one line.
const width = 120

// print writes a value: on one line where that fits, otherwise with each item or member on a line of its own.
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

// writeInline writes the value on one line, with numbers and texts in the given forms.
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

// inlineLength is the length of the inline value but for escapes, counted until it is more than most.
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

// object is the collection as one JSON object. Its frame is printed the same with and without features.
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
