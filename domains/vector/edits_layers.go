package vector

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// splitGroups gives each group below the root a file of its own.
func splitGroups(p struct {
	Document string
	Begins   string // names of files: a number and .svg follow
	Base     string // the file for all else
	List     string
}) exact.Steps {
	type layer struct {
		File  string `json:"file"`
		Place int    `json:"place"` // among the child elements of the root, from 1
	}
	forward := func(d *drawing) (vfs.Files, error) {
		made := vfs.Files{}
		var layers plain.Array[layer]
		root, place := d.Root(), 0
		groups := root.Remove(func(c *xml.Node) bool {
			if c.Kind == xml.Element {
				place++
			}
			if c.Is("g") {
				layers = append(layers, layer{fmt.Sprintf("%s%d.svg", p.Begins, len(layers)+1), place})
			}
			return c.Is("g")
		})
		for n, g := range groups {
			whole := *root
			whole.Children = []*xml.Node{g}
			alone := read("")
			alone.Top.Children = []*xml.Node{&whole}
			made[layers[n].File] = alone.print()
		}
		made[p.Base], made[p.List] = d.print(), plain.WriteJSON(layers)
		return made, nil
	}
	return drawings.Whole(p.Document, forward, func(files vfs.Files) (*drawing, error) {
		d, err := named(files, p.Base)
		if err != nil {
			return nil, err
		}
		var layers []layer
		err = plain.JSON(files, p.List, &layers)
		slices.SortStableFunc(layers, func(a, b layer) int { return cmp.Compare(a.Place, b.Place) })
		for _, l := range layers {
			part, err := named(files, l.File)
			if err != nil {
				return nil, err
			}
			for k, c := range part.Root().Elements() {
				insertElement(d.Root(), c, l.Place+k)
			}
		}
		return d, err
	})
}

// shareGroups draws groups that are alike from one definition.
func shareGroups(p struct {
	Document, To string
	ID           string // of the definitions
}) exact.Steps {
	change := func(d *drawing) (vfs.Files, error) {
		root := d.Root()
		if withID(root.All("defs"), p.ID) != nil {
			return nil, errors.New("there are shared parts already")
		}
		shared := root.NewChild("defs")
		shared.SetAttribute("id", p.ID)
		for _, groups := range alikeGroups(root) {
			id := fmt.Sprintf("%s-%d", p.ID, len(shared.Children)+1)
			part := root.NewChild("g", groups[0].Children...)
			part.SetAttribute("id", id)
			shared.Children = append(shared.Children, part)
			for _, g := range groups {
				use := root.NewChild("use")
				use.SetAttribute("href", "#"+id)
				g.Children = []*xml.Node{use}
			}
		}
		insertElement(root, shared, 1)
		return nil, nil
	}
	return rewrite(p.Document, p.To, change, func(d *drawing, _ vfs.Files) error {
		root := d.Root()
		shared := withID(root.All("defs"), p.ID)
		if shared == nil {
			return fmt.Errorf("%s has no defs with the id %s", p.To, p.ID)
		}
		root.Remove(func(c *xml.Node) bool { return c == shared })
		root.Walk(func(n *xml.Node) {
			var children []*xml.Node
			for _, c := range n.Children {
				href, _ := c.Attribute("href")
				id, here := strings.CutPrefix(href, "#")
				if part := withID(shared.Elements(), id); part != nil && here && c.Is("use") {
					children = append(children, part.Children...)
				} else {
					children = append(children, c)
				}
			}
			n.Children = children
		})
		return nil
	})
}

// alikeGroups are the groups with the same content, of two or more each.
func alikeGroups(root *xml.Node) (all [][]*xml.Node) {
	alike := map[string][]*xml.Node{}
	var order []string
	for _, g := range visible(root, func(n *xml.Node) bool { return n.Is("g") && isShareable(n) }) {
		content := insideOf(g)
		if alike[content] == nil {
			order = append(order, content)
		}
		alike[content] = append(alike[content], g)
	}
	for _, content := range order {
		if len(alike[content]) > 1 {
			all = append(all, alike[content])
		}
	}
	return all
}

// withID is the first element with an id, nil if there is none.
func withID(elements []*xml.Node, id string) *xml.Node {
	for _, n := range elements {
		if own, ok := n.Attribute("id"); ok && own == id {
			return n
		}
	}
	return nil
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
