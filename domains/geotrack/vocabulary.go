package geotrack

import "agentd/domains/edit"

// vocabulary makes parts of waypoints; of the points of the first segment where there are few.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "track file", Part: "waypoint", Parts: "waypoints", Cut: edit.XML("wpt"),
		Remark: "<!-- {} -->", RemarkAt: edit.Inside, Tree: edit.XMLTree(), Named: points,
		Attributes: append([]edit.Attribute{
			edit.Has("symbol", "symbols", edit.TextOf("sym")), edit.Has("type", "types", edit.TextOf("type")),
			edit.Has("name", "names", edit.TextOf("name")), edit.Has("description", "descriptions", edit.TextOf("desc")),
		}, measured("wpt")...),
		Finer: &edit.Format{
			Document: "track file", Part: "segment-1 point", Parts: "segment-1 points", Cut: edit.Outer("trkpt", "rtept"), Attributes: tracked(),
		},
	}
}

// points has the points of all tracks as parts, for what is written in them and not moved.
func points(parts string) (edit.Format, bool) {
	return edit.Format{
		Document: "track file", Part: "track point", Parts: "track points", Cut: edit.Inline(`<trkpt\b`, "", ""), Attributes: tracked(),
	}, parts == "track points"
}

func tracked() []edit.Attribute {
	return append(measured("trkpt|rtept"), edit.HasNumber("temperature", "temperatures", edit.TextOf("atemp")))
}

// measured are the attributes of any point.
func measured(element string) []edit.Attribute {
	return []edit.Attribute{
		edit.HasNumber("elevation", "elevations", edit.TextOf("ele")), edit.Has("time", "times", edit.TextOf("time")),
		edit.Computed("position", "positions", position), edit.HasNumber("latitude", "latitudes", edit.ValueOf(element, "lat")), edit.HasNumber("longitude", "longitudes", edit.ValueOf(element, "lon")),
	}
}
