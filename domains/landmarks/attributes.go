package landmarks

import (
	"strconv"
	"strings"

	"agentd/domains/edit"
	"agentd/internal/lazyregexp"
)

// vocabulary makes parts of the placemarks of one folder, or of features.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "map", Part: "folder", Parts: "folders", Cut: edit.XML("Folder"),
		Tree: edit.XMLTree(), Named: placemarks,
		Attributes: append([]edit.Attribute{edit.Key("folder name", "folder names", `\A<[^>]*>\s*`+edit.TextOf("name"))}, described()...),
		Finer: &edit.Format{
			Document: "map", Part: "folder-1 placemark", Parts: "folder-1 placemarks", Cut: edit.Outer("Placemark"),
			Attributes: append([]edit.Attribute{edit.Has("name", "names", edit.TextOf("name"))}, described()...),
			Finer:      featureList(),
		},
	}
}

// placemarks has the placemarks of all folders as parts, for what is written in them and not moved.
func placemarks(parts string) (edit.Format, bool) {
	return edit.Format{
		Document: "map", Part: "placemark", Parts: "placemarks", Cut: edit.Inline(`<(?:\w+:)?Placemark\b`, "", ""),
		Attributes: append([]edit.Attribute{edit.Has("name", "names", edit.TextOf("name"))}, described()...),
	}, parts == "placemarks"
}

// described are the attributes of places.
func described() []edit.Attribute {
	return []edit.Attribute{
		edit.Has("style", "styles", edit.TextOf("styleUrl")), data("address", "addresses", "ADDRESS"),
		data("opening hours", "opening hours", "OPENING_HOURS"), data("overview", "overviews", "OVERVIEW"),
		edit.ComputedNumber("number of words", "numbers of words", words),
		edit.HasNumber("longitude", "longitudes", `<(?:\w+:)?coordinates>\s*(-?\d+\.\d+)`),
		edit.HasNumber("latitude", "latitudes", `<(?:\w+:)?coordinates>\s*[^,<]+,\s*(-?\d+\.\d+)`),
	}
}

// data is the value of a field of extended data.
func data(name, plural, field string) edit.Attribute {
	return edit.Has(name, plural, `(?i)\bname\s*=\s*["']`+field+`["'][^<>]*>\s*(?:<(?:\w+:)?value>\s*)?([^<>]*[^<>\s])`)
}

// featureList is the format of maps in GeoJSON.
func featureList() *edit.Format {
	f := edit.List("map", "feature", "features", edit.JSON("features"))
	return &f
}

var overview = lazyregexp.New(`(?i)\bname\s*=\s*["']OVERVIEW["'][^<>]*>\s*(?:<(?:\w+:)?value>\s*)?([^<>]*)`)

// words is how many words the overviews of a part have, divided by white space; empty without an overview.
func words(part string) string {
	n := 0
	for _, m := range overview.FindAllStringSubmatch(part, -1) {
		n += len(strings.Fields(m[1]))
	}
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
