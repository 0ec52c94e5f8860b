package aviation

import (
	"strconv"
	"strings"
	"time"

	"agentd/domains/edit"
	"agentd/internal/lazyregexp"
)

// vocabulary cuts a bulletin before the number of each notice.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "bulletin", Part: "NOTAM", Parts: "NOTAMs",
		Cut: edit.Starting(`^\s*[A-Z]\d+/\d+(?:\s+NOTAM[NRC]\b.*|\s*)$`, ""),
		Attributes: []edit.Attribute{
			edit.Has("location", "locations", `\bA\)\s*([A-Z]{4})\b`),
			edit.Key("series letter", "series letters", `\A\s*([A-Z])\d`),
			edit.Key("NOTAM number", "NOTAM numbers", `\A\s*([A-Z]\d+/\d+)`),
			edit.Key("type", "types", `\A\s*\S+\s+(NOTAM[NRC])\b`),
			edit.Has("Q code", "Q codes", `\bQ\)\s*[A-Z]{4}\s*/\s*(Q[A-Z]{4})\b`),
			edit.Has("start of validity", "starts of validity", `\bB\)\s*(\d{10})`),
			edit.Has("end of validity", "ends of validity", `\bC\)\s*(\d{10}|PERM)`),
			edit.Has("notice text", "notice texts", `^\s*E\)\s*((?s:\S.*?))\s*(?:\n\s*[FG]\)|\n\s*CREATED|\n\s*SOURCE|\n\s*\n|\z)`),
			edit.HasNumber("limit", "limits", `\b[FG]\)\s*(\d+(?:\.\d+)?(?:FT|M))\b`),
			edit.HasNumber("radius", "radii", `\bQ\).*\d{4}[NS]\d{5}[EW](\d{3})\b`),
			edit.Has("position", "positions", `\b(\d{6}(?:\.\d+)?[NS] ?\d{7}(?:\.\d+)?[EW])\b`),
			edit.ComputedNumber("length in hours", "lengths in hours", hours),
			edit.Has("source", "sources", `^\s*SOURCE:[ \t]*(\S+)`),
		},
	}
}

var validity = lazyregexp.New(`\b([BC])\)\s*(\d{10})`)

// hours is how long a NOTAM is in force from item B to item C, in hours with one decimal; empty
// without an end, or if an item is no time.
func hours(part string) string {
	var times [2]time.Time
	for _, m := range validity.FindAllStringSubmatch(part, -1) {
		at, err := time.Parse("0601021504", m[2])
		if err != nil {
			return ""
		}
		times[strings.Index("BC", m[1])] = at
	}
	if times[0].IsZero() || times[1].IsZero() {
		return ""
	}
	return strconv.FormatFloat(times[1].Sub(times[0]).Hours(), 'f', 1, 64)
}
