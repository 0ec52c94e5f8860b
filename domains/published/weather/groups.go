package weather

import (
	"math"
	"strconv"
	"strings"

	"agentd/internal/lazyregexp"
)

// groupKind is a kind of group in an observation as the published reader knows it.
type groupKind struct {
	name    string
	first   string // the bytes a group may begin with
	least   int    // bytes in its first word
	pattern *lazyregexp.Regexp
	repeats bool
	// take keeps the parts of a group. It reports false for a value that cannot exist, which ends the reading.
	take func(o *observed, parts []string) bool
}

// Characters of groups.
const (
	Digits   = "0123456789"
	weathers = "+-VMPBDSTFRIGUHNF/"
)

func compiled(pattern string) *lazyregexp.Regexp { return lazyregexp.New("^" + pattern) }

var (
	windPattern       = compiled(`([0-9O]{3}|[0O]|///|MMM|VRB)(P?[0-9O]{2,3}|[/M]{2,3})(?:G(P?(?:[0-9]{1,3}|[/M]{1,3})))?(KTS?|LT|K|T|KMH|MPS)?(?: ([0-9]{3})V([0-9]{3}))? `)
	visibilityPattern = compiled(`(?:([MP]?[0-9]{4}|////)([NSEW][EW]?|NDV)?|([MP]?(?:[0-9]+|[0-9][0-9]?/[0-9][0-9]?|[0-9]+ [0-9]/[0-9]))(SM|KM|M|U)|CAVOK) `)
	weatherPattern    = compiled(`((?:-|\+|VC)*)((?:MI|PR|BC|DR|BL|SH|TS|FZ)+)?((?:DZ|RA|SN|SG|IC|PL|GR|GS|UP|/)*)(BR|FG|FU|VA|DU|SA|HZ|PY)?(PO|SQ|FC|SS|DS|NSW|/+)?([-+])? `)
	skyPattern        = compiled(`(VV|CLR|SKC|SCK|NSC|NCD|BKN|SCT|FEW|[O0]VC|///)([0-9O]{2,4}|///)?([A-Z][A-Z]+|///)? `)
	colourPattern     = compiled(`(?:BLACK)?(?:BLU|GRN|WHT|RED)\+?(?:/?(?:BLACK)?(?:BLU|GRN|WHT|RED)\+?)* ?`)
	trendTimePattern  = compiled(`(?:FM|TL|AT)[0-9]{4} `)
)

const (
	windFirst       = Digits + "O/MV"
	visibilityFirst = Digits + "MP/C"
	skyFirst        = "VCSNBFO0/"
	colourFirst     = "BGWR"
)

// kinds are the kinds of groups after the type, in the order in which they are
// tried. Those up to timeKind make a report's key.
var kinds = []groupKind{
	{name: "correction", first: "C", least: 3, pattern: compiled(`COR `)},
	{name: "station", first: "ABCDEFGHIJKLMNOPQRSTUVWXYZ", least: 4, pattern: compiled(`([A-Z][A-Z0-9]{3}) `), take: func(o *observed, parts []string) bool {
		o.station = parts[1]
		return true
	}},
	{name: "time", first: Digits, least: 6, pattern: compiled(`([0-9]{2})([0-9]{2})([0-9]{2})Z? `), take: takeTime},
	{name: "modifier", first: "ACFNTR", least: 3, pattern: compiled(`(?:AUTO|COR AUTO|FINO|NIL|TEST|CORR?|RTD|CC[A-G]) `)},
	{name: "wind", first: windFirst, least: 3, pattern: windPattern, take: takeWind},
	{name: "visibility", first: visibilityFirst, least: 1, pattern: visibilityPattern, take: takeVisibility, repeats: true},
	{name: "runway", first: "R", least: 5, pattern: compiled(`(?:RVRNO|R[0-9]{2}(?:RR?|LL?|C)?/[MP]?(?:[0-9]{4}|////)(?:V[MP]?[0-9]{4})?(?:FT)?[/NDU]*) `), repeats: true},
	{name: "weather", first: weathers, least: 1, pattern: weatherPattern, take: takeWeather, repeats: true},
	{name: "sky", first: skyFirst, least: 2, pattern: skyPattern, take: takeSky, repeats: true},
	{name: "wind", first: windFirst, least: 3, pattern: windPattern, take: takeWind},
	{name: "visibility", first: visibilityFirst, least: 1, pattern: visibilityPattern, take: takeVisibility, repeats: true},
	{name: "temperature", first: Digits + "M-/X", least: 2, pattern: compiled(`([M-]?[0-9]{1,2}|//|XX|MM)/([M-]?[0-9]{1,2}|//|XX|MM)? `), take: takeTemperature},
	{name: "pressure", first: Digits + "AQO/", least: 3, pattern: compiled(`(A|Q|QNH)?([0-9O]{3,4}|////)(INS)? `), take: takePressure, repeats: true},
	{name: "sea-level pressure", first: "S", least: 6, pattern: compiled(`SLP[0-9]{3} `)},
	{name: "recent weather", first: "R", least: 2, pattern: compiled(`RE(?:MI|PR|BC|DR|BL|SH|TS|FZ)?(?:DZ|RA|SN|SG|IC|PL|GR|GS|UP)*(?:BR|FG|FU|VA|DU|SA|HZ|PY)?(?:PO|SQ|FC|SS|DS)? `), repeats: true},
	{name: "wind shear", first: "WAR", least: 2, pattern: compiled(`(?:WS )?(?:ALL RWY|R(?:WY)?[0-9]{2}(?:RR?|L?|C)?) `), repeats: true},
	{name: "colour state", first: colourFirst, least: 3, pattern: colourPattern, repeats: true},
	{name: "runway state", first: Digits + "R", least: 6, pattern: compiled(`(?:R/SNOCLO|(?:[0-9]{2}|R[0-9]{2}(?:RR?|LL?|C)?/?)(?:SNOCLO|CLRD(?:[0-9]{2}|//)|[0-9/][0-9/](?:[0-9]{2}|//)(?:[0-9]{2}|//))) `), repeats: true},
	{name: "trend", first: "TBFN", least: 4, pattern: compiled(`(?:TEMPO|BECMG|FCST|NOSIG) `), repeats: true, take: func(o *observed, _ []string) bool {
		o.inTrend = true
		return true
	}},
	{name: "remarks", first: "RN", least: 3, pattern: compiled(`(?:RMKS?|NOSPECI|NOSIG) `)},
}

const timeKind = 2

// trendKinds are what a group after a trend word takes along.
var trendKinds = []groupKind{
	{first: "FTA", pattern: trendTimePattern},
	{first: windFirst, pattern: windPattern},
	{first: visibilityFirst, pattern: visibilityPattern},
	{first: weathers, pattern: weatherPattern},
	{first: skyFirst, pattern: skyPattern},
	{first: colourFirst, pattern: colourPattern},
}

// match returns the parts of a group at the beginning of a text.
func (k *groupKind) match(text string) []string {
	if len(text) <= k.least || strings.IndexByte(k.first, text[0]) < 0 || strings.IndexByte(text[:k.least], ' ') >= 0 {
		return nil
	}
	const longestGroup = 200
	return k.pattern.FindStringSubmatch(text[:min(len(text), longestGroup)])
}

// takeTime accepts the days 01 to 31; the published program takes those of the month in which it runs.
func takeTime(o *observed, parts []string) bool {
	if !isClock(Number(parts[1]), Number(parts[2]), Number(parts[3])) {
		return false
	}
	o.time = parts[1] + parts[2] + parts[3] + "Z"
	return true
}

func isClock(day, hour, minute int) bool {
	return 1 <= day && day <= 31 && hour < 24 && minute < 60
}

// Number is the number that digits write; 0 if there are none.
func Number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// withZeros takes the letter O for the figure.
func withZeros(text string) string { return strings.ReplaceAll(text, "O", "0") }

func takeWind(o *observed, parts []string) bool {
	if direction := withZeros(parts[1]); direction != "VRB" && direction != "///" && direction != "MMM" {
		degrees := Number(direction)
		if degrees > 360 {
			return false
		}
		o.windDir = strconv.Itoa(degrees)
	}
	unit := parts[4]
	if unit == "" && strings.HasPrefix(o.station, "K") {
		unit = "KT"
	}
	var ok bool
	if o.windSpeed, ok = knots(withZeros(parts[2]), unit, o.windSpeed); !ok {
		return false
	}
	if parts[3] != "" {
		if o.windGust, ok = knots(parts[3], unit, o.windGust); !ok {
			return false
		}
	}
	return Number(parts[5]) <= 360 && Number(parts[6]) <= 360
}

// knots is a speed in whole knots, or what it was before if it is missing.
func knots(text, unit, before string) (string, bool) {
	if strings.Trim(text, "M/") == "" {
		return before, true
	}
	speed, err := strconv.Atoi(strings.TrimPrefix(text, "P"))
	if err != nil {
		return before, false
	}
	const metresPerSecond = 0.514444 // in a knot
	switch unit {
	case "MPS", "":
		return strconv.Itoa(int(float64(speed) / metresPerSecond)), true
	case "KMH":
		return strconv.Itoa(int(float64(speed) / 3.6 / metresPerSecond)), true
	}
	return strconv.Itoa(speed), true
}

func takeVisibility(o *observed, parts []string) bool {
	distance, unit := "10000", "M"
	if dist := parts[1]; dist != "" && dist != "////" {
		distance = dist
	} else if parts[3] != "" {
		distance = parts[3]
		if parts[4] != "U" {
			unit = parts[4]
		}
	}
	text, ok := distanceText(distance, unit)
	if ok && o.visibility == "" {
		o.visibility = text
	}
	return ok
}

// unitNames are those of distances, in the texts that are compared.
var unitNames = map[string]string{"SM": " miles", "KM": " km", "M": " meters"}

// distanceText is the published spelling: 1 1/2 miles, less than 800 meters. It
// knows no fraction whose upper number has two digits.
func distanceText(text, unit string) (string, bool) {
	bound := ""
	switch {
	case text == "9999":
		text, bound = "10000", "greater than "
	case text[0] == 'M':
		text, bound = text[1:], "less than "
	case text[0] == 'P':
		text, bound = text[1:], "greater than "
	}
	upper, below, isFraction := strings.Cut(text, "/")
	if !isFraction {
		value, _ := strconv.ParseFloat(text, 64) // infinite if too large, as published
		return bound + rounded(value, unit), true
	}
	whole, above, mixed := strings.Cut(upper, " ")
	if !mixed {
		whole, above = "0", upper
	}
	if len(above) != 1 || Number(below) == 0 {
		return "", false
	}
	share := float64(Number(above)) / float64(Number(below))
	units, _ := strconv.ParseFloat(whole, 64)
	value := share + units
	if share == 0 {
		return bound + rounded(value, unit), true
	}
	if full := math.Trunc(value - share); full > 0 {
		bound += strconv.FormatFloat(full, 'f', 0, 64) + " "
	}
	return bound + above + "/" + strconv.Itoa(Number(below)) + unitNames[unit], true
}

func rounded(value float64, unit string) string {
	decimals := 0
	if unit == "KM" {
		decimals = 1
	}
	return strconv.FormatFloat(value, 'f', decimals, 64) + unitNames[unit]
}

func takeWeather(o *observed, parts []string) bool {
	sign := parts[1]
	if sign == "" {
		sign = parts[6]
	}
	o.weather = append(o.weather, sign+parts[2]+parts[3]+parts[4]+parts[5])
	return true
}

func takeSky(o *observed, parts []string) bool {
	layer := parts[1]
	switch layer {
	case "SKC", "SCK":
		layer = "CLR"
	case "0VC":
		layer = "OVC"
	}
	if height := parts[2]; height != "" && height != "///" {
		layer += strconv.Itoa(100 * Number(strings.ReplaceAll(height, "O", "0")))
	}
	if parts[3] != "///" {
		layer += parts[3]
	}
	o.sky = append(o.sky, layer)
	return true
}

func takeTemperature(o *observed, parts []string) bool {
	if celsius, ok := bodyTemperature(parts[1]); ok {
		o.temperature = celsius
	}
	if celsius, ok := bodyTemperature(parts[2]); ok {
		o.dewPoint = celsius
	}
	return true
}

// bodyTemperature is a temperature with one decimal; below zero may be -0.0.
func bodyTemperature(text string) (string, bool) {
	bare := strings.TrimLeft(text, "M-")
	degrees, err := strconv.ParseFloat(bare, 64)
	if err != nil {
		return "", false
	}
	if len(bare) < len(text) {
		degrees = -degrees
	}
	return strconv.FormatFloat(degrees, 'f', 1, 64), true
}

func takePressure(o *observed, parts []string) bool {
	if parts[2] == "////" {
		return true
	}
	value, unit := float64(Number(strings.ReplaceAll(parts[2], "O", "0"))), 33.86398 // hectopascals in an inch of mercury
	if parts[1] == "A" || parts[1] != "" && parts[3] != "" || parts[1] == "" && value > 2500 {
		unit = 100
	}
	value /= unit
	o.altimeter = strconv.FormatFloat(value, 'f', 2, 64)
	return true
}
