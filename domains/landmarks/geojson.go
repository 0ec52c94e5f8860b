package landmarks

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/internal/lazyregexp"
)

// collectionName is the root element of GeoJSON that is read as if it were KML.
const collectionName = "FeatureCollection"

// readGeoJSON reads features as placemarks; false if there are none. Of broken
// JSON it takes the features that are whole.
func readGeoJSON(text string) (*xml.Document, bool) {
	root := &xml.Node{Name: collectionName}
	doc := xml.NewDocument(root)
	collection, valid := decodeCollection(text)
	features, found := collection["features"].([]any)
	if !valid {
		features = wholeFeatures(text)
		found = len(features) > 0
		doc.Faults = []string{"broken JSON"}
	}
	for _, name := range sortedNames(collection) {
		if name != "type" && name != "features" {
			root.Append(leafOf(name, collection[name]))
		}
	}
	root.Children = slices.Grow(root.Children, len(features))
	for _, f := range features {
		feature, _ := f.(map[string]any)
		root.Append(placemarkOf(feature))
	}
	return &doc, found
}

// decodeCollection reads an object of JSON, the digits of numbers as they are; valid is false if the text is no JSON.
func decodeCollection(text string) (collection map[string]any, valid bool) {
	d := json.NewDecoder(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	d.UseNumber()
	var value any
	if d.Decode(&value) != nil || d.More() {
		return nil, false
	}
	collection, _ = value.(map[string]any)
	return collection, true
}

var featureStart = lazyregexp.New(`\{\s*"type"\s*:\s*"Feature"`)

// wholeFeatures finds the features in broken JSON.
func wholeFeatures(text string) []any {
	var all []any
	const effort = 4 // times the length of the text, for features that are not whole
	budget := effort * len(text)
	for budget > 0 {
		start := featureStart.FindStringIndex(text)
		if start == nil {
			break
		}
		d := json.NewDecoder(strings.NewReader(text[start[0]:]))
		d.UseNumber()
		var feature any
		if err := d.Decode(&feature); err != nil {
			budget -= len(text) - start[0]
			text = text[start[1]:]
			continue
		}
		all = append(all, feature)
		text = text[start[0]+int(d.InputOffset()):]
	}
	return all
}

func sortedNames(object map[string]any) []string { return slices.Sorted(maps.Keys(object)) }

func leafOf(name string, value any) *xml.Node { return (&xml.Node{Name: name}).With(textOf(value)) }

// textOf is the text of a JSON value: nothing for null.
func textOf(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case map[string]any, []any:
		raw, _ := json.Marshal(v)
		return string(raw)
	}
	return fmt.Sprint(value)
}

// placemarkOf makes a placemark of a feature.
func placemarkOf(feature map[string]any) *xml.Node {
	n := &xml.Node{Name: "Placemark"}
	properties, _ := feature["properties"].(map[string]any)
	id := properties["id"]
	if id == nil {
		id = feature["id"]
	}
	if id != nil {
		n.With("", "id", textOf(id))
	}
	for _, name := range sortedNames(properties) {
		switch name {
		case "id":
		case "name", "description":
			n.Append(leafOf(name, properties[name]))
		default:
			n.Append(newField(n, name, textOf(properties[name])))
		}
	}
	for _, name := range sortedNames(feature) {
		switch name {
		case "type", "id", "properties", "geometry":
		default:
			n.Append(leafOf(name, feature[name]))
		}
	}
	if geometry, ok := feature["geometry"].(map[string]any); ok {
		n.Append(geometryOf(geometry))
	}
	return n
}

// newField returns a SimpleData element for a parent to take in.
func newField(parent *xml.Node, name, text string) *xml.Node {
	return parent.NewChild("SimpleData").With(text, "name", name)
}

func geometryOf(geometry map[string]any) *xml.Node {
	n := &xml.Node{Name: textOf(geometry["type"])}
	coordinates, _ := geometry["coordinates"].([]any)
	switch n.Name {
	case "Point":
		n.Append(leafOf("coordinates", tuple(coordinates)))
	case "LineString":
		n.Append(leafOf("coordinates", tuples(coordinates)))
	case "Polygon":
		boundary := "outerBoundaryIs"
		for _, ring := range coordinates {
			points, _ := ring.([]any)
			line := &xml.Node{Name: "LinearRing", Children: []*xml.Node{leafOf("coordinates", tuples(points))}}
			n.Append(&xml.Node{Name: boundary, Children: []*xml.Node{line}})
			boundary = "innerBoundaryIs"
		}
	default:
		n.Name = "geometry"
		n.SetContent(textOf(geometry))
	}
	return n
}

func tuple(numbers []any) string {
	return strings.Join(lists.Map(numbers, textOf), ",")
}

func tuples(points []any) string {
	return strings.Join(lists.Map(points, func(point any) string {
		numbers, _ := point.([]any)
		return tuple(numbers)
	}), " ")
}

// withoutFeatures prints GeoJSON without the features of some numbers, which ascend.
func withoutFeatures(text string, dropped []int) string {
	collection, valid := decodeCollection(text)
	features, _ := collection["features"].([]any)
	if !valid {
		features = wholeFeatures(text)
		collection = map[string]any{"type": collectionName}
	}
	kept := []any{}
	for n, feature := range features {
		if len(dropped) > 0 && dropped[0] == n {
			dropped = dropped[1:]
			continue
		}
		kept = append(kept, feature)
	}
	collection["features"] = kept
	return plain.WriteJSON(collection)
}
