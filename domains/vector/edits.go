package vector

import (
	"errors"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// drawings says how drawings are put together: the first root element gets the children of all.
var drawings = exact.Format[*drawing, *xml.Node]{
	Patterns: []string{"*.svg"},
	Read:     read,
	Print:    (*drawing).print,
	Parts:    func(d **drawing) *[]*xml.Node { return &(*d).Top.Children },
	Join: func(all []*drawing) *drawing {
		joined := read("")
		for _, d := range all {
			switch root := d.Root(); {
			case root == nil:
			case joined.Root() == nil:
				joined = d
			default:
				joined.Root().Children = append(joined.Root().Children, root.Children...)
			}
		}
		return joined
	},
	Empty:  errors.New("no SVG file"),
	Counts: func(n **xml.Node) bool { return (*n).Kind == xml.Element },
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_groups", splitGroups),
		domains.Taking("share_groups", shareGroups),
		domains.Taking("fill_by_label", fillByLabel),
		domains.Taking("code_labels", codeLabels),
		domains.Taking("scale_dimensions", scaleDimensions),
		domains.Taking("style_classes", styleClasses),
		domains.Taking("json", inJSON),
		domains.Taking("sort_by_position", sortByPosition),
	}
}

// named reads the drawing that a backward step needs.
func named(files vfs.Files, name string) (*drawing, error) {
	d, err := drawings.Named(files, name)
	if err == nil && d.Root() == nil {
		err = errors.New(name + " has no element")
	}
	return d, err
}

// rewrite changes a drawing, and back.
func rewrite(document, to string, change func(*drawing) (vfs.Files, error), restore func(*drawing, vfs.Files) error) exact.Steps {
	forward := func(d **drawing) (vfs.Files, error) { return change(*d) }
	return drawings.Rewrite(document, to, forward, func(d **drawing, files vfs.Files) error {
		if _, err := named(files, to); err != nil {
			return err
		}
		return restore(*d, files)
	})
}

// visible are the elements of SVG below a node that are not in defs, in order.
func visible(n *xml.Node, wanted func(*xml.Node) bool) []*xml.Node {
	var all []*xml.Node
	for _, c := range n.Children {
		if c.Kind != xml.Element || c.Is("defs") {
			continue
		}
		if !c.Foreign && wanted(c) {
			all = append(all, c)
		}
		all = append(all, visible(c, wanted)...)
	}
	return all
}

// hasClass reports whether a name is one of an element's classes.
func hasClass(n *xml.Node, name string) bool {
	classes, _ := n.Attribute("class")
	return slices.Contains(strings.Fields(classes), name)
}

// insertElement puts an element before the one that is the n-th child element
// now, counted from 1, or at the end.
func insertElement(parent, n *xml.Node, place int) {
	for at, c := range parent.Children {
		if c.Kind != xml.Element {
			continue
		}
		if place--; place <= 0 {
			parent.Children = slices.Insert(parent.Children, at, n)
			return
		}
	}
	parent.Children = append(parent.Children, n)
}
