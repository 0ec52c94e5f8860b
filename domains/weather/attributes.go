package weather

import (
	"fmt"
	"math"
	"strings"

	"agentd/domains/edit"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/weather"
	"agentd/internal/lazyregexp"
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

// flightCategory is that of the ceiling and visibility of an observation: LIFR, IFR, MVFR or VFR, from the worst; empty
// if it gives neither, or the part is none.
func flightCategory(part string) string {
	entries := readEntries(part)
	if len(entries) == 0 || entries[0].kind != observationEntry {
		return ""
	}
	return entries[0].flightCategory()
}

func (e *entry) flightCategory() string {
	ceiling, miles := math.Inf(1), math.Inf(1)
	given, seen := false, false
	body := e.body()
	for i, word := range body {
		switch groups.name(word) {
		case "sky":
			given = true
			if height, ok := ceilingOf(word); ok {
				ceiling = min(ceiling, height)
			}
		case "visibility":
			given = true
			if distance, ok := milesOf(body[:i], word); ok && !seen {
				miles, seen = distance, true
			}
		}
	}
	switch {
	case !given:
		return ""
	case ceiling < 500 || miles < 1:
		return "LIFR"
	case ceiling < 1000 || miles < 3:
		return "IFR"
	case ceiling <= 3000 || miles <= 5:
		return "MVFR"
	}
	return "VFR"
}

// body are an observation's words up to a trend or the remarks.
func (e *entry) body() []string {
	for i, word := range e.words {
		switch word {
		case "RMK", "TEMPO", "BECMG", "NOSIG":
			return e.words[:i]
		}
	}
	return e.words
}

// ceilingOf is the height in feet of a layer that is a ceiling.
func ceilingOf(word string) (feet float64, ok bool) {
	for _, cover := range []string{"BKN", "OVC", "VV"} {
		if height, is := strings.CutPrefix(word, cover); is && len(height) >= 3 && plain.IsDigits(height[:3]) {
			return float64(100 * published.Number(height[:3])), true
		}
	}
	return 0, false
}

const metresInMile = 1609.344

// milesOf is a visibility in statute miles; a whole number may stand before.
func milesOf(before []string, word string) (miles float64, ok bool) {
	if word == "CAVOK" {
		return math.Inf(1), true
	}
	text, statute := strings.CutSuffix(word, "SM")
	if !statute {
		if !plain.IsDigits(word[:4]) {
			return 0, false
		}
		return float64(published.Number(word[:4])) / metresInMile, true
	}
	text = strings.TrimLeft(text, "MP")
	above, below, fraction := strings.Cut(text, "/")
	miles = float64(published.Number(above))
	if fraction {
		if published.Number(below) == 0 {
			return 0, false
		}
		miles /= float64(published.Number(below))
		if n := len(before) - 1; n > 0 && isMixed(before[n], word) {
			miles += float64(published.Number(before[n]))
		}
	}
	return miles, true
}

// forms name words by their form: of those that fit, the first counts.
type forms []struct {
	name    string
	first   string // the bytes with which a word may begin
	pattern *lazyregexp.Regexp
}

// name is the name of a word, empty if it has no form that is known.
func (f forms) name(word string) string {
	for i := range f {
		if strings.IndexByte(f[i].first, word[0]) >= 0 && f[i].pattern.MatchString(word) {
			return f[i].name
		}
	}
	return ""
}

func whole(pattern string) *lazyregexp.Regexp { return lazyregexp.New("^(?:" + pattern + ")$") }

const weatherCodes = "(?:VC|MI|PR|BC|DR|BL|SH|TS|FZ|DZ|RA|SN|SG|IC|PL|GR|GS|UP|BR|FG|FU|VA|DU|SA|HZ|PY|PO|SQ|FC|SS|DS)+"

// groups are what a practitioner calls the groups of a report.
var groups = forms{
	{"modifier", "ACN", whole(`AUTO|COR|NIL|AMD|CNL|CC[[:ascii:]]`)},
	{"wind", published.Digits + "V/", whole(`(?:[0-9]{3}|VRB|///)[0-9GP/]{2,}(?:KT|MPS|KMH)`)},
	{"variable wind", published.Digits, whole(`[0-9]{3}V[0-9]{3}`)},
	{"visibility", published.Digits + "CMPS/", whole(`CAVOK|[0-9]{4}[NSEW]{0,2}|////|[MP0-9/]*SM|[0-9]{1,2}KM|[0-9]+NDV`)},
	{"runway visual range", "R", whole(`RVRNO|R[0-9]{2}(?:/.|.+/).*`)},
	{"sky", "FSBOVCN/", whole(`(?:FEW|SCT|BKN|OVC|VV|CLR|SKC|NSC|NCD|///)(?:[0-9]{1,2}|(?:[0-9]{3}|///|TCU).*|CB)?`)},
	{"altimeter", "AQ", whole(`QNH[0-9]+(?:INS)?|[AQ](?:[0-9]{4}|////)`)},
	{"wind shear", "W", whole(`WS.*KT`)},
	{"weather", "+-VMPBDSTFRIGUHN", whole(`NSW|[+-]*` + weatherCodes)},
	{"recent weather", "R", whole(`RE` + weatherCodes)},
}

// metresOf writes a visibility in whole kilometres as the metres that other reports have:
// "7KM" as "7000", ten and more as "9999".
func metresOf(word string) (metres string, ok bool) {
	bare, ok := strings.CutSuffix(word, "KM")
	if !ok || len(bare) > 2 || !plain.IsDigits(bare) {
		return "", false
	}
	if bare = strings.TrimLeft(bare, "0"); len(bare) > 1 {
		return "9999", true
	}
	return fmt.Sprintf("%04s", bare+"000"), true
}

// isMixed reports whether two words are a whole number of miles and a fraction.
func isMixed(whole, fraction string) bool {
	return len(whole) <= 2 && plain.IsDigits(whole) &&
		strings.Contains(fraction, "/") && strings.HasSuffix(strings.ToUpper(fraction), "SM")
}

var temperatureGroup = lazyregexp.New(`^(M?[0-9]{1,2}|XX|MM)/(M?[0-9]{1,2}|//|XX|MM)?$`)

// cutTemperature divides a group of temperature and dew point.
func cutTemperature(word string) (temperature, dewPoint string, ok bool) {
	parts := temperatureGroup.FindStringSubmatch(word)
	if parts == nil {
		return "", "", false
	}
	return parts[1], parts[2], true
}
