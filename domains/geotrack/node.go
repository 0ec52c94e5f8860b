package geotrack

import (
	"slices"
	"strings"
)

type nodeKind uint8

const (
	elementNode nodeKind = iota
	textNode
	commentNode
	instructionNode // such as <?xml-stylesheet …?>
	doctypeNode
)

// node is a part of an XML document. The document itself is an element without
// a name.
type node struct {
	kind     nodeKind
	name     string // of an element as written, with its prefix
	space    string // of an element, its namespace
	unbound  bool   // the prefix is not declared
	foreign  bool   // an element that GPX does not define
	attrs    []attribute
	children []*node
	text     string // of all but elements, with references resolved
}

type attribute struct{ name, value string }

// local returns a name without its prefix.
func local(name string) string { return name[strings.IndexByte(name, ':')+1:] }

func prefix(name string) string { return name[:max(strings.IndexByte(name, ':'), 0)] }

// is reports whether the node is the GPX element of a name.
func (n *node) is(name string) bool {
	return n.kind == elementNode && !n.foreign && local(n.name) == name
}

// all returns the children that are GPX elements of a name.
func (n *node) all(name string) []*node {
	var found []*node
	for _, c := range n.children {
		if c.is(name) {
			found = append(found, c)
		}
	}
	return found
}

// child returns the first of all; nil if there is none.
func (n *node) child(name string) *node {
	for _, c := range n.children {
		if c.is(name) {
			return c
		}
	}
	return nil
}

// content returns the text of an element up to its first child element; of
// nil, nothing.
func (n *node) content() string {
	if n == nil {
		return ""
	}
	if len(n.children) == 1 && n.children[0].kind == textNode {
		return n.children[0].text
	}
	var b strings.Builder
	for _, c := range n.children {
		if c.kind == elementNode || c.kind == instructionNode {
			break
		}
		if c.kind == textNode {
			b.WriteString(c.text)
		}
	}
	return b.String()
}

func (n *node) setContent(text string) { n.children = []*node{{kind: textNode, text: text}} }

// attribute returns an attribute's value; false if there is none.
func (n *node) attribute(name string) (string, bool) {
	for _, a := range n.attrs {
		if a.name == name {
			return a.value, true
		}
	}
	return "", false
}

// isLeaf reports whether the element has no child elements.
func (n *node) isLeaf() bool {
	return !slices.ContainsFunc(n.children, func(c *node) bool { return c.kind == elementNode })
}

// walk calls do with every element below n, in order of the document.
func (n *node) walk(do func(*node)) {
	for _, c := range n.children {
		if c.kind == elementNode {
			do(c)
			c.walk(do)
		}
	}
}

// remove takes the children that drop accepts out, and returns them.
func (n *node) remove(drop func(*node) bool) []*node {
	var removed, kept []*node
	for _, c := range n.children {
		if drop(c) {
			removed = append(removed, c)
		} else {
			kept = append(kept, c)
		}
	}
	n.children = kept
	return removed
}

func named(name string) func(*node) bool {
	return func(n *node) bool { return n.is(name) }
}

// newChild returns an element for n to take in, under n's prefix.
func (n *node) newChild(name string, children ...*node) *node {
	if p := prefix(n.name); p != "" {
		name = p + ":" + name
	}
	return &node{name: name, space: n.space, children: children}
}

// rename gives an element another GPX name under its prefix.
func (n *node) rename(name string) {
	if p := prefix(n.name); p != "" {
		name = p + ":" + name
	}
	n.name = name
}

// schemaOrder is the order of the children of gpx, of trk and rte, and of
// points, in which GPX 1.1 wants them. What it does not list comes last.
var schemaOrder = []string{
	"metadata", "wpt", "rte", "trk",
	"ele", "time", "magvar", "geoidheight", "name", "cmt", "desc", "src", "link", "sym", "number", "type",
	"fix", "sat", "hdop", "vdop", "pdop", "ageofdgpsdata", "dgpsid", "extensions", "rtept", "trkseg",
}

func (n *node) rank() int {
	if at := slices.Index(schemaOrder, local(n.name)); at >= 0 && !n.foreign {
		return at
	}
	return len(schemaOrder)
}

// insert takes elements in behind the children that the schema wants before
// them.
func (n *node) insert(elements ...*node) {
	for _, e := range elements {
		at := len(n.children)
		for at > 0 && (n.children[at-1].kind != elementNode || n.children[at-1].rank() > e.rank()) {
			at--
		}
		if at == 0 { // nothing comes before it: stay behind comments
			for at < len(n.children) && n.children[at].kind != elementNode {
				at++
			}
		}
		n.children = slices.Insert(n.children, at, e)
	}
}
