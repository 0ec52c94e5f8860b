package weather

import (
	"regexp"
	"strings"
	"sync"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

// forecast is a TAF of which only the heading was read. One whose heading has
// another form has nothing.
type forecast struct {
	station, issued, from, to string
	body                      []string        // the words after the heading
	periods                   func() []period // of the body, read when they are first needed
}

func (f *forecast) key() string { return strings.ToUpper("TAF_" + f.station + "_" + f.issued) }

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
	issueTime   = regexp.MustCompile(`^[0-9]{6}Z$`)
)

func readForecast(text string) forecast {
	heading := pytext.Fields(text[:min(len(text), longestForecast)])[1:]
	if len(heading) > 0 && heading[0] == "AMD" {
		heading = heading[1:]
	}
	const parts = 3
	if len(heading) <= parts || !stationWord.MatchString(heading[0]) || !issueTime.MatchString(heading[1]) || !isSpan(heading[2]) {
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
		change := changeKind(word)
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

// changeKind is FM, TEMPO, BECMG or PROB and two digits, empty for other words.
func changeKind(word string) string {
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

// isSpan reports whether a word gives two days and hours, as in 2818/0124.
func isSpan(word string) bool {
	const half = len("2818")
	return len(word) == 2*half+1 && plain.IsDigits(word[:half]) && word[half] == '/' && plain.IsDigits(word[half+1:])
}

var (
	periodWind       = regexp.MustCompile(`^(VRB|[0-9]{3})([0-9]{2,3})(?:G[0-9]{2,3})?KT`)
	periodVisibility = regexp.MustCompile(`^(?:P?[0-9]+|M?1/4|1/2|3/4)SM$`)
	periodSky        = regexp.MustCompile(`^(?:FEW|SCT|BKN|OVC|CLR|SKC|VV)(?:[0-9]{3})?(?:CB|TCU)?$`)
	periodWeather    = regexp.MustCompile(`^[-+]?(?:MI|PR|BC|DR|BL|SH|TS|FZ|VC)?(?:DZ|RA|SN|SG|IC|PL|GR|GS|UP|BR|FG|FU|VA|DU|SA|HZ|PY|PO|SQ|FC|SS|DS)+$`)
)

func startsWithSpan(word string) bool {
	return len(word) >= len("2818/0124") && isSpan(word[:len("2818/0124")])
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
