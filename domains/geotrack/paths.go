package geotrack

import (
	"slices"
	"strings"
)

// value is a text in a point with the path that leads to it, such as ele,
// link@href or extensions/gpxtpx:TrackPointExtension/gpxtpx:atemp.
type value struct{ path, text string }

// xmlPath stands for a whole point, as XML, that paths cannot tell.
const xmlPath = "xml"

// values lists what a point has below its own attributes; of one in which
// something repeats, stands empty or is a comment, the whole as XML.
func (n *node) values() []value {
	c := collector{met: map[string]bool{}}
	c.collect(n, "")
	_, hasLat := n.attribute("lat")
	_, hasLon := n.attribute("lon")
	if c.refused || len(n.attrs) != 2 || !hasLat || !hasLon {
		p := printer{}
		p.element(n, inline)
		return []value{{xmlPath, strings.ReplaceAll(p.String(), "\n", "&#10;")}}
	}
	return c.values
}

type collector struct {
	values  []value
	met     map[string]bool
	refused bool
}

func (c *collector) add(path, text string) {
	if c.met[path] || text == "" || strings.TrimSpace(text) != text || strings.ContainsAny(text, "\r\n") {
		c.refused = true
	}
	c.met[path] = true
	c.values = append(c.values, value{path, text})
}

func (c *collector) collect(n *node, path string) {
	for _, child := range n.children {
		if child.kind != elementNode {
			c.refused = true
			return
		}
		at := path + child.name
		if c.met[at] || slices.Contains(placeColumns, at) {
			c.refused = true
		}
		for _, a := range child.attrs {
			if isDeclaration(a.name) {
				c.refused = true
			}
			c.add(at+"@"+a.name, a.value)
		}
		switch {
		case len(child.children) == 1 && child.children[0].kind == textNode:
			c.add(at, child.children[0].text)
		case len(child.children) > 0:
			c.met[at] = true
			c.collect(child, at+"/")
		case len(child.attrs) == 0:
			c.refused = true
		}
	}
}

// newPoint builds a point of what values lists.
func newPoint(parent *node, name, lat, lon string, values []value) *node {
	for _, v := range values {
		if v.path == xmlPath && v.text != "" {
			x := readXML(v.text)
			for _, n := range x.top.children {
				if n.kind == elementNode {
					return n
				}
			}
		}
	}
	point := parent.newChild(name)
	for _, a := range []attribute{{"lat", lat}, {"lon", lon}} {
		if a.value != "" {
			point.attrs = append(point.attrs, a)
		}
	}
	for _, v := range values {
		if v.text != "" && v.path != xmlPath {
			point.setValue(v)
		}
	}
	return point
}

// setValue makes the elements on the way to a value, and gives it the last.
func (n *node) setValue(v value) {
	path, attributeName, isAttribute := strings.Cut(v.path, "@")
	const deepestPath = 16
	for _, name := range strings.SplitN(path, "/", deepestPath) {
		if nameLength(name) != len(name) || name == "" {
			return // a column that is no path
		}
		n = n.descend(name)
	}
	if isAttribute {
		n.attrs = append(n.attrs, attribute{attributeName, v.text})
		return
	}
	n.children = append(n.children, &node{kind: textNode, text: v.text})
}

// descend returns the child that is written with the name, a new one if there
// is none.
func (n *node) descend(name string) *node {
	for _, c := range n.children {
		if c.kind == elementNode && c.name == name {
			return c
		}
	}
	added := &node{name: name, foreign: prefix(name) != prefix(n.name)}
	n.insert(added)
	return added
}
