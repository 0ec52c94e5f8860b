package weather

import (
	"fmt"
	"strings"
)

// groupName is what a practitioner calls a group of a report, by its form; empty
// if it has none that is known.
func groupName(word string) string {
	switch {
	case word == "AUTO" || word == "COR" || word == "NIL" || word == "AMD" || word == "CNL" || len(word) == 3 && word[:2] == "CC":
		return "modifier"
	case isWind(word):
		return "wind"
	case len(word) == 7 && word[3] == 'V' && isDigits(word[:3]) && isDigits(word[4:]):
		return "variable wind"
	case isVisibility(word):
		return "visibility"
	case isRunwayRange(word):
		return "runway visual range"
	case isCloud(word):
		return "sky"
	case isAltimeter(word):
		return "altimeter"
	case strings.HasPrefix(word, "WS") && strings.HasSuffix(word, "KT"):
		return "wind shear"
	case word == "NSW" || isWeather(strings.TrimLeft(word, "+-")):
		return "weather"
	case strings.HasPrefix(word, "RE") && isWeather(word[2:]):
		return "recent weather"
	}
	return ""
}

func isDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
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

// windUnit is the unit of a wind group, and the group without it.
func windUnit(word string) (bare, unit string) {
	for _, unit := range []string{"KT", "MPS", "KMH"} {
		if bare, ok := strings.CutSuffix(word, unit); ok {
			return bare, unit
		}
	}
	return word, ""
}

// isWind reports whether a word is a direction and a speed with a unit.
func isWind(word string) bool {
	bare, unit := windUnit(word)
	const shortest = len("24005")
	return unit != "" && len(bare) >= shortest && (isDigits(bare[:3]) || bare[:3] == "VRB" || bare[:3] == "///") &&
		strings.Trim(bare[3:], "0123456789GP/") == ""
}

func isVisibility(word string) bool {
	if word == "CAVOK" || len(word) == 4 && (isDigits(word) || word == "////") {
		return true
	}
	if bare, ok := strings.CutSuffix(word, "SM"); ok {
		return strings.Trim(bare, "MP0123456789/") == ""
	}
	if _, ok := metresOf(word); ok {
		return true
	}
	if strings.HasSuffix(word, "NDV") {
		return isDigits(word[:len(word)-3])
	}
	const metres = 4
	return len(word) > metres && len(word) <= metres+2 && isDigits(word[:metres]) && strings.Trim(word[metres:], "NSEW") == ""
}

// metresOf writes a visibility in whole kilometres as the metres that other reports have:
// "7KM" as "7000", ten and more as "9999".
func metresOf(word string) (metres string, ok bool) {
	bare, ok := strings.CutSuffix(word, "KM")
	if !ok || len(bare) > 2 || !isDigits(bare) {
		return "", false
	}
	if bare = strings.TrimLeft(bare, "0"); len(bare) > 1 {
		return "9999", true
	}
	return fmt.Sprintf("%04s", bare+"000"), true
}

// isMixed reports whether two words are a whole number of miles and a fraction.
func isMixed(whole, fraction string) bool {
	return len(whole) <= 2 && isDigits(whole) && strings.Contains(fraction, "/") && strings.HasSuffix(strings.ToUpper(fraction), "SM")
}

func isRunwayRange(word string) bool {
	return word == "RVRNO" || len(word) > 4 && word[0] == 'R' && isDigits(word[1:3]) && strings.Contains(word, "/")
}

var covers = []string{"FEW", "SCT", "BKN", "OVC", "VV", "CLR", "SKC", "NSC", "NCD", "///"}

func isCloud(word string) bool {
	for _, cover := range covers {
		if height, ok := strings.CutPrefix(word, cover); ok {
			if len(height) > 3 {
				height = height[:3]
			}
			return height == "" || isDigits(height) || height == "///" || height == "CB" || height == "TCU"
		}
	}
	return false
}

// cutTemperature divides a group of temperature and dew point.
func cutTemperature(word string) (temperature, dewPoint string, ok bool) {
	temperature, dewPoint, ok = strings.Cut(word, "/")
	return temperature, dewPoint, ok && isDegrees(temperature) && (dewPoint == "" || isDegrees(dewPoint))
}

func isDegrees(text string) bool {
	if text == "//" || text == "XX" || text == "MM" {
		return true
	}
	text = strings.TrimPrefix(text, "M")
	return len(text) <= 2 && isDigits(text)
}

func isAltimeter(word string) bool {
	if rest, ok := strings.CutPrefix(word, "QNH"); ok {
		return isDigits(strings.TrimSuffix(rest, "INS"))
	}
	return len(word) == 5 && (word[0] == 'A' || word[0] == 'Q') && (isDigits(word[1:]) || word[1:] == "////")
}

const weatherCodes = "VC MI PR BC DR BL SH TS FZ DZ RA SN SG IC PL GR GS UP BR FG FU VA DU SA HZ PY PO SQ FC SS DS "

func isWeather(word string) bool {
	if word == "" || len(word)%2 != 0 {
		return false
	}
	for at := 0; at < len(word); at += 2 {
		if k := strings.Index(weatherCodes, word[at:at+2]); k%3 != 0 {
			return false
		}
	}
	return true
}
