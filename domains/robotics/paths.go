package robotics

import (
	"slices"
	"strings"

	"agentd/domains/internal/xml"
)

// attributeMark stands between the path of an element and the name of its attribute, as in
// "origin xyz"; the text of a child has a path such as "joint/hardwareInterface".
const attributeMark = " "

type value = xml.Value

// values lists what is in the children of an element; false if paths cannot tell
// it all: something repeats, is empty, or is a comment.
func values(n *xml.Node) ([]value, bool) {
	return n.Values(attributeMark, func(c *xml.Node) bool {
		return c.Space == "" && !slices.ContainsFunc(c.Attrs, func(a xml.Attr) bool { return !isName(a.Name) })
	})
}

// hasOnly reports whether an element has no attributes but those, each once and with a
// value.
func hasOnly(n *xml.Node, attributes ...string) bool {
	met := map[string]bool{}
	for _, a := range n.Attrs {
		if met[a.Name] || !slices.Contains(attributes, a.Name) || !xml.IsPlainValue(a.Value) {
			return false
		}
		met[a.Name] = true
	}
	return true
}

// isName reports whether a text is the name of an element or attribute, without
// prefix.
func isName(text string) bool {
	return text != "" && text != "xmlns" && xml.NameLength(text) == len(text) && !strings.Contains(text, ":")
}

// newElement builds an element of what values lists. Empty texts are left out,
// and what stands under no path.
func newElement(tag string, values []value) *xml.Node {
	n := newNode(tag)
	for _, v := range values {
		path, attribute, isAttribute := strings.Cut(v.Path, " ")
		const deepest = 16
		steps := strings.SplitN(path, "/", deepest)
		isPath := !slices.ContainsFunc(steps, func(s string) bool { return !isName(s) })
		if v.Text == "" || !isPath || isAttribute && !isName(attribute) {
			continue
		}
		at := n
		for _, step := range steps {
			at = descend(at, step)
		}
		if isAttribute {
			setAttribute(at, attribute, v.Text)
		} else {
			at.SetContent(v.Text)
		}
	}
	return n
}

// newNode is an element of a name.
func newNode(name string, children ...*xml.Node) *xml.Node {
	return &xml.Node{Name: name, Children: children}
}

// descend returns the first child of a name, a new one if there is none.
func descend(n *xml.Node, name string) *xml.Node {
	if c := first(n, name); c != nil {
		return c
	}
	added := newNode(name)
	n.Append(added)
	return added
}

// setAttribute gives an attribute a value; an empty one takes it away.
func setAttribute(n *xml.Node, attribute, value string) {
	if n.SetAttribute(attribute, value); value == "" {
		n.RemoveAttribute(attribute)
	}
}
