package landmarks

import (
	"fmt"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ujson"
)

// parseGeoJSON reads the features of a JSON text; one without them has no
// places.
func parseGeoJSON(text string) ([]place, error) {
	value, err := ujson.Decode(text)
	if err != nil {
		return nil, err
	}
	collection, isObject := value.(*ujson.Object)
	if !isObject {
		return nil, fmt.Errorf("%w at JSON that is no object", domains.ErrCrash)
	}
	features, _ := collection.Get("features").(ujson.List)
	places := make([]place, 0, len(features))
	for _, f := range features {
		feature, isObject := f.(*ujson.Object)
		if !isObject {
			return nil, fmt.Errorf("%w at a feature that is no object", domains.ErrCrash)
		}
		p, err := newFeature(feature)
		if err != nil {
			return nil, err
		}
		places = append(places, p)
	}
	return places, nil
}

func newFeature(feature *ujson.Object) (place, error) {
	properties := object(feature.Get("properties"))
	p := place{
		address:  property(properties, "address"),
		overview: property(properties, "overview"),
		hours:    property(properties, "opening_hours"),
	}
	var okID, okName bool
	if p.id, okID = textOrNothing(properties.Get("id")); !okID {
		return place{}, fmt.Errorf("%w at an id that is no text", domains.ErrCrash)
	}
	if p.name, okName = textOrNothing(properties.Get("name")); !okName {
		return place{}, fmt.Errorf("%w at a name that is no text", domains.ErrCrash)
	}
	p.name = pytext.Strip(p.name)
	coordinates, _ := object(feature.Get("geometry")).Get("coordinates").(ujson.List)
	if len(coordinates) >= 2 {
		lon, okLon := coordinates[0].(ujson.Number)
		lat, okLat := coordinates[1].(ujson.Number)
		p.lon, p.lat, p.located = lon.Float, lat.Float, okLon && okLat
	}
	return p, nil
}

// object is an empty one in the place of anything else.
func object(value any) *ujson.Object {
	if o, ok := value.(*ujson.Object); ok {
		return o
	}
	return &ujson.Object{}
}

func textOrNothing(value any) (string, bool) {
	text, isText := value.(string)
	return text, isText || value == nil
}

// property is a text under its name in small letters, otherwise in capitals.
func property(properties *ujson.Object, name string) string {
	for _, spelling := range []string{name, strings.ToUpper(name)} {
		if value := properties.Get(spelling); value != nil && value != "" {
			return jsonText(value)
		}
	}
	return ""
}

// jsonText writes numbers as the published evaluator reads them.
func jsonText(value any) string {
	if number, ok := value.(ujson.Number); ok {
		return number.Text
	}
	return fmt.Sprint(value)
}
