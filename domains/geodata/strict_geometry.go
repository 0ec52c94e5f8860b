package geodata

import (
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
)

// geometryFields flattens a geometry. Points give a field for each ordinate,
// other geometries one for each line and ring; parts whose order means nothing
// share a name.
func (n *node) geometryFields(fields []domains.Field) []domains.Field {
	add := func(name, value string) {
		fields = append(fields, domains.Field{Name: geometryField + name, Value: value})
	}
	geometryType, coordinates := n.get("type"), n.get("coordinates")
	switch {
	case geometryType != nil:
		add("type", geometryType.canonical())
	case len(n.members) > 0:
		add("type", "missing")
	}
	if coordinates != nil && !coordinates.addParts(geometryType, add) {
		add("coordinates", coordinates.canonical())
	}
	for _, m := range n.members {
		switch {
		case m.name == "type" || m.name == "coordinates":
		case m.name == "geometries" && m.value.is(arrayKind):
			for _, part := range m.value.items {
				add("part", part.geometryText())
			}
		default:
			fields = m.value.leaves(fields, geometryField+pointerName(m.name))
		}
	}
	return fields
}

// addParts adds the parts of coordinates as the geometry's type has them; false
// if it has none.
func (n *node) addParts(geometryType *node, add func(name, value string)) bool {
	if !geometryType.is(textKind) || n.kind != arrayKind || len(n.items) == 0 {
		return false
	}
	switch geometryType.text {
	case "Point":
		names := []string{"longitude", "latitude", "altitude"}
		for i, ordinate := range n.items {
			add(names[min(i, len(names)-1)], ordinate.canonical())
		}
	case "LineString":
		add("line", n.canonical())
	case "Polygon":
		add("exterior ring", n.items[0].ringText())
		for _, hole := range n.items[1:] {
			add("interior ring", hole.ringText())
		}
	default:
		of, known := multiple[geometryType.text]
		for _, part := range n.items {
			if known {
				add(of.name, of.text(part))
			}
		}
		return known
	}
	return true
}

// multiple are the geometries of several parts.
var multiple = map[string]struct {
	name string
	text func(part *node) string
}{
	"MultiPoint": {"point", (*node).canonical}, "MultiLineString": {"line", (*node).canonical},
	"MultiPolygon": {"polygon", (*node).polygonText},
}

// geometryText is a geometry inside of a collection of geometries.
func (n *node) geometryText() string {
	if n.kind != objectKind {
		return n.canonical()
	}
	var parts []string
	for _, f := range n.geometryFields(nil) {
		parts = append(parts, strings.TrimPrefix(f.Name, geometryField)+" "+f.Value)
	}
	slices.Sort(parts)
	return strings.Join(parts, "; ")
}

// polygonText has the exterior ring first and the holes in any order.
func (n *node) polygonText() string {
	if n.kind != arrayKind || len(n.items) == 0 {
		return n.canonical()
	}
	rings := lists.Map(n.items, (*node).ringText)
	slices.Sort(rings[1:])
	return strings.Join(rings, " less ")
}

// ringText is the ring from its least vertex on, so that it does not matter
// where it starts. One that is not closed is no ring, but says so.
func (n *node) ringText() string {
	if n.kind != arrayKind || len(n.items) == 0 {
		return n.canonical()
	}
	vertices := lists.Map(n.items, (*node).canonical)
	last := len(vertices) - 1
	if last == 0 || vertices[0] != vertices[last] {
		return "not closed: " + strings.Join(vertices, ", ")
	}
	vertices = vertices[:last]
	start := lists.LeastRotation(vertices)
	return strings.Join(slices.Concat(vertices[start:], vertices[:start]), ", ")
}
