package geodata

import "agentd/domains/edit"

// vocabulary makes parts of the features, whose properties are attributes. Longitudes, latitudes and
// altitudes are those of positions, without bounding boxes.
func vocabulary() edit.Format {
	const number = `-?\d+(?:\.\d+)?`
	ordinate := func(name, plural, from, to string) edit.Attribute {
		return edit.HasNumber(name, plural, `(?:"coordinates"\s*:|[\[,])\s*\[\s*`+from+`(`+number+`)`+to+`\s*\]`)
	}
	return edit.List("collection", "feature", "features", edit.JSON("features"),
		edit.Key("geometry type", "geometry types", `"geometry"\s*:\s*\{\s*"type"\s*:\s*"(\w+)"`),
		ordinate("longitude", "longitudes", "", `\s*,\s*`+number+`(?:\s*,\s*`+number+`)?`),
		ordinate("latitude", "latitudes", number+`\s*,\s*`, `(?:\s*,\s*`+number+`)?`),
		ordinate("altitude", "altitudes", number+`\s*,\s*`+number+`\s*,\s*`, ""),
		edit.Has("urgent", "flags of urgency", `"urgent"\s*:\s*(true|false)`),
		edit.Computed("extent", "extents", extent),
		edit.ComputedNumber("vertices", "numbers of vertices", vertices),
		edit.Computed("well-known text", "well-known texts", wellKnown),
	)
}
