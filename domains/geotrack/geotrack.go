// Package geotrack is the domain of GPX files, as GPS receivers and phones write them: waypoints, routes, and tracks of
// segments of points with position, height and time, sensor readings in extensions, and metadata. The track point is
// what is counted.
//
// The published score looks at names, places and descriptions of waypoints, at the names of tracks and the numbers of
// points in their segments, and at height, time and temperature of the track points whose places agree to five
// decimals. Strict looks at every element and attribute: exact positions, routes, metadata, all extensions, comments,
// additions and repetitions, the order of tracks and points, and the segment that a point belongs to. It reads instants
// in any time zone, numbers by value, elements under any prefix of their namespace, and files of any name and number.
package geotrack

import (
	"agentd/domains"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/geotrack"
)

// times finds times whose numbers lack a digit. Strict reads them; they are none of xsd:dateTime, which GPX has.
var times = wellformed.Not(`<(?:[\w-]+:)?time>\s*(?:\d{1,3}-|\d{4,}-(?:\d|\d{3,})-|\d{4,}-\d\d-(?:\d|\d{3,})[T<]|[^<]*T(?:\d:|\d\d:\d[:Z<]|\d\d:\d\d:\d[.Z<+-]))`,
	"a time has not the digits of xsd:dateTime")

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Document]{
		Info: domains.Info{
			Name:       "geotrack",
			Title:      "GPX tracks and waypoints",
			Category:   "Structured Records",
			Patterns:   []string{"*.gpx"},
			Element:    counted,
			Example:    `<trkpt lat="59.91" lon="10.75"><ele>12</ele></trkpt>`,
			Components: []string{"waypoint_coverage", "waypoint_accuracy", "structure", "points"},
		},
		Parse:    published.Parse,
		Score:    domains.Noting(published.Score),
		Stats:    published.Stats,
		Form:     wellformed.All(wellformed.XML, times),
		Elements: elements,
		// Waypoints have a score of their own.
		Others:     published.Others,
		Evidence:   domains.OfKinds(counted, waypointKind, routePointKind),
		Without:    without,
		Vocabulary: vocabulary,
	})
}
