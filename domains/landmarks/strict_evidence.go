package landmarks

import (
	"slices"

	"agentd/domains"
	"agentd/vfs"
)

// evidence counts the placemarks. Any geographic data can stand in GeoJSON, so there
// only those count that say what a visitor asks.
func evidence(files vfs.Files, elements []domains.Element) int {
	if slices.ContainsFunc(elements, func(e domains.Element) bool { return e.Kind == header && e.Key == headGeoJSON }) {
		return domains.Where(isForVisitors)(files, elements)
	}
	return domains.OfKinds(counted)(files, elements)
}

func isForVisitors(e *domains.Element) bool {
	return e.Kind == counted && slices.ContainsFunc(e.Fields, func(f domains.Field) bool {
		return f.Name == "ADDRESS" || f.Name == "OVERVIEW" || f.Name == "OPENING_HOURS"
	})
}
