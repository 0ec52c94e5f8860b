package weather

import (
	"strconv"
	"strings"
	"sync"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/internal/lazyregexp"
)

// observation is a METAR or SPECI of which only the key was read.
type observation struct {
	kind, station, time string
	line                string
	read                func() observed // the rest, when it is first needed
}

// observed is what the published reading compares of an observation.
type observed struct {
	station, time                string
	windDir, windSpeed, windGust string // whole knots
	visibility                   string
	weather, sky                 []string
	temperature, dewPoint        string
	altimeter                    string // inches
	remarks                      string

	inTrend bool // after a trend word
}

func readObservation(line string) observation {
	kind, rest, _ := strings.Cut(line, " ")
	o := observation{kind: kind, line: line, read: sync.OnceValue(func() observed { return readObserved(line) })}
	if station, at, ok := usualHeading(rest); ok {
		o.station, o.time = station, at
		return o
	}
	var all observed
	all.readGroups(code(rest), timeKind)
	o.station, o.time = all.station, all.time
	return o
}

// usualHeading reads a station and a time that stand where they belong.
func usualHeading(text string) (station, at string, ok bool) {
	const place, heading = len("KSEA"), len("KSEA 311200Z ")
	if len(text) < heading || !IsPlace(text[:place]) || text[place] != ' ' || text[heading-2:heading] != "Z " {
		return "", "", false
	}
	at = text[place+1 : heading-1]
	return text[:place], at, plain.IsDigits(at[:6]) && isClock(Number(at[:2]), Number(at[2:4]), Number(at[4:6]))
}

func readObserved(line string) observed {
	var all observed
	_, rest, _ := strings.Cut(line, " ")
	after, remarks := all.readGroups(code(rest), len(kinds))
	if remarks {
		all.readRemarks(pytext.Fields(after))
	}
	if all.windDir == "" && strings.Contains(line, "VRB") {
		all.windDir = "VRB"
	}
	if strings.Contains(line, "00000KT") {
		all.windDir, all.windSpeed = "0", "0"
	}
	all.remarks = remarksOf(line)
	return all
}

// longestReport is how much of a report is read, in bytes: no real one has more than a few hundred.
const longestReport = 1 << 14

// code is a report's words, each followed by one blank.
func code(text string) string {
	text = text[:min(len(text), longestReport)]
	text = strings.TrimRight(pytext.Strip(strings.TrimSuffix(pytext.Strip(text), "$")), "=")
	return Joined(pytext.Fields(text)) + " "
}

// readGroups reads groups up to one of kind last or a later one, or to the remarks. Where no kind fits, a word is
// skipped and the first kind is tried again that has failed since a group was found.
func (o *observed) readGroups(text string, last int) (rest string, remarks bool) {
	const none = -1
	failed := none
	for k := 0; k < len(kinds) && text != ""; {
		kind := &kinds[k]
		parts := kind.match(text)
		for parts != nil {
			failed = none
			text = text[len(parts[0]):]
			if kind.take != nil && !kind.take(o, parts) || k >= last {
				return "", false
			}
			if o.inTrend {
				text = skipTrend(text)
			}
			if !kind.repeats {
				break
			}
			parts = kind.match(text)
		}
		if parts == nil && failed == none {
			failed = k
		}
		if k++; k == len(kinds) {
			if parts != nil {
				return text, true
			}
			_, text, _ = strings.Cut(text, " ")
			k, failed = failed, none
		}
	}
	return "", false
}

// skipTrend leaves out the groups that belong to a trend.
func skipTrend(text string) string {
	for i := range trendKinds {
		for parts := trendKinds[i].match(text); parts != nil; parts = trendKinds[i].match(text) {
			text = text[len(parts[0]):]
		}
	}
	return text
}

var (
	exactTemperature = lazyregexp.New(`^T([01])([0-9]{3})(?:([01])([0-9]{3}))?$`)
	peakWind         = lazyregexp.New(`^([0-9]{3})(P?)[0-9]{2,3}/([0-9]{2})?([0-9]{2})$`)
	windShift        = lazyregexp.New(`^([0-9]{2})?([0-9]{2})$`)
)

// readRemarks takes the exact temperatures. An impossible time of a peak wind or a wind shift ends the reading.
func (o *observed) readRemarks(words []string) {
	for i, word := range words {
		switch {
		case len(word) == 2 && word[0] == 'P' && i+2 < len(words) && words[i+1] == "WND":
			if parts := peakWind.FindStringSubmatch(words[i+2]); parts != nil {
				if o.time == "" || parts[2] != "" || Number(parts[1]) > 360 || !isTime(parts[3], parts[4]) {
					return
				}
			}
		case word == "WSHFT" && i+1 < len(words):
			if parts := windShift.FindStringSubmatch(words[i+1]); parts != nil && (o.time == "" || !isTime(parts[1], parts[2])) {
				return
			}
		case word[0] == 'T':
			if parts := exactTemperature.FindStringSubmatch(word); parts != nil {
				o.temperature = tenths(parts[1], parts[2])
				if parts[3] != "" {
					o.dewPoint = tenths(parts[3], parts[4])
				}
			}
		}
	}
}

func isTime(hour, minute string) bool { return Number(hour) < 24 && Number(minute) < 60 }

// tenths is a temperature of a T group.
func tenths(sign, text string) string {
	degrees := float64(Number(text)) / 10
	if sign == "1" {
		degrees = -degrees
	}
	return strconv.FormatFloat(degrees, 'f', 1, 64)
}

var remarksWord = lazyregexp.New(`\bRMK\b`)

func remarksOf(line string) string {
	at := remarksWord.FindStringIndex(line)
	if at == nil {
		return ""
	}
	return strings.TrimRight(line[at[1]:], " \t$")
}

// forecast is a TAF of which only the heading was read. One whose heading has another form has nothing.
type forecast struct {
	station, issued, from, to string
	body                      []string        // the words after the heading
	periods                   func() []period // of the body, read when they are first needed
}

// period is a change group of a forecast, or what holds at its beginning.
type period struct {
	kind, from         string
	windDir, windSpeed string
	visibility         string
	sky, weather       []string
}

// longestForecast is how much of a forecast is read, in bytes.
const longestForecast = 1 << 16

var (
	stationWord = pytext.Pattern(`^\w{4}$`)
	issueTime   = lazyregexp.New(`^[0-9]{6}Z$`)
)

func readForecast(text string) forecast {
	heading := pytext.Fields(text[:min(len(text), longestForecast)])[1:]
	if len(heading) > 0 && heading[0] == "AMD" {
		heading = heading[1:]
	}
	const parts = 3
	if len(heading) <= parts || !stationWord.MatchString(heading[0]) || !issueTime.MatchString(heading[1]) || !IsSpan(heading[2]) {
		return forecast{periods: func() []period { return nil }}
	}
	from, to, _ := strings.Cut(heading[2], "/")
	body := heading[parts:]
	return forecast{
		station: heading[0], issued: heading[1], from: from, to: to, body: body,
		periods: sync.OnceValue(func() []period { return periodsOf(body) }),
	}
}

// periodsOf divides a body before each word that announces a change.
func periodsOf(body []string) []period {
	var all []period
	kind, start := "INITIAL", 0
	for i, word := range body {
		change := ChangeKind(word)
		if change == "" || strings.HasPrefix(word, "PROB") && i == len(body)-1 {
			continue
		}
		if i > start {
			all = append(all, readPeriod(kind, body[start:i]))
		}
		kind, start = change, i
	}
	if start < len(body) {
		all = append(all, readPeriod(kind, body[start:]))
	}
	return all
}

// ChangeKind is FM, TEMPO, BECMG or PROB and two digits, empty for other words.
func ChangeKind(word string) string {
	const stamp, chance = len("FM282100"), len("PROB30")
	switch {
	case len(word) >= stamp && word[:2] == "FM" && plain.IsDigits(word[2:stamp]):
		return "FM"
	case strings.HasPrefix(word, "TEMPO"), strings.HasPrefix(word, "BECMG"):
		return word[:len("TEMPO")]
	case len(word) == chance && word[:4] == "PROB" && plain.IsDigits(word[4:]):
		return word
	}
	return ""
}

// IsSpan reports whether a word gives two days and hours, as in 2818/0124.
func IsSpan(word string) bool {
	const half = len("2818")
	return len(word) == 2*half+1 && plain.IsDigits(word[:half]) && word[half] == '/' && plain.IsDigits(word[half+1:])
}

var (
	periodWind       = lazyregexp.New(`^(VRB|[0-9]{3})([0-9]{2,3})(?:G[0-9]{2,3})?KT`)
	periodVisibility = lazyregexp.New(`^(?:P?[0-9]+|M?1/4|1/2|3/4)SM$`)
	periodSky        = lazyregexp.New(`^(?:FEW|SCT|BKN|OVC|CLR|SKC|VV)(?:[0-9]{3})?(?:CB|TCU)?$`)
	periodWeather    = lazyregexp.New(`^[-+]?(?:MI|PR|BC|DR|BL|SH|TS|FZ|VC)?(?:DZ|RA|SN|SG|IC|PL|GR|GS|UP|BR|FG|FU|VA|DU|SA|HZ|PY|PO|SQ|FC|SS|DS)+$`)
)

func startsWithSpan(word string) bool {
	return len(word) >= len("2818/0124") && IsSpan(word[:len("2818/0124")])
}

func readPeriod(kind string, words []string) period {
	p := period{kind: kind}
	switch {
	case kind == "FM":
		p.from = words[0][len("FM"):]
	case kind != "INITIAL" && len(words) > 1 && startsWithSpan(words[1]):
		p.from = words[1]
	}
	for _, word := range words {
		if strings.Contains(word, "KT") {
			if wind := periodWind.FindStringSubmatch(word); wind != nil {
				p.windDir, p.windSpeed = wind[1], wind[2]
				continue
			}
		}
		switch {
		case strings.HasSuffix(word, "SM") && periodVisibility.MatchString(word):
			p.visibility = word
		case strings.IndexByte("FSBOCV", word[0]) >= 0 && periodSky.MatchString(word):
			p.sky = append(p.sky, word)
		case strings.IndexByte(weathers, word[0]) >= 0 && periodWeather.MatchString(word):
			p.weather = append(p.weather, word)
		}
	}
	return p
}
