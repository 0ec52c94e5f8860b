package xml

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

// Meet returns the name of a node's namespace, and whether it is met for the first
// time.
func (s Spaces) Meet(n *Node) (name string, first bool) {
	name = n.Space
	if n.Unbound {
		name = "of the undeclared prefix " + Prefix(n.Name)
	}
	first = !s[name]
	s[name] = true
	return name, first
}
