package weather

import (
	"math"
	"strings"

	"agentd/domains/internal/plain"
)

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
			return float64(100 * number(height[:3])), true
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
		return float64(number(word[:4])) / metresInMile, true
	}
	text = strings.TrimLeft(text, "MP")
	above, below, fraction := strings.Cut(text, "/")
	miles = float64(number(above))
	if fraction {
		if number(below) == 0 {
			return 0, false
		}
		miles /= float64(number(below))
		if n := len(before) - 1; n > 0 && isMixed(before[n], word) {
			miles += float64(number(before[n]))
		}
	}
	return miles, true
}
