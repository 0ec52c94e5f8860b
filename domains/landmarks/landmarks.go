// Package landmarks is the domain of points of interest in KML: placemarks with
// a name, a position and extended data such as address, description and opening
// hours, in folders, with styles and a schema. The placemark is what is counted.
//
// The published score looks at names (of which it drops much), positions to about ten metres, addresses, overviews and
// opening hours, and at the order of the numbers in ids; it also reads GeoJSON. Strict looks at everything else, too:
// whole names, ids, every digit, altitudes, all other fields, the folder and the order of placemarks, styles, schema,
// titles and comments. It reads files of any name and number, numbers by value, and texts without regard to typography
// and wrapping.
package landmarks

import (
	"agentd/domains"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/landmarks"
)

// namespace is that of KML since it has one, Google's before that.
var namespace = wellformed.Namespace(`^https?://(?:www\.opengis\.net|earth\.google\.com)/kml/2\.\d(?:\.\d)?$`, "kml")

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Document]{
		Info: domains.Info{
			Name:       "landmarks",
			Title:      "Points of interest in KML",
			Category:   "Everyday",
			Patterns:   []string{"*.kml", "*.geojson"},
			Element:    counted,
			Example:    "<Placemark><name>Old Harbour</name><Point><coordinates>10.75,59.91</coordinates></Point></Placemark>",
			Components: []string{"coverage", "accuracy", "coordinates", "ordering"},
		},
		Parse:      published.Parse,
		Score:      domains.Noting(published.Score),
		Stats:      published.Stats,
		Form:       wellformed.All(wellformed.For(wellformed.All(wellformed.XML, namespace), ".kml"), wellformed.For(wellformed.JSON, ".geojson")),
		Elements:   elements,
		Evidence:   evidence,
		Forgives:   forgive,
		Without:    without,
		Vocabulary: vocabulary,
	})
}
