package hamradio

import (
	"math"
	"strconv"
	"strings"

	"agentd/domains/edit"
	"agentd/domains/internal/plain"
)

// vocabulary makes parts of contacts. No field gets a code: its length stands before it.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "log", Part: "contact", Parts: "contacts",
		Cut: edit.Inline(`(?i)<\w+:\d+(?::\w)?>(?s:.*?)<eor>`, `(?i)\A(?s:.*?)<eoh>`, ""),
		Attributes: []edit.Attribute{
			valueOf("mode", "modes", "mode"), valueOf("band", "bands", "band"), valueOf("call sign", "call signs", "call"),
			valueOf("date", "dates", "qso_date"), valueOf("time on", "times on", "time_on"), valueOf("frequency", "frequencies", "freq"),
			valueOf("operator", "operators", "operator"), valueOf("grid square", "grid squares", "gridsquare"), valueOf("received report", "received reports", "rst_rcvd"),
			valueOf("end date", "end dates", "qso_date_off"), valueOf("CQ zone", "CQ zones", "cqz"),
			valueOf("LoTW received", "LoTWs received", "lotw_qsl_rcvd"), valueOf("QSL received", "QSLs received", "qsl_rcvd"),
			edit.Computed("comment", "comments", fieldOf("COMMENT")),
			edit.Computed("confirmations", "lists of confirmations", confirmations),
			edit.ComputedNumber("distance", "distances", distance),
		},
	}
}

// valueOf is the value of a field.
func valueOf(name, plural, field string) edit.Attribute {
	return edit.Key(name, plural, `(?i)<`+field+`:\d+(?::\w)?>([^<\s]+)`)
}

// contactOf is the contact of a part.
func contactOf(part string) *record {
	if records := read(part).records; len(records) > 0 {
		return &records[0]
	}
	return &record{}
}

// fieldOf returns the value of a field of a part, as Strict reads it.
func fieldOf(name string) func(part string) string {
	return func(part string) string { return contactOf(part).value(name) }
}

// confirmations are the ways by which a confirmation was sent and received: C for a card, L for
// Logbook of the World, E for eQSL, each a hyphen where there is none. "CL-/---" is sent by two, received by none.
func confirmations(part string) string {
	r := contactOf(part)
	var b strings.Builder
	for _, direction := range []string{"SENT", "RCVD"} {
		for _, way := range []struct{ field, code string }{{"QSL_", "C"}, {"LOTW_QSL_", "L"}, {"EQSL_QSL_", "E"}} {
			if strings.EqualFold(r.value(way.field+direction), "Y") {
				b.WriteString(way.code)
			} else {
				b.WriteByte('-')
			}
		}
		if direction == "SENT" {
			b.WriteByte('/')
		}
	}
	return b.String()
}

// distance is that of the centres of MY_GRIDSQUARE and GRIDSQUARE on a sphere of 6371 km, in whole
// kilometres; empty without both.
func distance(part string) string {
	r := contactOf(part)
	lat1, lon1, ok1 := gridCentre(r.value("MY_GRIDSQUARE"))
	lat2, lon2, ok2 := gridCentre(r.value("GRIDSQUARE"))
	if !ok1 || !ok2 {
		return ""
	}
	return strconv.Itoa(int(math.Round(plain.Metres(lat1, lon1, lat2, lon2) / 1000)))
}

// gridCentre is the centre, in degrees, of a Maidenhead locator of four or six
// characters: fields of 20° × 10°, squares of 2° × 1°, subsquares of 5' × 2.5'.
func gridCentre(locator string) (lat, lon float64, ok bool) {
	locator = strings.ToUpper(locator)
	if len(locator) != 4 && len(locator) != 6 {
		return 0, 0, false
	}
	width, height := 20.0, 10.0
	lat, lon = -90, -180
	for at, steps := range []struct {
		first, last byte
		divide      float64
	}{{'A', 'R', 10}, {'0', '9', 24}, {'A', 'X', 1}} {
		if 2*at == len(locator) {
			break
		}
		x, y := locator[2*at], locator[2*at+1]
		if min(x, y) < steps.first || max(x, y) > steps.last {
			return 0, 0, false
		}
		lon += float64(float64(x-steps.first) * width)
		lat += float64(float64(y-steps.first) * height)
		if 2*at+2 < len(locator) {
			width, height = width/steps.divide, height/steps.divide
		}
	}
	return lat + height/2, lon + width/2, true
}
