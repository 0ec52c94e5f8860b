package geodata

import (
	"slices"
	"strings"

	"agentd/domains"
)

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
