package landmarks

import (
	"slices"

	"agentd/domains"
	"agentd/vfs"
)

// evidence counts the placemarks. Any geographic data can stand in GeoJSON, so there
// only those count that say what a visitor asks.
func evidence(files vfs.Files, elements []domains.Element) int {
	if !slices.ContainsFunc(elements, func(e domains.Element) bool { return e.Kind == header && e.Key == headGeoJSON }) {
		return domains.OfKinds(counted)(files, elements)
	}
	found := 0
	for i := range elements {
		if elements[i].Kind == counted && slices.ContainsFunc(elements[i].Fields, isForVisitors) {
			found++
		}
	}
	return found
}

func isForVisitors(f domains.Field) bool {
	return f.Name == "ADDRESS" || f.Name == "OVERVIEW" || f.Name == "OPENING_HOURS"
}
