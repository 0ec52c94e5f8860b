package geodata

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/jsontext"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ujson"
	"agentd/vfs"
)

// document is a document as the published evaluator reads it.
type document struct {
	features []feature
	metadata map[string]*ujson.Object // of each file that has any
}

type feature struct {
	index        int // within its file
	geometryType any // nil if there is none
	coordinates  any
	at           *point // nil if the feature is not at one point
	properties   *ujson.Object
	fingerprint  string
}

type point struct{ lon, lat float64 }

var metadataKeys = []string{"type", "name", "crs", "bbox"}

// parse reads a document as the published evaluator does. A file that is no
// JSON adds nothing; the error says where that evaluator crashes.
func parse(files vfs.Files) (document, error) {
	doc := document{metadata: map[string]*ujson.Object{}}
	for _, name := range files.Names() {
		if !strings.HasSuffix(name, ".geojson") && !strings.HasSuffix(name, ".json") {
			continue
		}
		value, err := ujson.Decode(files[name])
		if err != nil {
			continue
		}
		if err := doc.add(name, value); err != nil {
			return document{}, fmt.Errorf("%s: %w: %w", name, domains.ErrCrash, err)
		}
	}
	return doc, nil
}

func (doc *document) add(name string, value any) error {
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
		doc.metadata[name] = metadata
	}
	members, ok := collection.Values["features"]
	if !ok {
		return nil
	}
	features, err := iterable(members)
	if err != nil {
		return err
	}
	for n, member := range features {
		f, err := parseFeature(n, member)
		if err != nil {
			return fmt.Errorf("feature %d %w", n, err)
		}
		doc.features = plain.Append(doc.features, f)
	}
	return nil
}

// iterable is the list that features must be. Text and objects can be iterated upstream as long as nothing is in them.
func iterable(features any) (ujson.List, error) {
	switch v := features.(type) {
	case ujson.List:
		return v, nil
	case string:
		if v == "" {
			return nil, nil
		}
	case *ujson.Object:
		if len(v.Keys) == 0 {
			return nil, nil
		}
	}
	return nil, fmt.Errorf("features is %s, not an array", shortText(features))
}

func parseFeature(index int, value any) (feature, error) {
	members, ok := value.(*ujson.Object)
	if !ok {
		return feature{}, fmt.Errorf("is %s, not an object", shortText(value))
	}
	f := feature{index: index}
	geometry, ok := objectOrEmpty(members.Get(geometryKey))
	if !ok {
		return feature{}, fmt.Errorf("has the geometry %s", shortText(members.Get(geometryKey)))
	}
	if f.properties, ok = objectOrEmpty(members.Get(propertiesKey)); !ok {
		return feature{}, fmt.Errorf("has the properties %s", shortText(members.Get(propertiesKey)))
	}
	f.geometryType = geometry.Get("type")
	f.coordinates = geometry.Get("coordinates")
	if f.geometryType == "Point" {
		f.at = parsePoint(f.coordinates)
	}
	f.fingerprint = f.identify()
	return f, nil
}

// shortText is a value for an error, cut where it gets long.
func shortText(value any) string {
	const most = 40
	text := []rune(pythonText(value))
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
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
	lon, lonOK := toFloat(position[0])
	lat, latOK := toFloat(position[1])
	if !lonOK || !latOK {
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
func (f *feature) identify() string {
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
	var b strings.Builder
	python.write(&b, value)
	return b.String()
}

// style is how a value is written.
type style struct {
	none         string
	comma, colon string
	boolean      func(bool) string
	text         func(b *strings.Builder, text string)
}

var (
	python  = style{"None", ", ", ": ", pytext.Bool, pytext.WriteRepr} // repr(value)
	compact = style{"null", ",", ":", strconv.FormatBool, writeASCII}  // JSON without blanks, in ASCII
)

func (s *style) write(b *strings.Builder, value any) {
	switch v := value.(type) {
	case nil:
		b.WriteString(s.none)
	case bool:
		b.WriteString(s.boolean(v))
	case ujson.Number:
		b.WriteString(v.Text)
	case string:
		s.text(b, v)
	case ujson.List:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteString(s.comma)
			}
			s.write(b, item)
		}
		b.WriteByte(']')
	case *ujson.Object:
		b.WriteByte('{')
		for i, key := range v.Keys {
			if i > 0 {
				b.WriteString(s.comma)
			}
			s.text(b, key)
			b.WriteString(s.colon)
			s.write(b, v.Values[key])
		}
		b.WriteByte('}')
	}
}

func writeASCII(b *strings.Builder, text string) {
	for _, r := range jsontext.Quote(text) {
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case r <= 0xffff:
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(b, `\u%04x\u%04x`, high, low)
		}
	}
}
