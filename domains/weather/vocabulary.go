package weather

import (
	"strings"

	"agentd/domains/edit"
)

// vocabulary cuts before each observation and forecast.
func vocabulary() edit.Format {
	const report = `^[ \t]*(?:(?:METAR|SPECI|TAF)[ \t]+)?(?:(?:AMD|COR)[ \t]+)?`
	return edit.Format{
		Document: "bulletin", Part: "report", Parts: "reports",
		Cut: cut,
		Attributes: []edit.Attribute{
			edit.Has("station", "stations", report+`([A-Z]{4})[ \t]+\d{6}Z`),
			edit.Key("report type", "report types", `^[ \t]*(METAR|SPECI|TAF)\b`),
			edit.Has("time of issue", "times of issue", `\b(\d{6}Z)\b`),
			edit.Has("wind", "winds", `\b((?:\d{3}|VRB)\d{2,3}(?:G\d{2,3})?(?:KT|MPS))\b`),
			edit.Has("cloud layer", "cloud layers", `\b((?:FEW|SCT|BKN|OVC|VV)\d{3}(?:CB|TCU)?)\b`),
			edit.Has("temperature", "temperatures", `[ \t](M?\d\d)/(?:M?\d\d)?[ \t]`),
			edit.HasNumber("altimeter setting", "altimeter settings", `[ \t][AQ](\d{3,4}(?:\.\d+)?)\b`),
			edit.Computed("flight category", "flight categories", flightCategory),
			edit.Has("remark", "remarks", `\bRMK[ \t]+(\S[^\n]*)`),
		},
	}
}

var starting = edit.Starting(`^[ \t]*(?:METAR|SPECI|TAF)[ \t]+(?:(?:AMD|COR|AUTO)[ \t]+)?[A-Z]{4}\b|^[ \t]*[A-Z]{4}[ \t]+\d{6}Z\b`, "")

// cut cuts before each report. Titles, rulers, notes and blank lines below one belong to it.
func cut(text string) edit.Pieces {
	p := starting(text)
	for i := range p.Parts {
		below := &p.After
		if i < len(p.Between) {
			below = &p.Between[i]
		}
		if rest, ends := strings.CutSuffix(*below, "\n"); ends {
			p.Parts[i], *below = p.Parts[i]+rest, "\n"
		}
	}
	return p
}
