package jobboard

import (
	"cmp"
	"regexp"
	"strings"

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

// A part of a posting on one line has one of the labels, or is one of these.
const (
	plainPart  = titleText + 1 + iota // the company or, after it, the location
	placedPart                        // a company with its location in parentheses
)

// partLabels are the words before a colon that tell what a part is.
var partLabels = []struct {
	word  string
	label label
}{
	{"title", titleText}, {"tech", skillsLabel}, {"type", typeLabel}, {"posted", postedLabel},
	{"location", locationLabel}, {"company", companyLabel},
}

// classify returns what a part is, and its value.
func classify(part string) (label, string) {
	if found, ok := findPay(part); ok && found.hasDollar {
		return salaryLabel, part
	}
	before, value, labelled := strings.Cut(part, ":")
	value = pytext.Strip(value)
	if labelled && strings.EqualFold(before, "skills") {
		return skillsLabel, value
	}
	for _, l := range partLabels {
		if labelled && strings.EqualFold(pytext.StripRight(before), l.word) {
			return l.label, value
		}
	}
	switch {
	case beginsWithDate.MatchString(part):
		return postedLabel, part
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

// beginsWithDate finds a date as in 2023-07-05.
var beginsWithDate = regexp.MustCompile(`^\p{Nd}{4}-\p{Nd}{2}-\p{Nd}{2}`)

// readOneLine reads a posting that stands on one line as a whole.
func (t *texts) readOneLine(text string) {
	parts := lineParts(text)
	t[titleText] = parts[0]
	for _, part := range parts[1:] {
		if part == "" {
			continue
		}
		switch label, value := classify(part); {
		case label == placedPart:
			company, location := cutPlace(value)
			t[companyLabel] = cmp.Or(t[companyLabel], company)
			t[locationLabel] = location
		case label != plainPart:
			t[label] = value
		case t[companyLabel] == "":
			t[companyLabel] = value
		case t[locationLabel] == "":
			t[locationLabel] = value
		}
	}
}
