package geotrack

import (
	"slices"
	"strings"

	"agentd/domains/internal/xml"
)

// value is a text in a point with the path that leads to it, such as ele,
// link@href or extensions/gpxtpx:TrackPointExtension/gpxtpx:atemp.
type value struct{ path, text string }

// xmlPath stands for a whole point, as XML, that paths cannot tell.
const xmlPath = "xml"

// values lists what a point has below its own attributes; of one in which
// something repeats, stands empty or is a comment, the whole as XML.
func values(n *xml.Node) []value {
	c := collector{met: map[string]bool{}}
	c.collect(n, "")
	_, hasLat := n.Attribute("lat")
	_, hasLon := n.Attribute("lon")
	if c.refused || len(n.Attrs) != 2 || !hasLat || !hasLon {
		return []value{{xmlPath, strings.ReplaceAll(n.InOne(), "\n", "&#10;")}}
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

func (c *collector) collect(n *xml.Node, path string) {
	for _, child := range n.Children {
		if child.Kind != xml.Element {
			c.refused = true
			return
		}
		at := path + child.Name
		if c.met[at] || slices.Contains(placeColumns, at) {
			c.refused = true
		}
		for _, a := range child.Attrs {
			if a.IsDeclaration() {
				c.refused = true
			}
			c.add(at+"@"+a.Name, a.Value)
		}
		switch {
		case len(child.Children) == 1 && child.Children[0].Kind == xml.Text:
			c.add(at, child.Children[0].Text)
		case len(child.Children) > 0:
			c.met[at] = true
			c.collect(child, at+"/")
		case len(child.Attrs) == 0:
			c.refused = true
		}
	}
}

// newPoint builds a point of what values lists.
func newPoint(parent *xml.Node, name, lat, lon string, values []value) *xml.Node {
	for _, v := range values {
		if v.path == xmlPath && v.text != "" {
			x := xml.Read(v.text)
			if n := x.Root(); n != nil {
				return n
			}
		}
	}
	point := parent.NewChild(name)
	for _, a := range []xml.Attr{{Name: "lat", Value: lat}, {Name: "lon", Value: lon}} {
		if a.Value != "" {
			point.Attrs = append(point.Attrs, a)
		}
	}
	for _, v := range values {
		if v.text != "" && v.path != xmlPath {
			setValue(point, v)
		}
	}
	return point
}

// setValue makes the elements on the way to a value, and gives it the last.
func setValue(n *xml.Node, v value) {
	path, attributeName, isAttribute := strings.Cut(v.path, "@")
	const deepestPath = 16
	for _, name := range strings.SplitN(path, "/", deepestPath) {
		if xml.NameLength(name) != len(name) || name == "" {
			return // a column that is no path
		}
		n = descend(n, name)
	}
	if isAttribute {
		n.Attrs = append(n.Attrs, xml.Attr{Name: attributeName, Value: v.text})
		return
	}
	n.Children = append(n.Children, &xml.Node{Kind: xml.Text, Text: v.text})
}

// descend returns the child that is written with the name, a new one if there
// is none.
func descend(n *xml.Node, name string) *xml.Node {
	for _, c := range n.Children {
		if c.Kind == xml.Element && c.Name == name {
			return c
		}
	}
	added := &xml.Node{Name: name, Foreign: xml.Prefix(name) != xml.Prefix(n.Name)}
	insert(n, added)
	return added
}
