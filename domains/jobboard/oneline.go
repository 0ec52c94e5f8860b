package jobboard

import (
	"slices"
	"strings"
	"unicode"

	"agentd/domains/internal/pytext"
)

// isOneLine reports whether what follows an id may be a whole posting.
func isOneLine(text string) bool {
	return strings.ContainsAny(text, "—–") || strings.Contains(text, pipeMark) || strings.HasSuffix(text, "|")
}

// lineParts cuts a posting on one line at its pipes or dashes. The first part is
// the title.
func lineParts(text string) []string {
	var parts []string
	if strings.HasPrefix(text, "|") || strings.Contains(text, pipeMark) {
		parts = strings.Split(strings.Trim(text, "|"), "|")
	} else {
		parts = strings.Split(strings.ReplaceAll(text, "–", "—"), "—")
	}
	for k := range parts {
		parts[k] = pytext.Strip(parts[k])
	}
	return parts
}

// partKind says what a part of a posting on one line is.
type partKind uint8

const (
	plainPart partKind = iota // the company or, after it, the location
	salaryPart
	skillsPart
	titlePart
	typePart
	postedPart
	locationPart
	companyPart
	placedPart // a company with its location in parentheses
)

var partLabels = []struct {
	label string
	kind  partKind
}{
	{"title", titlePart}, {"tech", skillsPart}, {"type", typePart}, {"posted", postedPart},
	{"location", locationPart}, {"company", companyPart},
}

// classify returns what a part is, and its value.
func classify(part string) (partKind, string) {
	if found, ok := findPay(part); ok && found.hasDollar {
		return salaryPart, part
	}
	before, value, labelled := strings.Cut(part, ":")
	value = pytext.Strip(value)
	if labelled && strings.EqualFold(before, "skills") {
		return skillsPart, value
	}
	for _, l := range partLabels {
		if labelled && strings.EqualFold(pytext.StripRight(before), l.label) {
			return l.kind, value
		}
	}
	switch {
	case beginsWithDate(part):
		return postedPart, part
	case strings.HasSuffix(part, ")") && strings.LastIndexByte(part, '(') > 0:
		return placedPart, part
	}
	return plainPart, part
}

// cutPlace divides "Hays (Atlanta, GA)".
func cutPlace(part string) (company, location string) {
	at := strings.LastIndexByte(part, '(')
	return pytext.Strip(part[:at]), pytext.Strip(part[at+1 : len(part)-1])
}

// beginsWithDate reports whether a text begins with a date as in 2023-07-05.
func beginsWithDate(text string) bool {
	const pattern = "dddd-dd-dd"
	runes := []rune(cut(text, len(pattern)*4))
	if len(runes) < len(pattern) {
		return false
	}
	return !slices.ContainsFunc([]int{0, 1, 2, 3, 5, 6, 8, 9}, func(k int) bool { return !unicode.IsDigit(runes[k]) }) &&
		runes[4] == '-' && runes[7] == '-'
}

// readOneLine reads a posting that stands on one line as a whole.
func (j *job) readOneLine(text string) {
	parts := lineParts(text)
	j.title = parts[0]
	for _, part := range parts[1:] {
		if part == "" {
			continue
		}
		switch kind, value := classify(part); kind {
		case salaryPart:
			j.pay = readPay(value)
		case skillsPart:
			j.skills = value
		case titlePart:
			j.title = value
		case typePart:
			j.kind = value
		case postedPart:
			j.posted = value
		case locationPart:
			j.location = value
		case companyPart:
			j.company = value
		case placedPart:
			company, location := cutPlace(value)
			if j.company == "" {
				j.company = company
			}
			j.location = location
		case plainPart:
			if j.company == "" {
				j.company = value
			} else if j.location == "" {
				j.location = value
			}
		}
	}
}
