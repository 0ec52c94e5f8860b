package json

import (
	"strings"

	"agentd/domains/internal/jsontext"
	"agentd/domains/internal/plain"
)

// deepestDamaged is how many lists and objects are read in each other where
// brackets may be wrong.
const deepestDamaged = 256

var rules = jsontext.Rules{Halves: true, Scripts: true}

// decodeJSON reads valid JSON.
func decodeJSON(text string) (*node, error) {
	return jsontext.Decode(text, rules, &maker{most: 1 + len(text)/4})
}

// maker makes nodes.
type maker struct {
	free []node // room for values
	most int    // how many there may be
}

func (m *maker) new(n node) *node {
	if len(m.free) == 0 {
		const most = 64
		m.free = make([]node, min(most, m.most))
	}
	fresh := &m.free[0]
	m.free = m.free[1:]
	*fresh = n
	return fresh
}

// Scalar makes a text, a number, a boolean or null.
func (m *maker) Scalar(k jsontext.Kind, text string) *node {
	return m.new(node{kind: kind(k), text: text})
}

// List makes a list.
func (m *maker) List(items []*node) *node { return m.new(node{kind: listKind, items: items}) }

// Object makes an object.
func (m *maker) Object() *node { return m.new(node{kind: objectKind}) }

// Member adds a member to an object.
func (m *maker) Member(object *node, name string, value *node) {
	object.members = plain.Append(object.members, member{name: name, value: value})
}

// collector takes in the values of damaged text and the lines outside of them.
type collector struct {
	maker
	content
}

// Outside takes in a name without a value.
func (c *collector) Outside(name string) { c.outside = plain.Append(c.outside, name) }

// Comment passes over a comment: JSON has none, so they say nothing that the document
// says.
func (c *collector) Comment(string) {}

// readJSON takes in text that is no valid JSON: the values in it, and the lines
// outside of them.
func readJSON(text string) content {
	c := collector{maker: maker{most: 1 + len(text)/4}}
	r := jsontext.NewReader(text, deepestDamaged, rules, &c)
	for {
		r.Skip()
		switch r.Peek() {
		case 0:
			return c.content
		case '{', '[':
			c.roots = plain.Append(c.roots, r.Value())
		case ',', ';', '}', ']', 0x1e: // between values, as in text sequences
			r.Pass()
		default:
			if line := strings.TrimSpace(strings.ReplaceAll(r.Line(), "\x00", "")); line != "" {
				c.outside = plain.Append(c.outside, line)
			}
		}
	}
}
