package geodata

import (
	"encoding/json"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const propertyPrefix = "properties."

// featureTable makes a row of each feature, with the geometry as well-known text.
func featureTable(p struct{ Document, Table, Rest string }) exact.Steps {
	forward := func(c collection) (vfs.Files, error) {
		header := tableHeader(c.features)
		rows := [][]string{header}
		for _, f := range c.features {
			row := make([]string, len(header))
			for i, column := range header {
				if name, ok := strings.CutPrefix(column, propertyPrefix); ok {
					row[i] = f.property(name).cell()
				} else if column != geometryKey {
					row[i] = f.get(column).cell()
				}
			}
			row[len(row)-1] = geometryCell(f.get(geometryKey))
			rows = append(rows, row)
		}
		frame := &node{kind: objectKind, members: append(c.before[:len(c.before):len(c.before)], c.after...)}
		return vfs.Files{p.Table: plain.WriteCSV(rows), p.Rest: frame.print()}, nil
	}
	return collections.Whole(p.Document, forward, func(files vfs.Files) (c collection, err error) {
		frame, err := plain.File(files, p.Rest)
		if err != nil {
			return c, err
		}
		content, err := plain.File(files, p.Table)
		if err != nil {
			return c, err
		}
		rows, err := plain.ReadCSV(content)
		c.before = readValue(frame).members
		for _, row := range rows[min(1, len(rows)):] {
			c.features = append(c.features, rowFeature(rows[0], row))
		}
		return c, err
	})
}

// tableHeader names the members of features, the id always, their properties and
// the geometry, each in order of first appearance.
func tableHeader(features []*node) []string {
	members, properties := []string{"id"}, []string(nil)
	seen := map[string]bool{"type": true, "id": true, geometryKey: true, propertiesKey: true}
	note := func(list *[]string, column string) {
		if !seen[column] {
			seen[column] = true
			*list = append(*list, column)
		}
	}
	for _, f := range features {
		for _, m := range f.members {
			note(&members, m.name)
		}
		if p := f.get(propertiesKey); p != nil {
			for _, m := range p.members {
				note(&properties, propertyPrefix+m.name)
			}
		}
	}
	return append(append(members, properties...), geometryKey)
}

// cell writes a text as it stands and other values as JSON; a text that is
// empty or reads as JSON becomes JSON, too.
func (n *node) cell() string {
	switch {
	case n == nil:
		return ""
	case n.kind == textKind && n.text != "" && !json.Valid([]byte(n.text)):
		return n.text
	}
	return n.inline()
}

// cellNode is the reverse of cell; nil for an empty cell.
func cellNode(content string) *node {
	switch {
	case content == "":
		return nil
	case json.Valid([]byte(content)):
		return readValue(content)
	}
	return textNode(content)
}

// geometryCell is empty for no geometry, JSON for one that well-known text
// cannot hold.
func geometryCell(geometry *node) string {
	if geometry == nil || geometry.kind == nullKind {
		return ""
	}
	if text, ok := geometry.wkt(); ok {
		return text
	}
	return geometry.inline()
}

func cellGeometry(content string) *node {
	if strings.HasPrefix(content, "{") {
		return readValue(content)
	}
	if geometry := readWKT(content); geometry != nil {
		return geometry
	}
	return &node{}
}

func rowFeature(header, row []string) *node {
	properties, geometry := &node{kind: objectKind}, &node{}
	f := &node{kind: objectKind, members: []member{{"type", textNode("Feature")}}}
	for i, cell := range row[:min(len(row), len(header))] {
		name, isProperty := strings.CutPrefix(header[i], propertyPrefix)
		value := cellNode(cell)
		switch {
		case header[i] == geometryKey:
			geometry = cellGeometry(cell)
		case value == nil:
		case isProperty:
			properties.set(name, value)
		default:
			f.set(name, value)
		}
	}
	f.set(propertiesKey, properties)
	f.set(geometryKey, geometry)
	return f
}

// flatten gives the members of nested properties dotted names of their own, and lists what the
// names are made of.
func flatten(p struct{ Document, To, List string }) exact.Steps {
	change := func(c *collection) (vfs.Files, error) {
		nested := &node{kind: objectKind}
		for _, f := range c.features {
			p := f.properties()
			p.members = flatMembers(nil, nil, p.members, nested)
		}
		return vfs.Files{p.List: nested.print()}, nil
	}
	restore := func(c *collection, files vfs.Files) error {
		list, err := plain.File(files, p.List)
		nested := readValue(list)
		for _, f := range c.features {
			properties := &node{kind: objectKind}
			for _, m := range f.properties().members {
				if path := nested.get(m.name); path.is(arrayKind) && len(path.items) > 1 {
					properties.setAt(path.items, m.value)
				} else {
					properties.members = append(properties.members, m)
				}
			}
			f.set(propertiesKey, properties)
		}
		return err
	}
	return collections.Rewrite(p.Document, p.To, change, restore)
}

// flatMembers appends members of an object at a path, and to nested the path of
// each dotted name.
func flatMembers(flat []member, path []*node, members []member, nested *node) []member {
	for _, m := range members {
		here := append(path[:len(path):len(path)], textNode(m.name))
		if m.value.kind == objectKind && len(m.value.members) > 0 {
			flat = flatMembers(flat, here, m.value.members, nested)
			continue
		}
		name := dotted(here)
		if len(path) > 0 {
			nested.set(name, &node{kind: arrayKind, items: here})
		}
		flat = append(flat, member{name, m.value})
	}
	return flat
}

func dotted(path []*node) string {
	return strings.Join(lists.Map(path, func(name *node) string { return name.text }), ".")
}

// setAt sets a member inside of objects, which it makes where they are missing.
func (n *node) setAt(path []*node, value *node) {
	for _, name := range path[:len(path)-1] {
		inner := n.get(name.text)
		if !inner.is(objectKind) {
			inner = &node{kind: objectKind}
			n.set(name.text, inner)
		}
		n = inner
	}
	n.set(path[len(path)-1].text, value)
}
