package robotics

import (
	"slices"
	"strings"

	"agentd/domains/internal/xml"
)

// value is a text in an element with the path that leads to it: an attribute of
// its own ("type"), that of a child ("origin xyz"), or the text of one
// ("joint/hardwareInterface").
type value struct{ path, text string }

// values lists what is in an element whose own attributes are among those named;
// false if paths cannot tell it all: something repeats, is empty, or is a
// comment.
func values(n *xml.Node, own ...string) ([]value, bool) {
	l := lister{met: map[string]bool{}}
	for _, a := range n.Attrs {
		l.refused = l.refused || !slices.Contains(own, a.Name)
		l.add(a.Name, a.Value)
	}
	l.children(n, "")
	return l.values, !l.refused
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
func newElement(tag string, values []value, own ...string) *xml.Node {
	n := &xml.Node{Name: tag}
	for _, v := range values {
		if v.text == "" {
			continue
		}
		path, attribute, isAttribute := strings.Cut(v.path, " ")
		if slices.Contains(own, path) {
			setAttribute(n, path, v.text)
			continue
		}
		const deepest = 16
		steps := strings.SplitN(path, "/", deepest)
		if slices.ContainsFunc(append(steps, attribute), func(s string) bool { return !isName(s) && s != attribute }) {
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
	at := slices.IndexFunc(n.Attrs, func(a xml.Attr) bool { return a.Name == attribute })
	switch {
	case at < 0 && value != "":
		n.Attrs = append(n.Attrs, xml.Attr{Name: attribute, Value: value})
	case at >= 0 && value == "":
		n.Attrs = slices.Delete(n.Attrs, at, at+1)
	case at >= 0:
		n.Attrs[at].Value = value
	}
}
