package landmarks

import (
	"slices"
	"strings"

	"agentd/domains/internal/xml"
)

// schemaData returns the element that holds a placemark's fields; nil if there
// is none.
func schemaData(n *xml.Node) *xml.Node {
	if extended := n.Child("ExtendedData"); extended != nil {
		return extended.Child("SchemaData")
	}
	return nil
}

// needSchemaData returns it, a new one before the geometry if there is none.
func needSchemaData(n *xml.Node) *xml.Node {
	extended := n.Child("ExtendedData")
	if extended == nil {
		extended = n.NewChild("ExtendedData")
		at := slices.IndexFunc(n.Children, isGeometry)
		if at < 0 {
			at = len(n.Children)
		}
		n.Children = slices.Insert(n.Children, at, extended)
	}
	return extended.Need("SchemaData")
}

func isGeometry(n *xml.Node) bool {
	switch xml.Local(n.Name) {
	case "Point", "LineString", "LinearRing", "Polygon", "MultiGeometry", "Model", "Track", "MultiTrack":
		return n.Kind == xml.Element
	}
	return false
}

// dropEmpty takes out the holders of fields that are empty.
func dropEmpty(n *xml.Node) {
	isEmpty := func(c *xml.Node) bool { return isTransparent(c) && len(c.Children)+len(c.Attrs) == 0 }
	if extended := n.Child("ExtendedData"); extended != nil {
		extended.Remove(isEmpty)
		n.Remove(isEmpty)
	}
}

// fieldName is the name of a SimpleData element; empty if it is none or has
// other attributes.
func fieldName(n *xml.Node) string {
	if !n.Is("SimpleData") || len(n.Attrs) != 1 || n.Attrs[0].Name != "name" {
		return ""
	}
	return n.Attrs[0].Value
}

// fieldTexts calls do with the texts of all fields of a name, in any case, and the placemarks that
// have them.
func fieldTexts(doc *xml.Document, name string, do func(placemark, text *xml.Node)) {
	for _, s := range spots(doc) {
		s.Walk(func(c *xml.Node) {
			for _, text := range c.Children {
				if text.Kind == xml.Text && strings.EqualFold(fieldName(c), name) {
					do(s.Node, text)
				}
			}
		})
	}
}

// fieldText is the text of the last field of a name, as published.
func fieldText(n *xml.Node, name string) string {
	last := ""
	n.Walk(func(c *xml.Node) {
		if c.Is("SimpleData") && strings.EqualFold(fieldName(c), name) {
			last = c.Content()
		}
	})
	return last
}

// addField appends a field.
func addField(n *xml.Node, name, text string) {
	data := needSchemaData(n)
	data.Append(newField(data, name, text))
}

// takeField takes out all fields of a name.
func takeField(n *xml.Node, name string) {
	n.Walk(func(c *xml.Node) {
		c.Remove(func(field *xml.Node) bool { return fieldName(field) == name })
	})
	dropEmpty(n)
}

// hasField reports whether a placemark of a document has a field of a name.
func hasField(doc *xml.Document, name string) bool {
	has := false
	doc.Top.Walk(func(n *xml.Node) { has = has || fieldName(n) == name })
	return has
}

// field is a name and a text as it is written: a CDATA section has its marks.
type field struct{ name, text string }

const cdataStart, cdataEnd = "<![CDATA[", "]]>"

// written is the text of an element with nothing else in it; false if it has
// more, or the text could be taken for a CDATA section.
func written(n *xml.Node) (string, bool) {
	switch {
	case !isSimple(n):
		return "", false
	case len(n.Children) == 0:
		return "", true
	case n.Children[0].CDATA:
		return cdataStart + n.Children[0].Text + cdataEnd, true
	}
	text := n.Children[0].Text
	return text, !strings.HasPrefix(text, cdataStart)
}

// write is the reverse of written.
func write(n *xml.Node, text string) {
	n.SetContent(text)
	if inside, ok := strings.CutPrefix(text, cdataStart); ok && strings.HasSuffix(inside, cdataEnd) {
		n.Children[0].Text = strings.TrimSuffix(inside, cdataEnd)
		n.Children[0].CDATA = true
	}
}

// takeName takes the name out of a placemark, if accept takes its text.
func takeName(n *xml.Node, accept func(field) bool) (name string, taken bool) {
	element := n.Child("name")
	if element == nil || len(element.Attrs) > 0 {
		return "", false
	}
	name, ok := written(element)
	if !ok || !accept(field{"name", name}) {
		return "", false
	}
	n.Drop(element)
	return name, true
}

// takeFields takes the fields out of a placemark that accept takes, and of
// which each is the first of its name.
func takeFields(n *xml.Node, accept func(field) bool) []field {
	data := schemaData(n)
	if data == nil {
		return nil
	}
	var taken []field
	met := map[string]bool{}
	data.Remove(func(c *xml.Node) bool {
		name := fieldName(c)
		text, ok := written(c)
		if name == "" || met[name] {
			return false
		}
		met[name] = true
		if !ok || !accept(field{name, text}) {
			return false
		}
		taken = append(taken, field{name, text})
		return true
	})
	return taken
}

// putName makes a name the first child.
func putName(n *xml.Node, name string) {
	element := n.NewChild("name")
	write(element, name)
	n.Children = slices.Insert(n.Children, 0, element)
}

// putFields puts fields before those that a placemark has.
func putFields(n *xml.Node, fields []field) {
	if len(fields) == 0 {
		return
	}
	data := needSchemaData(n)
	var all []*xml.Node
	for _, f := range fields {
		element := newField(data, f.name, "")
		write(element, f.text)
		all = append(all, element)
	}
	data.Children = slices.Insert(data.Children, 0, all...)
}
