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

// readWKT reads well-known text into a geometry, nil if it is none.
func readWKT(content string) *node {
	r := wktReader{content}
	return r.geometry(0)
}

type wktReader struct{ rest string }

const deepestWKT = 16

func (r *wktReader) geometry(depth int) *node {
	at := strings.IndexByte(r.rest, '(')
	if at < 0 || depth > deepestWKT {
		return nil
	}
	tag := strings.Fields(r.rest[:at])
	r.rest = r.rest[at:]
	if len(tag) == 0 {
		return nil
	}
	if strings.EqualFold(tag[0], "GeometryCollection") {
		return r.geometryCollection(depth)
	}
	for name := range wktDepth {
		if !strings.EqualFold(tag[0], name) {
			continue
		}
		coordinates := r.group(depth)
		if name == "Point" && len(coordinates.items) > 0 {
			coordinates = coordinates.items[0]
		}
		if name == "MultiPoint" {
			coordinates.unwrapPoints()
		}
		return geometryNode(name, "coordinates", coordinates)
	}
	return nil
}

func geometryNode(name, key string, value *node) *node {
	return &node{kind: objectKind, members: []member{{"type", textNode(name)}, {key, value}}}
}

func (r *wktReader) geometryCollection(depth int) *node {
	geometries := &node{kind: arrayKind}
	r.take("(")
	for {
		geometry := r.geometry(depth + 1)
		if geometry == nil {
			break
		}
		geometries.items = append(geometries.items, geometry)
		if !r.take(",") {
			break
		}
	}
	r.take(")")
	return geometryNode("GeometryCollection", "geometries", geometries)
}

// group reads a list in parentheses, of groups or of positions.
func (r *wktReader) group(depth int) *node {
	list := &node{kind: arrayKind}
	r.take("(")
	for r.rest != "" && depth <= deepestWKT {
		if strings.HasPrefix(strings.TrimLeft(r.rest, " "), "(") {
			list.items = append(list.items, r.group(depth+1))
		} else {
			list.items = append(list.items, r.position())
		}
		if !r.take(",") {
			break
		}
	}
	r.take(")")
	return list
}

func (r *wktReader) position() *node {
	end := strings.IndexAny(r.rest, ",()")
	if end < 0 {
		end = len(r.rest)
	}
	position := &node{kind: arrayKind}
	for _, ordinate := range strings.Fields(r.rest[:end]) {
		position.items = append(position.items, bareNode(ordinate))
	}
	r.rest = r.rest[end:]
	return position
}

func (r *wktReader) take(sign string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(r.rest, " "), sign)
	if ok {
		r.rest = rest
	}
	return ok
}

// unwrapPoints takes the positions of a MultiPoint out of their parentheses,
// which are optional.
func (n *node) unwrapPoints() {
	for i, item := range n.items {
		if len(item.items) == 1 && item.items[0].kind == arrayKind {
			n.items[i] = item.items[0]
		}
	}
}
