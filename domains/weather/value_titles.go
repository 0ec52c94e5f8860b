package weather

import (
	"slices"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

// The lines that the published program puts in the place of a section title.
var (
	ruler            = strings.Repeat("=", 60)
	observationTitle = []string{ruler, "METAR / SPECI OBSERVATIONS", ruler}
	forecastTitle    = []string{ruler, "TERMINAL AERODROME FORECASTS (TAF)", ruler}
)

// repairTitles spells out what looks like a section title, which can be a
// report: "METAR COR KPHL ...", if it is short.
func repairTitles(lines []string) []string {
	repaired := make([]string, 0, len(lines))
	for i := 0; i < len(lines); i++ {
		title := titleFor(lines[i])
		if title == nil {
			repaired = plain.Append(repaired, lines[i])
			continue
		}
		if n := len(repaired); n > 0 && isRuler(repaired[n-1]) {
			repaired = repaired[:n-1]
		}
		for _, line := range title {
			repaired = plain.Append(repaired, line)
		}
		if i+1 < len(lines) && isRuler(lines[i+1]) {
			i++
		}
	}
	return repaired
}

// rulers are the characters that underline and frame titles.
const rulers = "=-*~"

func isRuler(line string) bool {
	line = pytext.Strip(line)
	return line != "" && strings.Trim(line, rulers) == ""
}

// titleFor is the section title that a line stands for, nil if for none.
func titleFor(line string) []string {
	written := pytext.Strip(strings.Trim(pytext.Strip(line), rulers))
	const short = 60
	if !strings.Contains(line, "====") && !strings.Contains(line, "----") && utf8.RuneCountInString(written) >= short {
		return nil
	}
	label := strings.ToUpper(written)
	observes := containsAny(label, "METAR", "SPECI", "OBSERVATION")
	switch {
	case observes && !strings.Contains(label, "TAF") && !isObservationLabel(label):
		return observationTitle
	case !observes && containsAny(label, "TAF", "FORECAST") && !isForecastLabel(label):
		return forecastTitle
	}
	return nil
}

func containsAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

func isObservationLabel(label string) bool {
	words := pytext.Fields(label)
	return len(words) > 1 && (words[0] == "METAR" || words[0] == "SPECI") && isStation(words[1])
}

func isForecastLabel(label string) bool {
	words := pytext.Fields(label)
	if len(words) > 2 && words[1] == "AMD" {
		words = words[1:]
	} else if len(words) > 1 && words[0] != "TAF" {
		return false
	}
	return len(words) > 1 && isStation(words[1])
}

// isStation reports whether a word is four letters.
func isStation(word string) bool {
	return len(word) == 4 && strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
