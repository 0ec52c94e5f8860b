package xml

// NewDocument is a document of nodes that stand outermost.
func NewDocument(nodes ...*Node) Document { return Document{Top: &Node{Children: nodes}} }

// Value returns an attribute's value by its name as written, empty if there is none. Of nil there is none.
func (n *Node) Value(name string) string {
	value, _ := n.Attribute(name)
	return value
}

// Append makes nodes the last children.
func (n *Node) Append(children ...*Node) { n.Children = append(n.Children, children...) }

// With gives an element attributes, a name and a value in turn, and a text, unless it is empty. It returns the element.
func (n *Node) With(text string, attributes ...string) *Node {
	for ; len(attributes) > 1; attributes = attributes[2:] {
		n.Attrs = append(n.Attrs, Attr{attributes[0], attributes[1]})
	}
	if text != "" {
		n.SetContent(text)
	}
	return n
}

// IsIn reports whether the node is the element of a name in a namespace, under any prefix.
func (n *Node) IsIn(space, name string) bool {
	return n.Kind == Element && n.Space == space && !n.Unbound && Local(n.Name) == name
}

// AllIn returns the children that are elements of a name in a namespace. Of nil there are none.
func (n *Node) AllIn(space, name string) (found []*Node) {
	if n == nil {
		return nil
	}
	for _, c := range n.Children {
		if c.IsIn(space, name) {
			found = append(found, c)
		}
	}
	return found
}

// FirstIn returns the first of AllIn; nil if there is none.
func (n *Node) FirstIn(space, name string) *Node {
	if n == nil {
		return nil
	}
	for _, c := range n.Children {
		if c.IsIn(space, name) {
			return c
		}
	}
	return nil
}
