package json

import (
	"slices"

	"agentd/domains/internal/jsontext"
	"agentd/domains/internal/lists"
)

// node is a value as it is written in JSON or YAML: objects keep the order of
// their members and repeated names, numbers their digits.
type node struct {
	kind kind
	// text is a string's text, a number as JSON writes it, true or false, a
	// date or time, the name of an alias, what is wrong with an invalid value or
	// with the tag of a list or an object.
	text    string
	items   []*node
	members []member
	anchor  *anchor // that the value has, or that an alias names
}

// anchor is a value's name within a YAML document.
type anchor struct {
	name  string
	value *node
}

// member is a name and its value. Only YAML has names that are no text; key is
// then what the name is, nil otherwise.
type member struct {
	name  string
	key   *node
	value *node
}

type kind uint8

const (
	nullKind   = kind(jsontext.Null)
	boolKind   = kind(jsontext.Bool)
	numberKind = kind(jsontext.Number)
	textKind   = kind(jsontext.Text)
)

const (
	typedKind = textKind + 1 + iota // a date, a time or bytes, in YAML
	listKind
	objectKind
	aliasKind   // *name, in YAML
	mergeKind   // << as a name, in YAML
	invalidKind // what the published reader refuses
)

func textNode(s string) *node { return &node{kind: textKind, text: s} }

func (n *node) is(k kind) bool { return n != nil && n.kind == k }

// entries is the number of members or items.
func (n *node) entries() int { return len(n.items) + len(n.members) }

// entry is a member's value or an item, by its place.
func (n *node) entry(i int) *node {
	if i < len(n.items) {
		return n.items[i]
	}
	return n.members[i-len(n.items)].value
}

func (n *node) isContainer() bool { return n.kind == listKind || n.kind == objectKind }

// get returns the member that counts, the last of the name; nil if there is
// none.
func (n *node) get(name string) *node {
	if n == nil {
		return nil
	}
	for _, m := range slices.Backward(n.members) {
		if m.name == name && m.key == nil {
			return m.value
		}
	}
	return nil
}

// clone copies a value with all that is in it.
func (n *node) clone() *node {
	c := *n
	c.items = lists.Map(n.items, (*node).clone)
	c.members = lists.Map(n.members, func(m member) member { return member{m.name, m.key, m.value.clone()} })
	return &c
}

// size is the number of members and items in a value.
func (n *node) size() int {
	size := n.entries()
	for i := range n.entries() {
		size += n.entry(i).size()
	}
	return size
}

// each visits a value and all in it, in order; a list or object before what is in
// it.
func (n *node) each(visit func(*node)) {
	visit(n)
	for i := range n.entries() {
		n.entry(i).each(visit)
	}
}
