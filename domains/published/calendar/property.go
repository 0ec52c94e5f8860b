package calendar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"agentd/domains/internal/pytext"
	"agentd/internal/lazyregexp"
)

// property is a content line as the published evaluator reads it.
type property struct {
	name    string // upper case
	written string // the name as written
	value   string
	zoned   bool // there is a TZID
}

// The escaped separators are protected while a line is split, one after the other as upstream has it.
var protections = [][2]string{{`\,`, "%2C"}, {`\:`, "%3A"}, {`\;`, "%3B"}, {`\\`, "%5C"}}

func protected(text string) string {
	if strings.Contains(text, `\`) {
		for _, p := range protections {
			text = strings.ReplaceAll(text, p[0], p[1])
		}
	}
	return text
}

func unprotected(text string) string {
	if strings.Contains(text, "%") {
		for _, p := range protections {
			text = strings.ReplaceAll(text, p[1], p[0][1:])
		}
	}
	return text
}

// parseProperty splits a line at the first ":" or ";", and at the first ":", outside of quotes; false if it is no content line.
func parseProperty(text string) (property, bool) {
	text = protected(text)
	nameEnd, valueStart, quoted := 0, 0, false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted || c != ':' && c != ';':
		default:
			if nameEnd == 0 {
				nameEnd = i
			}
			if c == ':' && valueStart == 0 {
				valueStart = i
			}
		}
	}
	if nameEnd == 0 || nameEnd+1 == valueStart || valueStart == 0 || !isToken(text[:nameEnd]) {
		return property{}, false
	}
	p := property{written: text[:nameEnd], name: strings.ToUpper(text[:nameEnd]), value: unprotected(text[valueStart+1:])}
	return p, nameEnd == valueStart || p.addParameters(text[nameEnd+1:valueStart])
}

// isToken reports whether a text is of word characters, "." and "-".
func isToken(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune("_.-", r)
	})
}

// addParameters reads parameters with ";" between; false if one is wrong.
func (p *property) addParameters(text string) bool {
	for _, parameter := range SplitOutsideQuotes(text, ';') {
		name, value, ok := CutOutsideQuotes(parameter, '=')
		var items []string
		if value != "" {
			items = SplitOutsideQuotes(value, ',')
		}
		if !ok || !isToken(name) || slices.ContainsFunc(items, isNoParameterValue) {
			return false
		}
		if strings.EqualFold(name, "TZID") {
			p.zoned = len(items) == 1 && strings.Trim(value, `"`) != ""
		}
	}
	return true
}

func isNoParameterValue(text string) bool {
	unsafe := `",:;`
	if strings.HasPrefix(text, `"`) && strings.HasSuffix(text, `"`) {
		text, unsafe = strings.Trim(text, `"`), `"`
	}
	return strings.ContainsFunc(text, func(r rune) bool {
		return r < ' ' && r != '\t' || r == 0x7f || strings.ContainsRune(unsafe, r)
	})
}

// SplitOutsideQuotes splits a text at the separators that are not in double quotes.
func SplitOutsideQuotes(text string, separator byte) []string {
	var parts []string
	for {
		before, after, found := CutOutsideQuotes(text, separator)
		parts = append(parts, before)
		if !found {
			return parts
		}
		text = after
	}
}

// CutOutsideQuotes cuts a text at the first separator that is not in double quotes.
func CutOutsideQuotes(text string, separator byte) (before, after string, found bool) {
	quoted := false
	for i := range len(text) {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case text[i] == separator && !quoted:
			return text[:i], text[i+1:], true
		}
	}
	return text, "", false
}

// plainText resolves escapes, one kind after the other as upstream has it.
func plainText(value string) string {
	if !strings.Contains(value, `\`) {
		return value
	}
	for _, escape := range [][2]string{{`\N`, `\n`}, {`\n`, "\n"}, {`\,`, ","}, {`\;`, ";"}, {`\\`, `\`}} {
		value = strings.ReplaceAll(value, escape[0], escape[1])
	}
	return value
}

// moment is the value of DTSTART or DTEND. Its text is empty if it is invalid.
type moment struct {
	text   string
	allDay bool
}

func (p *property) moment() moment {
	m, ok := parseMoment(p.value, p.zoned && p.takesZone())
	if !ok {
		return moment{}
	}
	return m
}

// takesZone reports whether upstream gives the property its zone, for which the name has to be in capitals.
func (p *property) takesZone() bool {
	return slices.Contains([]string{"DTSTART", "DTEND", "RECURRENCE-ID", "DUE", "FREEBUSY", "RDATE", "EXDATE"}, p.written)
}

// valid reports whether a property outside of events has a value of its type.
func (p *property) valid() bool {
	switch p.name {
	case "DTSTART", "DTEND", "DUE", "RECURRENCE-ID", "COMPLETED", "CREATED", "DTSTAMP", "LAST-MODIFIED", "DURATION", "TRIGGER":
		return p.moment() != moment{}
	}
	return true
}

var duration = lazyregexp.New(`^[-+]?P(?:\p{Nd}+W|(?:\p{Nd}+D)?(?:T(?:\p{Nd}+H)?(?:\p{Nd}+M)?(?:\p{Nd}+S)?)?)$`)

// parseMoment reads a date, date-time, time, duration or period, told apart by length and first character.
func parseMoment(value string, zoned bool) (moment, bool) {
	upper := strings.TrimLeft(strings.ToUpper(value), "+-")
	if strings.HasPrefix(upper, "P") && len(value)-len(upper) <= 1 {
		return moment{text: value}, duration.MatchString(value)
	}
	if strings.Contains(value, "/") {
		start, end, _ := strings.Cut(value, "/")
		_, ok := parseMoment(start, false)
		_, too := parseMoment(end, false)
		return moment{text: value}, ok && too && !strings.Contains(end, "/")
	}
	runes := []rune(value)
	switch n := len(runes); {
	case n == 8:
		date, ok := parseDate(runes)
		return moment{text: date, allDay: true}, ok
	case n == 6 || n == 7:
		clock, ok := parseClock(runes)
		return moment{text: clock}, ok
	case n == 15 || n == 16 && (zoned || runes[15] == 'Z'):
		date, ok := parseDate(runes[:8])
		clock, too := parseClock(runes[9:])
		if ok && too {
			return moment{text: date + "T" + clock}, true
		}
	}
	return moment{}, false
}

// parseInts reads numbers that follow each other, each from a place to the next one.
func parseInts(runes []rune, places ...int) (numbers [3]int, ok bool) {
	for i := range numbers {
		if numbers[i], ok = parseInt(string(runes[places[i]:places[i+1]])); !ok {
			return numbers, false
		}
	}
	return numbers, true
}

func parseDate(runes []rune) (string, bool) {
	n, ok := parseInts(runes, 0, 4, 6, 8)
	date := time.Date(n[0], time.Month(n[1]), n[2], 0, 0, 0, 0, time.UTC)
	return date.Format(time.DateOnly), ok && n[0] >= 1 && date.Month() == time.Month(n[1]) && date.Day() == n[2]
}

func parseClock(runes []rune) (string, bool) {
	n, ok := parseInts(runes, 0, 2, 4, 6)
	return fmt.Sprintf("%02d:%02d:%02d", n[0], n[1], n[2]), ok && min(n[0], n[1], n[2]) >= 0 && n[0] <= 23 && max(n[1], n[2]) <= 59
}

// parseInt is Python's int(); of too large a number it is the largest.
func parseInt(text string) (int, bool) {
	digits, ok := pytext.Int(text)
	n, _ := strconv.Atoi(digits)
	return n, ok
}

// nextDay returns the day after a date as parseDate writes it.
func nextDay(date string) string {
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return ""
	}
	return day.AddDate(0, 0, 1).Format(time.DateOnly)
}
