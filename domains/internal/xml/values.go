package xml

import "strings"

// Value is a text in an element with the path that leads to it: elements with a slash between, and
// for an attribute a mark and its name.
type Value struct{ Path, Text string }

// Values lists what is in the children of an element. It is false if paths cannot tell it all:
// something repeats, is empty, has blanks around it or line ends, is a comment, or does not fit.
func (n *Node) Values(mark string, fits func(*Node) bool) ([]Value, bool) {
	l := valueLister{mark: mark, fits: fits, met: map[string]bool{}}
	l.children(n, "")
	return l.values, !l.refused
}

type valueLister struct {
	mark    string
	fits    func(*Node) bool
	values  []Value
	met     map[string]bool
	refused bool
}

func (l *valueLister) add(path, text string) {
	if l.met[path] || !IsPlainValue(text) {
		l.refused = true
	}
	l.met[path] = true
	l.values = append(l.values, Value{path, text})
}

// children lists the child elements at a path, which ends with a slash if it is not empty.
func (l *valueLister) children(n *Node, path string) {
	for _, c := range n.Children {
		at := path + c.Name
		if c.Kind != Element || !l.fits(c) || l.met[at+"/"] {
			l.refused = true
			return
		}
		l.met[at+"/"] = true
		for _, a := range c.Attrs {
			l.add(at+l.mark+a.Name, a.Value)
		}
		switch {
		case len(c.Children) == 1 && c.Children[0].Kind == Text:
			l.add(at, c.Children[0].Text)
		case len(c.Children) > 0:
			l.children(c, at+"/")
		case len(c.Attrs) == 0:
			l.refused = true
		}
	}
}

// IsPlainValue reports whether a text can stand on a line with others: it is not empty, and has
// neither blanks around it nor line ends.
func IsPlainValue(text string) bool {
	return text != "" && strings.TrimSpace(text) == text && !strings.ContainsAny(text, "\r\n")
}

// Paths joins names of nested nodes to paths; each is built once.
type Paths map[[2]string]string

// longestPath is beyond what any document has; a path does not grow further.
const longestPath = 200

// Join is the path of a node in one that has the path parent, "" for none.
func (p Paths) Join(parent, name string) string {
	switch {
	case parent == "":
		return name
	case len(parent) > longestPath:
		return parent
	}
	step := [2]string{parent, name}
	known, ok := p[step]
	if !ok {
		known = parent + "/" + name
		p[step] = known
	}
	return known
}

// Spaces are the namespaces of extensions that were met: that one changed is one
// change, however often the extension is used.
type Spaces map[string]bool

// Meet returns the name of a node's namespace, and whether it is met for the first time.
func (s Spaces) Meet(n *Node) (name string, first bool) {
	name = n.Space
	if n.Unbound {
		name = "of the undeclared prefix " + Prefix(n.Name)
	}
	first = !s[name]
	s[name] = true
	return name, first
}
