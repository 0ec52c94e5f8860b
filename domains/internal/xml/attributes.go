package xml

import "slices"

// SetAttribute gives an attribute a value, in its place or at the end.
func (n *Node) SetAttribute(name, value string) {
	for i := range n.Attrs {
		if n.Attrs[i].Name == name {
			n.Attrs[i].Value = value
			return
		}
	}
	n.Attrs = append(n.Attrs, Attr{Name: name, Value: value})
}

// RemoveAttribute takes an attribute away, if it is there.
func (n *Node) RemoveAttribute(name string) {
	n.Attrs = slices.DeleteFunc(n.Attrs, func(a Attr) bool { return a.Name == name })
}
