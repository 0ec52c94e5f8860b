package robotics

import (
	"slices"
	"strings"

	"agentd/domains/internal/xml"
)

// value is a text in an element with the path that leads to it: an attribute
// of a child ("origin xyz"), or the text of one ("joint/hardwareInterface").
type value struct{ path, text string }

// values lists what is in the children of an element; false if paths cannot tell
// it all: something repeats, is empty, or is a comment.
func values(n *xml.Node) ([]value, bool) {
	l := lister{met: map[string]bool{}}
	l.children(n, "")
	return l.values, !l.refused
}

// hasOnly reports whether an element has no attributes but those, each with a
// value.
func hasOnly(n *xml.Node, attributes ...string) bool {
	l := lister{met: map[string]bool{}}
	for _, a := range n.Attrs {
		l.refused = l.refused || !slices.Contains(attributes, a.Name)
		l.add(a.Name, a.Value)
	}
	return !l.refused
}

type lister struct {
	values  []value
	met     map[string]bool
	refused bool
}

func (l *lister) add(path, text string) {
	if l.met[path] || text == "" || strings.TrimSpace(text) != text || strings.ContainsAny(text, "\r\n") {
		l.refused = true
	}
	l.met[path] = true
	l.values = append(l.values, value{path, text})
}

// children lists the child elements of an element at a path, which ends with a
// slash if it is not empty.
func (l *lister) children(n *xml.Node, path string) {
	for _, c := range n.Children {
		at := path + c.Name
		if c.Kind != xml.Element || c.Space != "" || l.met[at+"/"] {
			l.refused = true
			return
		}
		l.met[at+"/"] = true
		for _, a := range c.Attrs {
			l.refused = l.refused || !isName(a.Name)
			l.add(at+" "+a.Name, a.Value)
		}
		switch {
		case len(c.Children) == 1 && c.Children[0].Kind == xml.Text:
			l.add(at, c.Children[0].Text)
		case len(c.Children) > 0:
			l.children(c, at+"/")
		case len(c.Attrs) == 0:
			l.refused = true
		}
	}
}

// isName reports whether a text is the name of an element or attribute, without
// prefix.
func isName(text string) bool {
	return text != "" && text != "xmlns" && xml.NameLength(text) == len(text) && !strings.Contains(text, ":")
}

// newElement builds an element of what values lists. Empty texts are left out,
// and what stands under no path.
func newElement(tag string, values []value) *xml.Node {
	n := &xml.Node{Name: tag}
	for _, v := range values {
		path, attribute, isAttribute := strings.Cut(v.path, " ")
		const deepest = 16
		steps := strings.SplitN(path, "/", deepest)
		isPath := !slices.ContainsFunc(steps, func(s string) bool { return !isName(s) })
		if v.text == "" || !isPath || isAttribute && !isName(attribute) {
			continue
		}
		at := n
		for _, step := range steps {
			at = descend(at, step)
		}
		if isAttribute {
			setAttribute(at, attribute, v.text)
		} else {
			at.SetContent(v.text)
		}
	}
	return n
}

// descend returns the first child of a name, a new one if there is none.
func descend(n *xml.Node, name string) *xml.Node {
	if c := first(n, name); c != nil {
		return c
	}
	added := &xml.Node{Name: name}
	n.Children = append(n.Children, added)
	return added
}

// setAttribute gives an attribute a value; an empty one takes it away.
func setAttribute(n *xml.Node, attribute, value string) {
	if n.SetAttribute(attribute, value); value == "" {
		n.RemoveAttribute(attribute)
	}
}
