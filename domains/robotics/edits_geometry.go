package robotics

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

const (
	bareFile       = "by_reference.urdf"
	geometriesFile = "geometries.json"
)

// listedGeometry is a shape and its attributes, and where it is used.
type listedGeometry struct {
	ID         string            `json:"id"`
	Shape      string            `json:"shape"`
	Attributes map[string]string `json:"attributes"`
	Links      []string          `json:"links"`
}

// toGeometryList puts the shapes of links in a list, equal ones once, and
// refers to them. Geometries of any other form stay.
func toGeometryList(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	list := []*listedGeometry{}
	known := map[string]*listedGeometry{}
	eachGeometry(doc.Root(), func(link string, n *xml.Node) {
		shape, ok := onlyShape(n)
		if !ok {
			return
		}
		g := listedGeometry{Shape: shape.Name, Attributes: map[string]string{}, Links: []string{}}
		for _, a := range shape.Attrs {
			g.Attributes[a.Name] = a.Value
		}
		seen := fmt.Sprintf("%s %q", g.Shape, g.Attributes)
		entry := known[seen]
		if entry == nil {
			entry = &g
			entry.ID = fmt.Sprintf("g%d", len(list)+1)
			known[seen] = entry
			list = append(list, entry)
		}
		if len(entry.Links) == 0 || entry.Links[len(entry.Links)-1] != link {
			entry.Links = append(entry.Links, link)
		}
		n.Children = nil
		setAttribute(n, "ref", entry.ID)
	})
	text, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return nil, err
	}
	return vfs.Files{bareFile: doc.print(), geometriesFile: string(text) + "\n"}, nil
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

func fromGeometryList(files vfs.Files) (vfs.Files, error) {
	var list []listedGeometry
	if err := plain.JSON(files, geometriesFile, &list); err != nil {
		return nil, err
	}
	doc, err := readNamed(files, bareFile)
	if err != nil {
		return nil, err
	}
	known := map[string]listedGeometry{}
	for _, g := range list {
		known[g.ID] = g
	}
	eachGeometry(doc.Root(), func(_ string, n *xml.Node) {
		g, ok := known[text(n, "ref", "")]
		if !ok || !isName(g.Shape) {
			return
		}
		shape := &xml.Node{Name: g.Shape}
		for _, attribute := range slices.Sorted(maps.Keys(g.Attributes)) {
			if isName(attribute) {
				shape.Attrs = append(shape.Attrs, xml.Attr{Name: attribute, Value: g.Attributes[attribute]})
			}
		}
		setAttribute(n, "ref", "")
		n.Children = append(n.Children, shape)
	})
	return asDocument(doc), nil
}
