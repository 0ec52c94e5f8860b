package json

import (
	"agentd/domains/internal/jsontext"
	"agentd/domains/internal/plain"
)

// Node is a value as it is written in JSON or YAML: objects keep the order of
// their members and repeated names, numbers their digits.
type Node struct {
	Kind Kind
	// Text is a string's text, a number as JSON writes it, true or false, a date or time, the name of an alias, what is
	// wrong with an invalid value or with the tag of a list or an object.
	Text    string
	Items   []*Node
	Members []Member
	Anchor  *Anchor // that the value has, or that an alias names
}

// Anchor is a value's name within a YAML document.
type Anchor struct {
	Name  string
	Value *Node
}

// Member is a name and its value. Only YAML has names that are no text: Key is then what the name is, and Name is
// empty. Key is nil otherwise.
type Member struct {
	Name  string
	Key   *Node
	Value *Node
}

// Kind is what a value is.
type Kind uint8

// Kinds of values of JSON.
const (
	Null   = Kind(jsontext.Null)
	Bool   = Kind(jsontext.Bool)
	Number = Kind(jsontext.Number)
	Text   = Kind(jsontext.Text)
)

// Further kinds of values.
const (
	Typed = Text + 1 + iota // a date or a time, in YAML
	List
	Object
	Alias   // *name, in YAML
	Merge   // << as a name, in YAML
	Invalid // what the published reader refuses
)

// Is reports whether a value, which may be nil, is of a kind.
func (n *Node) Is(k Kind) bool { return n != nil && n.Kind == k }

// IsContainer reports whether a value is a list or an object.
func (n *Node) IsContainer() bool { return n.Kind == List || n.Kind == Object }

// Rules are those by which valid JSON is read.
var Rules = jsontext.Rules{Halves: true, Scripts: true}

// DecodeJSON reads valid JSON.
func DecodeJSON(text string) (*Node, error) {
	return jsontext.Decode(text, Rules, Maker{})
}

// Maker makes nodes.
type Maker struct{}

// Scalar makes a text, a number, a boolean or null.
func (Maker) Scalar(k jsontext.Kind, text string) *Node { return &Node{Kind: Kind(k), Text: text} }

// List makes a list.
func (Maker) List(items []*Node) *Node { return &Node{Kind: List, Items: items} }

// Object makes an object.
func (Maker) Object() *Node { return &Node{Kind: Object} }

// Member adds a member to an object.
func (Maker) Member(object *Node, name string, value *Node) {
	object.Members = plain.Append(object.Members, Member{Name: name, Value: value})
}
