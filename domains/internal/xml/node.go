package xml

import (
	"slices"
	"strings"
)

// Kind is what a node is.
type Kind uint8

// The kinds of nodes.
const (
	Element     Kind = iota // with a name, attributes and nodes inside
	Text                    // characters between tags
	Comment                 // <!-- … -->
	Instruction             // such as <?xml-stylesheet …?>
	Doctype                 // <!DOCTYPE …>
)

// Node is a part of an XML document. The document itself is an element without a name.
type Node struct {
	Kind     Kind
	Name     string // of an element as written, with its prefix
	Space    string // of an element, its namespace
	Unbound  bool   // the prefix is not declared
	Foreign  bool   // an element that the format does not define; its reader marks it
	CDATA    bool   // a text that is written as a CDATA section
	Attrs    []Attr
	Children []*Node
	Text     string // of all but elements, with references resolved
	// From and To are the bytes between which the node stands in the text that was read, an element with its tags.
	From, To int32
}

// Attr is an attribute: its name as written, and its value with references resolved.
type Attr struct{ Name, Value string }

// IsDeclaration reports whether the attribute declares a namespace.
func (a Attr) IsDeclaration() bool { return a.Name == "xmlns" || strings.HasPrefix(a.Name, "xmlns:") }

// Local returns a name without its prefix.
func Local(name string) string { return name[strings.IndexByte(name, ':')+1:] }

// Prefix returns the prefix of a name, empty if it has none.
func Prefix(name string) string { return name[:max(strings.IndexByte(name, ':'), 0)] }

// Is reports whether the node is the format's element of a name, under any prefix.
func (n *Node) Is(name string) bool {
	return n.Kind == Element && !n.Foreign && Local(n.Name) == name
}

// All returns the children that are elements of a name (see Is).
func (n *Node) All(name string) []*Node {
	var found []*Node
	for _, c := range n.Children {
		if c.Is(name) {
			found = append(found, c)
		}
	}
	return found
}

// Child returns the first of All; nil if there is none.
func (n *Node) Child(name string) *Node {
	for _, c := range n.Children {
		if c.Is(name) {
			return c
		}
	}
	return nil
}

// Elements returns the children that are elements.
func (n *Node) Elements() []*Node {
	var found []*Node
	for _, c := range n.Children {
		if c.Kind == Element {
			found = append(found, c)
		}
	}
	return found
}

// Content returns the text of an element up to its first child element; of nil, nothing.
func (n *Node) Content() string {
	if n == nil {
		return ""
	}
	if len(n.Children) == 1 && n.Children[0].Kind == Text {
		return n.Children[0].Text
	}
	var b strings.Builder
	for _, c := range n.Children {
		if c.Kind == Element {
			break
		}
		if c.Kind == Text {
			b.WriteString(c.Text)
		}
	}
	return b.String()
}

// SetContent makes a text the only child.
func (n *Node) SetContent(text string) { n.Children = []*Node{{Kind: Text, Text: text}} }

// Attribute returns an attribute's value by its name as written; false if there is none. Of nil there is none.
func (n *Node) Attribute(name string) (string, bool) {
	if n == nil {
		return "", false
	}
	for _, a := range n.Attrs {
		if a.Name == name {
			return a.Value, true
		}
	}
	return "", false
}

// IsLeaf reports whether the element has no child elements.
func (n *Node) IsLeaf() bool {
	return !slices.ContainsFunc(n.Children, func(c *Node) bool { return c.Kind == Element })
}

// Walk calls do with every element below n, in order of the document.
func (n *Node) Walk(do func(*Node)) {
	for _, c := range n.Children {
		if c.Kind == Element {
			do(c)
			c.Walk(do)
		}
	}
}

// NewChild returns an element for n to take in, under n's prefix.
func (n *Node) NewChild(name string, children ...*Node) *Node {
	return &Node{Name: n.prefixed(name), Space: n.Space, Children: children}
}

func (n *Node) prefixed(name string) string {
	if p := Prefix(n.Name); p != "" {
		return p + ":" + name
	}
	return name
}
