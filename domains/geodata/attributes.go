package geodata

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains/edit"
	published "agentd/domains/published/geodata"
)

// vocabulary makes parts of the features, whose properties are attributes. Longitudes, latitudes and
// altitudes are those of positions, without bounding boxes.
func vocabulary() edit.Format {
	const number = `-?\d+(?:\.\d+)?`
	ordinate := func(name, plural, from, to string) edit.Attribute {
		return edit.HasNumber(name, plural, `(?:"coordinates"\s*:|[\[,])\s*\[\s*`+from+`(`+number+`)`+to+`\s*\]`)
	}
	return edit.List("collection", "feature", "features", edit.JSON("features"),
		edit.Key("geometry type", "geometry types", `"geometry"\s*:\s*\{\s*"type"\s*:\s*"(\w+)"`),
		ordinate("longitude", "longitudes", "", `\s*,\s*`+number+`(?:\s*,\s*`+number+`)?`),
		ordinate("latitude", "latitudes", number+`\s*,\s*`, `(?:\s*,\s*`+number+`)?`),
		ordinate("altitude", "altitudes", number+`\s*,\s*`+number+`\s*,\s*`, ""),
		edit.Has("urgent", "flags of urgency", `"urgent"\s*:\s*(true|false)`),
		edit.Computed("extent", "extents", extent),
		edit.ComputedNumber("vertices", "numbers of vertices", vertices),
		edit.Computed("well-known text", "well-known texts", wellKnown),
	)
}

// geometry is that of a feature; nil if it has none.
func geometry(part string) *node {
	if values, _ := read(part); len(values) > 0 && values[0].get(published.GeometryKey).is(objectKind) {
		return values[0].get(published.GeometryKey)
	}
	return nil
}

// wellKnown is the geometry of a feature as well-known text; empty if that cannot hold it.
func wellKnown(part string) string {
	if g := geometry(part); g != nil {
		if text, ok := g.wkt(); ok {
			return text
		}
	}
	return ""
}

// vertices is how many positions the geometry of a feature has.
func vertices(part string) string { return strconv.Itoa(len(geometry(part).positions(nil))) }

// extent is the least and then the greatest longitude and latitude of a feature, as its bbox would have
// them, digits as they are written; empty if it has no positions.
func extent(part string) string {
	var written [4]string
	var value [4]float64
	for _, position := range geometry(part).positions(nil) {
		for axis, n := range position.items[:min(2, len(position.items))] {
			v, err := strconv.ParseFloat(n.text, 64)
			if err != nil {
				return ""
			}
			if written[axis] == "" || v < value[axis] {
				written[axis], value[axis] = n.text, v
			}
			if written[axis+2] == "" || v > value[axis+2] {
				written[axis+2], value[axis+2] = n.text, v
			}
		}
	}
	if written[1] == "" {
		return ""
	}
	return "[" + strings.Join(written[:], ", ") + "]"
}

// positions adds the positions of a geometry, or of coordinates.
func (n *node) positions(all []*node) []*node {
	if n.is(arrayKind) && slices.ContainsFunc(n.items, func(item *node) bool { return item.kind == numberKind }) {
		return append(all, n)
	}
	if n != nil {
		for _, item := range n.items {
			all = item.positions(all)
		}
	}
	if n.is(objectKind) {
		return n.get("geometries").positions(n.get("coordinates").positions(all))
	}
	return all
}

// wktDepth is how deep the positions of each geometry type lie in arrays.
var wktDepth = map[string]int{
	"Point": 0, "LineString": 1, "MultiPoint": 1, "Polygon": 2, "MultiLineString": 2, "MultiPolygon": 3,
}

// wkt writes a geometry as well-known text, numbers as they stand; false if that cannot hold all of it.
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
