package geotrack

import (
	"fmt"
	"math"
	"strconv"

	"agentd/domains/edit"
	"agentd/internal/lazyregexp"
)

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

var coordinates = lazyregexp.New(`<\w+[^>]*\blat="([^"]+)"[^>]*\blon="([^"]+)"`)

// position is where a point is, in degrees and minutes with three decimals, as on a marine chart: "57°06.752'N
// 003°43.247'W". It is empty without coordinates.
func position(part string) string {
	m := coordinates.FindStringSubmatch(part)
	if m == nil {
		return ""
	}
	lat, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return ""
	}
	lon, err := strconv.ParseFloat(m[2], 64)
	if err != nil {
		return ""
	}
	return minutes(lat, 2, "NS") + " " + minutes(lon, 3, "EW")
}

// minutes writes an angle with so many digits of degrees and one of two letters for its sign.
func minutes(angle float64, digits int, sides string) string {
	side := sides[:1]
	if angle < 0 {
		angle, side = -angle, sides[1:]
	}
	thousandths := int(math.Round(angle * 60_000))
	return fmt.Sprintf("%0*d°%02d.%03d'%s", digits, thousandths/60_000, thousandths/1000%60, thousandths%1000, side)
}
