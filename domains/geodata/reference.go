package geodata

import (
	"slices"
	"strings"

	"agentd/domains"
	"agentd/vfs"
)

// evidence counts the features that say that they are one, or have a geometry.
// The published reader takes the objects of any JSON array for features.
func evidence(_ vfs.Files, elements []domains.Element) int {
	found := 0
	for i := range elements {
		if elements[i].Kind == counted && isFeature(elements[i].Fields) {
			found++
		}
	}
	return found
}

func isFeature(fields []domains.Field) bool {
	typed := !slices.ContainsFunc(fields, func(f domains.Field) bool { return f.Name == typeField })
	return typed || slices.ContainsFunc(fields, func(f domains.Field) bool { return strings.HasPrefix(f.Name, geometryField) })
}
