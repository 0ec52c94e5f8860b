// Package geodata is the published reading and score of the domain geodata.
//
// Empty cases for coverage, properties, coordinates, ordering: both feature lists empty → 1, one empty → 0.
//
//   - coverage = Jaccard of the sets of fingerprints (without the dup suffix).
//   - property = mean over shared map keys of: mean over the union of property keys of cmp(ref, cand) with a missing
//     key as null (no keys → 1). Nothing shared → 0.
//   - coord = mean over shared map keys of: geometry types differ → 0; both centroids: with dx, dy absolute differences
//     — both < 0.0001 → 1, both < 0.001 → 0.9, both < 0.01 → 0.5, else 0; neither has one: coordinates equal
//     (numerically; both null too) → 1, else SequenceMatcher ratio of compact JSON texts ([[1.0,2.5],…], no blanks,
//     floats as above, characters, autojunk on); one only → 0.
//   - ordering = SequenceMatcher ratio of the two fingerprint lists (elements, autojunk on).
//   - metadata: both maps empty → 1; one empty → 0.5; else mean over the union of file names of the mean over the union
//     of keys of cmp (a file on one side only: 0).
//
// cmp(a, b): both null 1; one null 0; equal 1 (1 = 1.0 = true); strings: normalise (‘’ → ', “” → ", – — → -, blanks
// collapsed, trimmed, lower-cased), equal 1 else character ratio; numbers, booleans included: 1 − min(|a−b| /
// max(|a|,|b|), 1); objects: mean over the union of keys, key on one side only 0 (both empty 1); lists: Σ over
// positions / longer length; different types: 0.5 × ratio of the normalised texts.
//
// secondary = (coord + ordering + metadata) / 3; score = coverage² × property × √secondary (secondary 0 → 0). No
// rounding.
package geodata

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ujson"
	"agentd/vfs"
)

// Document is a document as the published evaluator reads it.
type Document struct {
	Features []Feature
	Metadata map[string]*ujson.Object // of each file that has any
}

// Feature is a feature as the published evaluator reads it.
type Feature struct {
	index        int // within its file
	geometryType any // nil if there is none
	coordinates  any
	at           *point // nil if the feature is not at one point
	properties   *ujson.Object
	fingerprint  string
}

type point struct{ lon, lat float64 }

var metadataKeys = []string{"type", "name", "crs", "bbox"}

// Parse reads a document as the published evaluator does. A file that is no
// JSON adds nothing; the error says where that evaluator crashes.
func Parse(files vfs.Files) (Document, error) {
	doc := Document{Metadata: map[string]*ujson.Object{}}
	for _, name := range files.Names() {
		if !strings.HasSuffix(name, ".geojson") && !strings.HasSuffix(name, ".json") {
			continue
		}
		value, err := ujson.Decode(files[name])
		if err != nil {
			continue
		}
		if err := doc.add(name, value); err != nil {
			return Document{}, fmt.Errorf("%s: %w: %w", name, domains.ErrCrash, err)
		}
	}
	return doc, nil
}

func (doc *Document) add(name string, value any) error {
	if features, bare := value.(ujson.List); bare {
		value = &ujson.Object{
			Keys:   []string{"type", "features"},
			Values: map[string]any{"type": "FeatureCollection", "features": features},
		}
	}
	collection, ok := value.(*ujson.Object)
	if !ok {
		return nil
	}
	metadata := &ujson.Object{Values: map[string]any{}}
	for _, key := range metadataKeys {
		if v, ok := collection.Values[key]; ok {
			metadata.Keys = append(metadata.Keys, key)
			metadata.Values[key] = v
		}
	}
	if len(metadata.Keys) > 0 {
		doc.Metadata[name] = metadata
	}
	members, ok := collection.Values["features"]
	if !ok {
		return nil
	}
	features, ok := members.(ujson.List)
	if !ok {
		return errors.New("its features are no array")
	}
	for n, member := range features {
		f, err := parseFeature(n, member)
		if err != nil {
			return fmt.Errorf("feature %d %w", n, err)
		}
		doc.Features = plain.Append(doc.Features, f)
	}
	return nil
}

func parseFeature(index int, value any) (Feature, error) {
	members, ok := value.(*ujson.Object)
	if !ok {
		return Feature{}, errors.New("is no object")
	}
	f := Feature{index: index}
	geometry, isGeometry := objectOrEmpty(members.Get(GeometryKey))
	if f.properties, ok = objectOrEmpty(members.Get(PropertiesKey)); !ok || !isGeometry {
		return Feature{}, errors.New("has a geometry or properties that are no object")
	}
	f.geometryType = geometry.Get("type")
	f.coordinates = geometry.Get("coordinates")
	if f.geometryType == "Point" {
		f.at = parsePoint(f.coordinates)
	}
	f.fingerprint = f.identify()
	return f, nil
}

// objectOrEmpty takes what Python counts as false for an empty object.
func objectOrEmpty(value any) (*ujson.Object, bool) {
	if !truthy(value) {
		return &ujson.Object{}, true
	}
	o, ok := value.(*ujson.Object)
	return o, ok
}

func parsePoint(coordinates any) *point {
	position, ok := coordinates.(ujson.List)
	if !ok || len(position) < 2 {
		return nil
	}
	lon, ok := toFloat(position[0])
	lat, also := toFloat(position[1])
	if !ok || !also {
		return nil
	}
	return &point{lon, lat}
}

// toFloat is float(value).
func toFloat(value any) (float64, bool) {
	if text, ok := value.(string); ok {
		return pytext.Float(text)
	}
	return asNumber(value)
}

// identify is what features are paired by: the id, otherwise the first three
// properties, otherwise the place, otherwise the index.
func (f *Feature) identify() string {
	if id := f.properties.Get("id"); truthy(id) {
		return pytext.Strip(pytext.Lower(pythonText(id)))
	}
	const most, longest = 3, 40
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(f.properties.Values))[:min(most, len(f.properties.Keys))] {
		switch v := f.properties.Get(key).(type) {
		case nil:
		case string:
			text := []rune(pytext.Strip(pytext.Lower(v)))
			parts = append(parts, string(text[:min(longest, len(text))]))
		default:
			parts = append(parts, pythonText(v))
		}
	}
	switch {
	case len(parts) > 0:
		return strings.Join(parts, "|")
	case f.at != nil:
		return "coord:" + strconv.FormatFloat(f.at.lon, 'f', 4, 64) + "," + strconv.FormatFloat(f.at.lat, 'f', 4, 64)
	}
	return "idx:" + strconv.Itoa(f.index)
}

// pythonText is str(value).
func pythonText(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	return repr(value)
}

// repr is repr(value).
func repr(value any) string {
	switch v := value.(type) {
	case bool:
		return pytext.Bool(v)
	case ujson.Number:
		return v.Text
	case string:
		var b strings.Builder
		pytext.WriteRepr(&b, v)
		return b.String()
	case ujson.List:
		return "[" + strings.Join(lists.Map(v, repr), ", ") + "]"
	case *ujson.Object:
		member := func(key string) string { return repr(key) + ": " + repr(v.Values[key]) }
		return "{" + strings.Join(lists.Map(v.Keys, member), ", ") + "}"
	}
	return "None"
}

// Members of a feature.
const (
	GeometryKey   = "geometry"
	PropertiesKey = "properties"
)

// truthy is bool(value).
func truthy(value any) bool {
	switch v := value.(type) {
	case nil:
		return false
	case bool:
		return v
	case ujson.Number:
		return v.Float != 0
	case string:
		return v != ""
	case ujson.List:
		return len(v) > 0
	case *ujson.Object:
		return len(v.Keys) > 0
	}
	return false
}

// asNumber counts booleans as 0 and 1.
func asNumber(value any) (float64, bool) {
	if value == true {
		return 1, true
	}
	v, ok := value.(ujson.Number)
	return v.Float, ok || value == false
}
