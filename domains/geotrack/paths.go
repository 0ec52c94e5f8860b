package geotrack

import (
	"slices"
	"strings"

	"agentd/domains/internal/xml"
)

// xmlPath stands for a whole point, as XML, that paths cannot tell. A path is such as ele, link@href
// or extensions/gpxtpx:TrackPointExtension/gpxtpx:atemp.
const (
	xmlPath       = "xml"
	attributeMark = "@"
)

// values lists what a point has below its own attributes; of one in which
// something repeats, stands empty or is a comment, the whole as XML.
func values(n *xml.Node) []xml.Value {
	all, whole := n.Values(attributeMark, func(c *xml.Node) bool { return !slices.ContainsFunc(c.Attrs, xml.Attr.IsDeclaration) })
	isTaken := slices.ContainsFunc(all, func(v xml.Value) bool { return slices.Contains(placeColumns, v.Path) })
	_, hasLat := n.Attribute("lat")
	_, hasLon := n.Attribute("lon")
	if !whole || isTaken || len(n.Attrs) != 2 || !hasLat || !hasLon {
		return []xml.Value{{Path: xmlPath, Text: strings.ReplaceAll(n.InOne(), "\n", "&#10;")}}
	}
	return all
}

// newPoint builds a point of what values lists.
func newPoint(parent *xml.Node, name, lat, lon string, values []xml.Value) *xml.Node {
	for _, v := range values {
		if v.Path == xmlPath && v.Text != "" {
			x := xml.Read(v.Text)
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
		if v.Text != "" && v.Path != xmlPath {
			setValue(point, v)
		}
	}
	return point
}

// setValue makes the elements on the way to a value, and gives it the last.
func setValue(n *xml.Node, v xml.Value) {
	path, attribute, isAttribute := strings.Cut(v.Path, attributeMark)
	const deepestPath = 16
	for _, name := range strings.SplitN(path, "/", deepestPath) {
		if xml.NameLength(name) != len(name) || name == "" {
			return // a column that is no path
		}
		n = descend(n, name)
	}
	if isAttribute {
		n.Attrs = append(n.Attrs, xml.Attr{Name: attribute, Value: v.Text})
		return
	}
	n.Append(&xml.Node{Kind: xml.Text, Text: v.Text})
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

// schemaOrder is the order of the children of gpx, of trk and rte, and of
// points, in which GPX 1.1 wants them. What it does not list comes last.
var schemaOrder = []string{
	"metadata", "wpt", "rte", "trk",
	"ele", "time", "magvar", "geoidheight", "name", "cmt", "desc", "src", "link", "sym", "number", "type",
	"fix", "sat", "hdop", "vdop", "pdop", "ageofdgpsdata", "dgpsid", "extensions", "rtept", "trkseg",
}

func rank(n *xml.Node) int {
	if at := slices.Index(schemaOrder, xml.Local(n.Name)); at >= 0 && !n.Foreign {
		return at
	}
	return len(schemaOrder)
}

// insert takes elements in after the children that the schema wants before
// them.
func insert(into *xml.Node, elements ...*xml.Node) {
	for _, e := range elements {
		at := len(into.Children)
		for at > 0 && (into.Children[at-1].Kind != xml.Element || rank(into.Children[at-1]) > rank(e)) {
			at--
		}
		if at == 0 { // nothing comes before it: stay after comments
			for at < len(into.Children) && into.Children[at].Kind != xml.Element {
				at++
			}
		}
		into.Children = slices.Insert(into.Children, at, e)
	}
}
