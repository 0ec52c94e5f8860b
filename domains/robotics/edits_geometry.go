package robotics

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// listedGeometry is a shape and its attributes, and the links that use it.
type listedGeometry struct {
	ID         string            `json:"id"`
	Shape      string            `json:"shape"`
	Attributes map[string]string `json:"attributes"`
	Links      []string          `json:"links"`
}

// codeGeometries puts the shapes of links in a list, equal ones once, and refers to them by
// codes. Geometries of any other form stay.
func codeGeometries(p struct {
	Document, To string
	First        string // code
	List         string
}) exact.Steps {
	change := func(root *xml.Node) (vfs.Files, error) {
		list := []*listedGeometry{}
		known := map[string]*listedGeometry{}
		codes := exact.Codes{New: exact.Counting(p.First)}
		eachGeometry(root, func(link string, n *xml.Node) {
			shape, ok := onlyShape(n)
			if !ok {
				return
			}
			g := &listedGeometry{Shape: shape.Name, Attributes: map[string]string{}}
			for _, a := range shape.Attrs {
				g.Attributes[a.Name] = a.Value
			}
			g.ID = codes.Of(fmt.Sprintf("%s %q", g.Shape, g.Attributes))
			if known[g.ID] == nil {
				known[g.ID] = g
				list = append(list, g)
			}
			if g = known[g.ID]; len(g.Links) == 0 || g.Links[len(g.Links)-1] != link {
				g.Links = append(g.Links, link)
			}
			n.Children = nil
			setAttribute(n, "ref", g.ID)
		})
		text, err := json.MarshalIndent(list, "", "  ")
		return vfs.Files{p.List: string(text) + "\n"}, err
	}
	return rewrite(p.Document, p.To, change, func(root *xml.Node, files vfs.Files) error {
		var list []listedGeometry
		err := plain.JSON(files, p.List, &list)
		known := map[string]listedGeometry{}
		for _, g := range list {
			known[g.ID] = g
		}
		eachGeometry(root, func(_ string, n *xml.Node) {
			g, ok := known[n.Value("ref")]
			if !ok || !isName(g.Shape) {
				return
			}
			setAttribute(n, "ref", "")
			n.Children = append(n.Children, g.element())
		})
		return err
	})
}

// element is the shape, its attributes by name.
func (g *listedGeometry) element() *xml.Node {
	shape := &xml.Node{Name: g.Shape}
	for _, attribute := range slices.Sorted(maps.Keys(g.Attributes)) {
		if isName(attribute) {
			shape.SetAttribute(attribute, g.Attributes[attribute])
		}
	}
	return shape
}

// eachGeometry calls do with the geometries in the visuals and collisions of
// all links.
func eachGeometry(root *xml.Node, do func(link string, n *xml.Node)) {
	for _, link := range plainChildren(root, "link") {
		for _, c := range link.Children {
			if isPlain(c, "visual") || isPlain(c, "collision") {
				for _, n := range plainChildren(c, "geometry") {
					do(name(link), n)
				}
			}
		}
	}
}

// onlyShape returns the one shape of a geometry, if it is no more than that.
func onlyShape(n *xml.Node) (*xml.Node, bool) {
	if len(n.Attrs) > 0 || len(n.Children) != 1 {
		return nil, false
	}
	shape := n.Children[0]
	if shape.Kind != xml.Element || len(shape.Children) > 0 || !isName(shape.Name) {
		return nil, false
	}
	for _, a := range shape.Attrs {
		if !isName(a.Name) || strings.ContainsRune(a.Value, '\ufffd') {
			return nil, false // JSON would not keep it
		}
	}
	return shape, true
}
