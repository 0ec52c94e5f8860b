package landmarks

import (
	"slices"
	"strings"

	"agentd/domains"
	"agentd/vfs"
)

// forgive leaves out what GeoJSON has no place for where one side is GeoJSON
// and the other is not: titles, schema, styles, folders and comments, and the
// words before the numbers in ids.
func forgive(reference, candidate []domains.Element) (ref, got []domains.Element) {
	if isGeoJSON(reference) == isGeoJSON(candidate) {
		return reference, candidate
	}
	numbered := hasNumbers(reference) || hasNumbers(candidate)
	return inGeoJSON(reference, numbered), inGeoJSON(candidate, numbered)
}

// hasNumbers reports whether all ids are bare numbers, which those of KML, where
// they are names, cannot be.
func hasNumbers(elements []domains.Element) bool {
	has := false
	for i := range elements {
		if id := elements[i].Value("id"); elements[i].Kind == counted && id != "" {
			if strings.Trim(id, "0123456789") != "" {
				return false
			}
			has = true
		}
	}
	return has
}

func isGeoJSON(elements []domains.Element) bool {
	has := func(key string) bool {
		return slices.ContainsFunc(elements, func(e domains.Element) bool { return e.Kind == header && e.Key == key })
	}
	return has(headGeoJSON) && !has(headKML)
}

// inGeoJSON returns what GeoJSON can hold of a document. If ids are numbered, only
// the numbers in them are left.
func inGeoJSON(elements []domains.Element, numbered bool) []domains.Element {
	var kept []domains.Element
	for _, e := range elements {
		switch e.Kind {
		case counted:
			e.Fields = slices.DeleteFunc(slices.Clone(e.Fields), func(f domains.Field) bool {
				return f.Name == "folder" || f.Name == "schemaUrl" || f.Name == "styleUrl"
			})
			for i := range e.Fields {
				if number, has := firstNumber(e.Fields[i].Value); e.Fields[i].Name == "id" && numbered && has {
					e.Fields[i].Value = number
				}
			}
			kept = append(kept, e)
		case "line", "fault":
			kept = append(kept, e)
		}
	}
	return kept
}

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
