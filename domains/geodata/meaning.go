package geodata

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/jsontext"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/geodata"
	"agentd/vfs"
)

// forgives is what Strict compares: files of a divided document may follow one another in any order.
func forgives(reference, candidate []domains.Element) (ref, got []domains.Element) {
	return element.AlignFiles(reference, candidate, counted)
}

// elements flattens the files into features, members of collections and lines
// that are no JSON. A member that several collections share counts once.
func elements(files vfs.Files) []domains.Element {
	var all []domains.Element
	shared := map[string]bool{}
	features := 0
	for file, name := range files.Names() {
		c := readCollection(files[name])
		for i, f := range c.features {
			features++
			all = plain.Append(all, domains.Element{
				Kind: counted, Key: f.title(features), Fields: f.fields(), Position: element.InFile(file, i+1),
			})
		}
		for _, m := range c.memberElements() {
			if text := fmt.Sprintln(m.Fields); !shared[text] {
				shared[text] = true
				all = plain.Append(all, m)
			}
		}
		for _, line := range c.outside {
			all = plain.Append(all, domains.Element{Kind: "line", Key: "text outside the JSON", Fields: []domains.Field{{Value: line}}})
		}
	}
	return all
}

// memberElements flattens the members of the collection. That it is a
// FeatureCollection goes without saying, as features may stand alone.
func (c *collection) memberElements() []domains.Element {
	var all []domains.Element
	add := func(name string, value *node) {
		fields := value.leaves(nil, name)
		if value.is(nullKind) {
			fields = []domains.Field{{Name: name, Value: "null"}} // a null crs is not the default one
		}
		all = plain.Append(all, domains.Element{Kind: "member", Key: "member " + name, Fields: fields})
	}
	typed := !c.declared
	for _, m := range c.members {
		isType := m.name == "type"
		typed = typed || isType
		if !isType || !m.value.isText("FeatureCollection") {
			add(m.name, m.value)
		}
	}
	if !typed {
		add("type", textNode(element.Missing))
	}
	return all
}

// title is how a person would call the feature: by id and name, otherwise by number.
func (n *node) title(number int) string {
	properties := n.get(published.PropertiesKey)
	id := properties.get("id")
	if id == nil {
		id = n.get("id")
	}
	var words []string
	for _, word := range []*node{id, properties.get("name")} {
		if word.is(textKind) || word.is(numberKind) {
			words = append(words, word.text)
		}
	}
	if len(words) == 0 {
		return "feature " + strconv.Itoa(number)
	}
	return strings.Join(words, " ")
}

// Names of fields of a feature, the second being how those of its geometry begin.
const (
	typeField     = "feature type" // if it is not "Feature"
	geometryField = "geometry "
)

// fields flattens a feature. That null stands for what is missing holds for everything in it.
func (n *node) fields() []domains.Field {
	if n.kind != objectKind {
		return []domains.Field{{Value: n.canonical()}}
	}
	var fields []domains.Field
	if kind := n.get("type"); kind == nil {
		fields = append(fields, domains.Field{Name: typeField, Value: "missing"})
	} else if !kind.isText("Feature") {
		fields = append(fields, domains.Field{Name: typeField, Value: kind.canonical()})
	}
	for _, m := range n.members {
		switch {
		case m.name == "type":
		case m.name == published.GeometryKey && m.value.is(objectKind):
			fields = m.value.geometryFields(fields)
		case m.name == published.PropertiesKey && m.value.is(objectKind):
			for _, property := range m.value.members {
				fields = property.value.leaves(fields, pointerName(property.name))
			}
		default:
			fields = m.value.leaves(fields, "feature "+pointerName(m.name))
		}
	}
	return fields
}

// leaves flattens a value: objects member by member, named by their paths, and
// so the objects in an array; any other value is one field.
func (n *node) leaves(fields []domains.Field, at string) []domains.Field {
	const deepestPath = 20
	switch {
	case n.kind == nullKind:
	case strings.Count(at, "/") > deepestPath:
		fields = append(fields, domains.Field{Name: at, Value: n.canonical()})
	case n.kind == objectKind && len(n.members) > 0:
		for _, m := range n.members {
			fields = m.value.leaves(fields, at+"/"+pointerName(m.name))
		}
	case n.kind == arrayKind && len(n.items) > 0 && !slices.ContainsFunc(n.items, isNoObject):
		for i, item := range n.items {
			fields = item.leaves(fields, at+"/"+strconv.Itoa(i))
		}
	default:
		fields = append(fields, domains.Field{Name: at, Value: n.canonical()})
	}
	return fields
}

func isNoObject(n *node) bool { return n.kind != objectKind }

// pointerName is a name as JSON pointers have it.
var pointerName = strings.NewReplacer("~", "~0", "/", "~1").Replace

// canonical is the value on one line, the same for equal values: numbers
// without superfluous zeros, quotes and apostrophes as a typewriter has them.
func (n *node) canonical() string {
	switch n.kind {
	case numberKind:
		return jsontext.CanonicalNumber(n.text)
	case textKind:
		return jsontext.Quote(published.Straight(n.text))
	}
	var b strings.Builder
	n.writeCanonical(&b)
	return b.String()
}

// without leaves out features; what is around them stays.
func without(_, text string, leave func() bool) string {
	var out []jsontext.Span
	for _, feature := range readCollection(text).features {
		if leave() {
			out = append(out, feature.at)
		}
	}
	return jsontext.Without(whole(text), out)
}

// isFeature reports whether an element is a feature that says that it is one, or has a
// geometry. The published reader takes the objects of any JSON array for features.
func isFeature(e *domains.Element) bool {
	if e.Kind != counted {
		return false
	}
	untyped := slices.ContainsFunc(e.Fields, func(f domains.Field) bool { return f.Name == typeField })
	located := slices.ContainsFunc(e.Fields, func(f domains.Field) bool { return strings.HasPrefix(f.Name, geometryField) })
	return located || !untyped
}

// geometryFields flattens a geometry. Points give a field for each ordinate, other geometries one for each line and
// ring; parts whose order means nothing share a name.
func (n *node) geometryFields(fields []domains.Field) []domains.Field {
	add := func(name, value string) {
		fields = append(fields, domains.Field{Name: geometryField + name, Value: value})
	}
	geometryType, coordinates := n.get("type"), n.get("coordinates")
	switch {
	case geometryType != nil:
		add("type", geometryType.canonical())
	case len(n.members) > 0:
		add(element.Type, element.Missing)
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

// addParts adds the parts of coordinates as the geometry's type has them; false if it has none.
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

const counted = "feature"
