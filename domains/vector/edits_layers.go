package vector

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

const (
	baseFile   = "base.svg"
	layersFile = "layers.json"
	sharedFile = "shared.svg"
	sharedID   = "shared"
)

// layer is an entry of the list of layers.
type layer struct {
	File  string `json:"file"`
	Place int    `json:"place"` // among the child elements of the root, from 1
}

// splitByLayer gives each group below the root a file of its own.
func splitByLayer(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	out := vfs.Files{}
	var layers []layer
	root, place := doc.Root(), 0
	groups := root.Remove(func(c *xml.Node) bool {
		if c.Kind == xml.Element {
			place++
		}
		if !c.Is("g") {
			return false
		}
		layers = append(layers, layer{fmt.Sprintf("layer_%d.svg", len(layers)+1), place})
		return true
	})
	for n, g := range groups {
		whole := *root
		whole.Children = []*xml.Node{g}
		out[layers[n].File] = (&drawing{Document: xml.Document{Top: &xml.Node{Children: []*xml.Node{&whole}}}}).print()
	}
	out[baseFile] = doc.print()
	out[layersFile], err = plain.JSONArray(layers)
	return out, err
}

func mergeLayers(files vfs.Files) (vfs.Files, error) {
	doc, err := readNamed(files, baseFile)
	if err != nil {
		return nil, err
	}
	var layers []layer
	if err := plain.JSON(files, layersFile, &layers); err != nil {
		return nil, err
	}
	slices.SortStableFunc(layers, func(a, b layer) int { return cmp.Compare(a.Place, b.Place) })
	for _, l := range layers {
		part, err := readNamed(files, l.File)
		if err != nil {
			return nil, err
		}
		for k, c := range part.Root().Elements() {
			insertElement(doc.Root(), c, l.Place+k)
		}
	}
	return asDocument(doc), nil
}

// shareParts draws groups that are alike from one definition.
func shareParts(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	root := doc.Root()
	if findShared(root) != nil {
		return nil, errors.New("there are shared parts already")
	}
	alike := map[string][]*xml.Node{}
	var order []string
	for _, g := range visible(root, func(n *xml.Node) bool { return n.Is("g") && isShareable(n) }) {
		content := insideOf(g)
		if alike[content] == nil {
			order = append(order, content)
		}
		alike[content] = append(alike[content], g)
	}
	shared := root.NewChild("defs")
	shared.Attrs = []xml.Attr{{Name: "id", Value: sharedID}}
	for _, content := range order {
		groups := alike[content]
		if len(groups) < 2 {
			continue
		}
		id := fmt.Sprintf("%s-%d", sharedID, len(shared.Children)+1)
		part := root.NewChild("g", groups[0].Children...)
		part.Attrs = []xml.Attr{{Name: "id", Value: id}}
		shared.Children = append(shared.Children, part)
		for _, g := range groups {
			use := root.NewChild("use")
			use.Attrs = []xml.Attr{{Name: "href", Value: "#" + id}}
			g.Children = []*xml.Node{use}
		}
	}
	insertElement(root, shared, 1)
	return vfs.Files{sharedFile: doc.print()}, nil
}

// isShareable reports whether a group has child elements, and among all that is
// in it no group and no id.
func isShareable(g *xml.Node) bool {
	able := len(g.Elements()) > 0
	g.Walk(func(n *xml.Node) {
		_, hasID := n.Attribute("id")
		able = able && !hasID && xml.Local(n.Name) != "g"
	})
	return able
}

// insideOf is what stands in an element, as text.
func insideOf(n *xml.Node) string {
	var b strings.Builder
	for _, c := range n.Children {
		b.WriteString(c.InOne())
	}
	return b.String()
}

func findShared(root *xml.Node) *xml.Node {
	for _, c := range root.All("defs") {
		if id, _ := c.Attribute("id"); id == sharedID {
			return c
		}
	}
	return nil
}

func unshareParts(files vfs.Files) (vfs.Files, error) {
	doc, err := readNamed(files, sharedFile)
	if err != nil {
		return nil, err
	}
	root := doc.Root()
	shared := findShared(root)
	if shared == nil {
		return nil, errors.New(sharedFile + " has no defs with the id " + sharedID)
	}
	root.Remove(func(c *xml.Node) bool { return c == shared })
	parts := map[string]*xml.Node{}
	for _, part := range shared.Elements() {
		id, _ := part.Attribute("id")
		parts["#"+id] = part
	}
	root.Walk(func(n *xml.Node) {
		var children []*xml.Node
		for _, c := range n.Children {
			href, _ := c.Attribute("href")
			if part := parts[href]; part != nil && c.Is("use") {
				children = append(children, part.Children...)
			} else {
				children = append(children, c)
			}
		}
		n.Children = children
	})
	return asDocument(doc), nil
}
