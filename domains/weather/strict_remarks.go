package weather

import (
	"strings"

	"agentd/domains"
)

// remarkFields divides remarks into the coded groups, each by its name, and what
// is said in words, as one.
func remarkFields(words []string) []domains.Field {
	fields := make([]domains.Field, 0, 8)
	var said []string
	for i := 0; i < len(words); {
		name, n := codedRemark(words[i:])
		if name == "" {
			said = append(said, words[i])
		} else {
			fields = append(fields, domains.Field{Name: name, Value: joined(words[i : i+n])})
		}
		i += n
	}
	if len(said) > 0 {
		fields = append(fields, domains.Field{Name: "remarks", Value: joined(said)})
	}
	return fields
}

// codedRemark names the remark that words begin with and tells how many words it
// has; of words of no known form it takes one and has no name.
func codedRemark(words []string) (name string, n int) {
	word := words[0]
	switch {
	case word == "$":
		return "maintenance flag", 1
	case word == "AO1" || word == "AO2":
		return "station type", 1
	case len(words) > 2 && word == "PK" && words[1] == "WND":
		return "peak wind", 3
	case len(words) > 1 && word == "WSHFT":
		if len(words) > 2 && words[2] == "FROPA" {
			return "wind shift", 3
		}
		return "wind shift", 2
	case strings.HasPrefix(word, "SLP"):
		return "sea-level pressure", 1
	case len(word) > 1 && isDigits(word[1:]):
		return numberedRemark(word), 1
	case strings.HasPrefix(word, "4/"):
		return "snow depth", 1
	case strings.HasPrefix(word, "8/"):
		return "cloud types", 1
	}
	return "", 1
}

// numberedRemark names a group of a letter or figure and more figures.
func numberedRemark(word string) string {
	switch figures := len(word) - 1; {
	case word[0] == 'T' && (figures == 4 || figures == 8):
		return "exact temperature"
	case word[0] == 'P' && figures == 4:
		return "hourly precipitation"
	case word[0] == '4' && figures == 8:
		return "24-hour extremes"
	case word[0] == '1' && figures == 4:
		return "6-hour maximum"
	case word[0] == '2' && figures == 4:
		return "6-hour minimum"
	case word[0] == '5' && figures == 4:
		return "pressure tendency"
	case word[0] == '6' && figures == 4:
		return "precipitation"
	case word[0] == '7' && figures == 4:
		return "24-hour precipitation"
	case word[0] == 'I' && figures == 4:
		return "ice accretion"
	}
	return ""
}
