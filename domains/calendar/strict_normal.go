package calendar

import (
	"slices"
	"strings"
)

// normal is the value and the parameters in a form that is equal for what the
// format holds equal.
func (l *line) normal() string {
	value := l.normalValue()
	zone := ""
	var parameters []string
	for _, p := range l.Parameters {
		bare := strings.Trim(p.value, `"`)
		switch {
		case p.name == "VALUE" && isPlain(bare, l.Value):
		case p.name == "TZID":
			zone = " " + bare
		case slices.Contains(enumerated, p.name):
			parameters = append(parameters, p.name+"="+strings.ToUpper(bare))
		default:
			parameters = append(parameters, p.name+"="+bare)
		}
	}
	value += zone
	if len(parameters) > 0 {
		slices.Sort(parameters)
		value += " (" + strings.Join(parameters, "; ") + ")"
	}
	return value
}

func (l *line) normalValue() string {
	switch l.Name {
	case "DTSTART", "DTEND", "DUE", "RECURRENCE-ID", "DTSTAMP", "CREATED", "LAST-MODIFIED", "COMPLETED":
		return normalMoment(l.Value)
	case "EXDATE", "RDATE", "FREEBUSY":
		start, end, period := strings.Cut(l.Value, "/")
		if period {
			return normalMoment(start) + "/" + normalLength(end)
		}
		return normalMoment(l.Value)
	case "DURATION", "TRIGGER", "REFRESH-INTERVAL", "X-PUBLISHED-TTL":
		return normalLength(l.Value)
	case "RRULE", "EXRULE":
		return normalRule(l.Value)
	case "STATUS", "CLASS", "TRANSP", "ACTION", "METHOD", "CALSCALE":
		return strings.ToUpper(strings.TrimSpace(l.Value))
	case "ATTENDEE", "ORGANIZER":
		return normalAddress(l.Value)
	}
	return normalText(l.Value)
}

// isPlain reports whether a VALUE parameter says no more than the value shows.
func isPlain(kind, value string) bool {
	switch strings.ToUpper(kind) {
	case "TEXT":
		return true
	case "DATE", "DATE-TIME":
		first, _, _ := strings.Cut(value, ",")
		m, ok := readMoment(first)
		return ok && m.allDay == strings.EqualFold(kind, "DATE")
	case "PERIOD":
		return strings.Contains(value, "/")
	case "DURATION":
		_, ok := readDuration(value)
		return ok
	case "URI":
		return strings.Contains(value, ":")
	}
	return false
}

// enumerated are the parameters whose values are words in any case.
var enumerated = []string{
	"VALUE", "PARTSTAT", "ROLE", "CUTYPE", "RSVP", "RELTYPE", "RELATED", "RANGE", "FBTYPE", "ENCODING", "LANGUAGE",
}

func normalAddress(value string) string {
	value = strings.TrimSpace(value)
	if scheme, address, ok := strings.Cut(value, ":"); ok {
		return strings.ToLower(scheme) + ":" + address
	}
	return value
}

func normalText(value string) string { return strings.TrimSpace(unescaped(value)) }

// unescaped resolves the escapes of the format, and those of the colon and the
// quote, which some programs write.
func unescaped(value string) string {
	if !strings.Contains(value, `\`) {
		return value
	}
	var b strings.Builder
	for i := 0; i < len(value); i++ {
		if value[i] == '\\' && i+1 < len(value) {
			switch next := value[i+1]; next {
			case 'n', 'N':
				b.WriteByte('\n')
				i++
				continue
			case '\\', ';', ',', ':', '"':
				b.WriteByte(next)
				i++
				continue
			}
		}
		b.WriteByte(value[i])
	}
	return b.String()
}

var escapes = strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\r\n", `\n`, "\n", `\n`)

func escaped(text string) string { return escapes.Replace(text) }

// splitUnescaped splits a list at its commas.
func splitUnescaped(list string) []string {
	var items []string
	start := 0
	for i := 0; i < len(list); i++ {
		switch list[i] {
		case '\\':
			i++
		case ',':
			items = append(items, list[start:i])
			start = i + 1
		}
	}
	return append(items, list[start:])
}

// normalRule sorts the parts of a recurrence rule and drops those that say the
// default.
func normalRule(value string) string {
	var parts []string
	for part := range strings.SplitSeq(strings.ToUpper(value), ";") {
		part = strings.TrimSpace(part)
		name, list, _ := strings.Cut(part, "=")
		switch {
		case part == "" || part == "INTERVAL=1" || part == "WKST=MO":
			continue
		case name == "UNTIL":
			part = name + "=" + normalMoment(list)
		case strings.HasPrefix(name, "BY"):
			items := strings.Split(list, ",")
			slices.Sort(items)
			part = name + "=" + strings.Join(items, ",")
		}
		parts = append(parts, part)
	}
	slices.Sort(parts)
	return strings.Join(parts, ";")
}

func normalMoment(value string) string {
	if m, ok := readMoment(value); ok {
		return m.readable()
	}
	return strings.TrimSpace(value)
}

// normalLength is of a duration, or of a date-time where one may stand for it.
func normalLength(value string) string {
	if length, ok := readDuration(value); ok {
		return length.String()
	}
	return normalMoment(value)
}
