package weather

import (
	"fmt"
	"regexp"
	"strings"

	"agentd/domains/internal/plain"
)

// forms name words by their form: of those that fit, the first counts.
type forms []struct {
	name    string
	first   string // the bytes with which a word may begin
	pattern *regexp.Regexp
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

func whole(pattern string) *regexp.Regexp { return regexp.MustCompile("^(?:" + pattern + ")$") }

const weatherCodes = "(?:VC|MI|PR|BC|DR|BL|SH|TS|FZ|DZ|RA|SN|SG|IC|PL|GR|GS|UP|BR|FG|FU|VA|DU|SA|HZ|PY|PO|SQ|FC|SS|DS)+"

// groups are what a practitioner calls the groups of a report.
var groups = forms{
	{"modifier", "ACN", whole(`AUTO|COR|NIL|AMD|CNL|CC[[:ascii:]]`)},
	{"wind", digits + "V/", whole(`(?:[0-9]{3}|VRB|///)[0-9GP/]{2,}(?:KT|MPS|KMH)`)},
	{"variable wind", digits, whole(`[0-9]{3}V[0-9]{3}`)},
	{"visibility", digits + "CMPS/", whole(`CAVOK|[0-9]{4}[NSEW]{0,2}|////|[MP0-9/]*SM|[0-9]{1,2}KM|[0-9]+NDV`)},
	{"runway visual range", "R", whole(`RVRNO|R[0-9]{2}(?:/.|.+/).*`)},
	{"sky", "FSBOVCN/", whole(`(?:FEW|SCT|BKN|OVC|VV|CLR|SKC|NSC|NCD|///)(?:[0-9]{1,2}|(?:[0-9]{3}|///|TCU).*|CB)?`)},
	{"altimeter", "AQ", whole(`QNH[0-9]+(?:INS)?|[AQ](?:[0-9]{4}|////)`)},
	{"wind shear", "W", whole(`WS.*KT`)},
	{"weather", "+-VMPBDSTFRIGUHN", whole(`NSW|[+-]*` + weatherCodes)},
	{"recent weather", "R", whole(`RE` + weatherCodes)},
}

// isPlace reports whether a word has the form of a station's code.
func isPlace(word string) bool {
	if len(word) != len("KSEA") || word[0] < 'A' || word[0] > 'Z' {
		return false
	}
	for i := range len(word) {
		if c := word[i]; (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
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

var temperatureGroup = regexp.MustCompile(`^(M?[0-9]{1,2}|XX|MM)/(M?[0-9]{1,2}|//|XX|MM)?$`)

// cutTemperature divides a group of temperature and dew point.
func cutTemperature(word string) (temperature, dewPoint string, ok bool) {
	parts := temperatureGroup.FindStringSubmatch(word)
	if parts == nil {
		return "", "", false
	}
	return parts[1], parts[2], true
}
