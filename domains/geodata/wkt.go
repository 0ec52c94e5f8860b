package geodata

import (
	"strings"
)

// wktDepth is how deep the positions of each geometry type lie in arrays.
var wktDepth = map[string]int{
	"Point": 0, "LineString": 1, "MultiPoint": 1, "Polygon": 2, "MultiLineString": 2, "MultiPolygon": 3,
}

// wkt writes a geometry as well-known text, numbers as they stand; false if
// that cannot hold all of it.
func (n *node) wkt() (string, bool) {
	if n.kind != objectKind || len(n.members) != 2 || !n.get("type").is(textKind) {
		return "", false
	}
	name := n.get("type").text
	if geometries := n.get("geometries"); name == "GeometryCollection" && geometries.is(arrayKind) {
		parts := make([]string, len(geometries.items))
		for i, part := range geometries.items {
			var ok bool
			if parts[i], ok = part.wkt(); !ok {
				return "", false
			}
		}
		return "GEOMETRYCOLLECTION (" + strings.Join(parts, ", ") + ")", len(parts) > 0
	}
	depth, known := wktDepth[name]
	coordinates := n.get("coordinates")
	if !known || !coordinates.is(arrayKind) {
		return "", false
	}
	ordinates := 0
	body, ok := coordinates.wktBody(depth, name == "MultiPoint", &ordinates)
	if depth == 0 {
		body = "(" + body + ")"
	}
	tag := strings.ToUpper(name) + " "
	if ordinates == 3 {
		tag += "Z "
	}
	return tag + body, ok
}

// wktBody writes coordinates, all positions with the same number of ordinates.
func (n *node) wktBody(depth int, wrapped bool, ordinates *int) (string, bool) {
	if n.kind != arrayKind || len(n.items) == 0 {
		return "", false
	}
	parts := make([]string, len(n.items))
	for i, item := range n.items {
		if depth == 0 {
			if item.kind != numberKind {
				return "", false
			}
			parts[i] = item.text
			continue
		}
		var ok bool
		if parts[i], ok = item.wktBody(depth-1, wrapped, ordinates); !ok {
			return "", false
		}
		if wrapped {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	if depth > 0 {
		return "(" + strings.Join(parts, ", ") + ")", true
	}
	if *ordinates == 0 {
		*ordinates = len(parts)
	}
	return strings.Join(parts, " "), len(parts) == *ordinates && (len(parts) == 2 || len(parts) == 3)
}
