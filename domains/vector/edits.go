package vector

import (
	"errors"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// documentFile is the file that every backward step leaves.
const documentFile = "pasteuriser_pid.svg"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "split_by_layer", Forward: splitByLayer, Backward: mergeLayers},
		{Name: "measured_variable", Forward: colourByVariable, Backward: restoreFills},
		{Name: "label_table", Forward: toLabelTable, Backward: fromLabelTable},
		{Name: "dimension_table", Forward: toDimensions, Backward: fromDimensions},
		{Name: "style_classes", Forward: toClasses, Backward: toStyles},
		{Name: "element_list", Forward: toList, Backward: fromList},
		{Name: "reading_order", Forward: toReadingOrder, Backward: fromReadingOrder},
		{Name: "shared_parts", Forward: shareParts, Backward: unshareParts},
	}
}

var errNoSVG = errors.New("no SVG file")

// readDocument reads the SVG files that a forward step is given, as one.
func readDocument(files vfs.Files) (*drawing, error) {
	var doc *drawing
	files = files.Match([]string{"*.svg"})
	for _, name := range files.Names() {
		d := read(files[name])
		switch root := d.Root(); {
		case root == nil:
		case doc == nil:
			doc = d
		default:
			doc.Root().Children = append(doc.Root().Children, root.Children...)
		}
	}
	if doc == nil {
		return nil, errNoSVG
	}
	return doc, nil
}

// readNamed reads the SVG file that a backward step needs.
func readNamed(files vfs.Files, name string) (*drawing, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	d := read(text)
	if d.Root() == nil {
		return nil, errors.New(name + " has no element")
	}
	return d, nil
}

func asDocument(d *drawing) vfs.Files { return vfs.Files{documentFile: d.print()} }

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

// setAttribute gives an attribute a value, in its place or at the end.
func setAttribute(n *xml.Node, name, value string) {
	for i := range n.Attrs {
		if n.Attrs[i].Name == name {
			n.Attrs[i].Value = value
			return
		}
	}
	n.Attrs = append(n.Attrs, xml.Attr{Name: name, Value: value})
}

func removeAttribute(n *xml.Node, name string) {
	n.Attrs = slices.DeleteFunc(n.Attrs, func(a xml.Attr) bool { return a.Name == name })
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
