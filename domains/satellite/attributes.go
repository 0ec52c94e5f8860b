package satellite

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"agentd/domains"
	"agentd/domains/edit"
	"agentd/domains/internal/doc"
	published "agentd/domains/published/satellite"
)

// vocabulary ends a part with the second line of elements. Its name stands in it, and the comments directly above.
func vocabulary() edit.Format {
	const second = `^2 [ \w]{5}[ \t]+`
	return edit.Format{
		Document: "list of satellites", Part: "element set", Parts: "element sets",
		Cut:    edit.Headed(`^#`, edit.Enclosed(`^[^#\s]`, `^2 [ \w]{5} `)),
		Remark: "# computed: {}", RemarkAt: edit.Above,
		Attributes: []edit.Attribute{
			edit.Has("satellite name", "satellite names", `^(?:0 )?([^#\s12].*?|[12][^ \n].*?)[ \t]*$`),
			edit.HasNumber("inclination", "inclinations", second+`(\d+\.\d+)`),
			edit.HasNumber("ascending node", "ascending nodes", second+`\d+\.\d+[ \t]+(\d+\.\d+)`),
			edit.HasNumber("epoch", "epochs", `^1 [ \w]{5}\w.{10}(\d{5}\.\d+)`),
			edit.Key("launch year", "launch years", `^1 [ \w]{5}\w (\d\d)`),
			edit.Has("catalogue number", "catalogue numbers", `^[12] ([ \w]{5})`),
			edit.Computed("regime", "regimes", regime),
			edit.Computed("epoch date", "epoch dates", epochDate),
			edit.ComputedNumber("period", "periods", period),
			edit.Computed("heights", "pairs of heights", heights),
			edit.Has("comment", "comments", `^#[ \t]*(\S[^\n]*)`),
		},
	}
}

// fieldsOf are the fields of the element set in a part; false if there is none.
func fieldsOf(part string) (f published.Fields, ok bool) {
	var e entry
	for _, line := range doc.Lines(part) {
		switch kindOf(line.Text) {
		case firstLine:
			e.one = line
		case secondLine:
			e.two = line
		}
	}
	f, _ = e.read()
	return f, e != (entry{})
}

// regime is heo, leo, geo or meo: highly eccentric, low, about geosynchronous, or anything else.
func fieldsRegime(f *published.Fields) string {
	const highlyEccentric, low, geoFrom, geoTo = 0.25, 11.25, 0.9, 1.1
	revolutions := numberOf(f[published.Motion])
	switch {
	case eccentric(f) >= highlyEccentric:
		return "heo"
	case revolutions >= low:
		return "leo"
	case revolutions >= geoFrom && revolutions <= geoTo:
		return "geo"
	}
	return "meo"
}

// regimeOf is the category of an element.
func regimeOf(e domains.Element) string {
	f := published.Fields{published.Eccentricity: e.Value(published.Columns[published.Eccentricity].Name), published.Motion: e.Value(published.Columns[published.Motion].Name)}
	return fieldsRegime(&f)
}

// regime is the regime of an element set.
func regime(part string) string {
	f, ok := fieldsOf(part)
	if !ok {
		return ""
	}
	return fieldsRegime(&f)
}

// period is the time of a revolution, 1440/n, in minutes with two decimals; empty if the mean motion is not above zero.
func period(part string) string {
	f, ok := fieldsOf(part)
	n := numberOf(f[published.Motion])
	if !ok || !(n > 0) {
		return ""
	}
	return strconv.FormatFloat(1440/n, 'f', 2, 64)
}

// heights are those of perigee and apogee above the equator's radius of 6378.137 km, in whole kilometres as "413 x 421",
// by Kepler's third law; empty if mean motion or eccentricity cannot be read.
func heights(part string) string {
	const (
		gravity = 398_600.4418 // of the earth, km³/s²
		radius  = 6378.137     // at its equator, km
		seconds = 86_400       // in a day
	)
	f, ok := fieldsOf(part)
	n, e := numberOf(f[published.Motion]), eccentric(&f)
	if !ok || !(n > 0) || math.IsNaN(e) {
		return ""
	}
	angular := n * 2 * math.Pi / seconds
	axis := math.Cbrt(gravity / float64(angular*angular))
	return fmt.Sprintf("%.0f x %.0f", float64(axis*(1-e))-radius, float64(axis*(1+e))-radius)
}

// epochDate is the date of the epoch in UTC, as 2026-02-13; empty if it cannot be read. Years from 57 on are of the
// last century.
func epochDate(part string) string {
	f, ok := fieldsOf(part)
	y, err := strconv.Atoi(f[published.Year])
	d := numberOf(f[published.Day])
	if !ok || err != nil || y < 0 || !(d >= 1 && d < 367) {
		return ""
	}
	if y += 1900; y < 1957 {
		y += 100
	}
	return time.Date(y, 1, int(d), 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
}

// eccentric is the eccentricity, the decimal point of which is assumed.
func eccentric(f *published.Fields) float64 { return numberOf("0." + f[published.Eccentricity]) }

// numberOf reads a number, NaN if it is none.
func numberOf(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}
