// Package geodata is the domain of GeoJSON: a FeatureCollection of features, each with a geometry and an object of
// properties, and with members of the collection such as name, crs and bbox. The feature is what is counted.
//
// The published score pairs features by a fingerprint of their properties and takes points within 10 m for the same
// place. Strict also looks at ids of features, every coordinate to the digit, every geometry type, bounding boxes,
// foreign members, the types of values, the order of features, and text outside of the JSON. It reads a file of any
// name, forgives what leaves all information intact (a code fence, single quotes, trailing commas and zeros,
// typographic quotes, null for a missing property, a bare array of features), and compares rings regardless of their
// first vertex, and the parts of multi-geometries in any order.
package geodata

import (
	"agentd/domains"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/geodata"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Document]{
		Info: domains.Info{
			Name:       "geodata",
			Title:      "GeoJSON feature collection",
			Category:   "Structured Records",
			Patterns:   []string{"*.geojson", "*.json"},
			Element:    counted,
			Example:    `{"type": "Feature", "properties": {"name": "Weir"}, "geometry": {"type": "Point", "coordinates": [10.75, 59.91]}}`,
			Components: []string{"coverage", "property", "coordinate", "ordering", "metadata"},
		},
		Parse:      published.Parse,
		Score:      domains.Noting(published.Score),
		Stats:      published.Stats,
		Form:       wellformed.JSON,
		Elements:   elements,
		Forgives:   forgives,
		Evidence:   domains.Where(isFeature),
		Without:    without,
		Vocabulary: vocabulary,
	})
}
