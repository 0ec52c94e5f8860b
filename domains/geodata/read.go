package geodata

import (
	"slices"
	"strings"

	"agentd/domains/internal/jsontext"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/geodata"
)

// node is a JSON value as it is written. Numbers keep their digits, objects the
// order of their members and repeated names.
type node struct {
	kind    kind
	text    string // a string's text, a number's digits, true or false
	items   []*node
	members []member
	at      jsontext.Span
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
	r := newReader(strings.TrimSuffix(whole(content), "\n"), &c)
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

// whole is a text of which every part may be JSON: with line feeds, without a byte order mark and code fences.
func whole(text string) string { return plain.Text(plain.Lines(text)) }

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

// Span keeps where a value stands in the whole text.
func (c *collector) Span(value *node, at jsontext.Span) { value.at = at }

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
	members  []member // but for the features
	features []*node
	declared bool     // there is an object with features, not just features
	outside  []string // text that is no JSON
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
	for _, m := range object.members {
		if m.value == features && features.is(arrayKind) {
			c.features = append(c.features, features.items...)
		} else {
			c.members = append(c.members, m)
		}
	}
}

// writeCanonical writes canonical.
func (n *node) writeCanonical(b *strings.Builder) {
	switch n.kind {
	case nullKind:
		b.WriteString("null")
	case boolKind:
		b.WriteString(n.text)
	case numberKind:
		b.WriteString(jsontext.CanonicalNumber(n.text))
	case textKind:
		b.WriteString(jsontext.Quote(published.Straight(n.text)))
	case arrayKind:
		b.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				b.WriteString(", ")
			}
			item.writeCanonical(b)
		}
		b.WriteByte(']')
	case objectKind:
		b.WriteByte('{')
		for i, m := range n.members {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(jsontext.Quote(m.name) + ": ")
			m.value.writeCanonical(b)
		}
		b.WriteByte('}')
	}
}

func textNode(s string) *node { return &node{kind: textKind, text: s} }
