package calendar

import (
	"cmp"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/wellformed"
	"agentd/vfs"
)

// elements flattens files of any name by the format's own rules.
func elements(files vfs.Files) []domains.Element {
	var all []domains.Element
	place := 0
	var around surroundings
	for _, name := range files.Names() {
		for _, c := range read(files[name]) {
			for _, text := range c.loose {
				place++
				all = append(all, domains.Element{
					Kind: "line", Key: "line between components",
					Fields: []domains.Field{{Value: text}}, Position: place,
				})
			}
			for _, e := range c.events {
				all = append(all, e.element(counted, e.label()))
			}
			around.add(c)
		}
	}
	return append(all, around.elements...)
}

// surroundings are what is around the events of several calendars: properties, time zones and so on. A document that is
// divided over calendars repeats them in each, so of equal ones there are as many as in the calendar with the most.
type surroundings struct {
	elements []domains.Element
	most     map[string]int
}

func (s *surroundings) add(c *calendar) {
	here := map[string]int{}
	if s.most == nil {
		s.most = map[string]int{}
	}
	add := func(e domains.Element) {
		var label strings.Builder
		label.WriteString(e.Kind)
		for _, field := range e.Fields {
			label.WriteString("\n" + field.Name + "\n" + field.Value)
		}
		same := label.String()
		here[same]++
		if here[same] > s.most[same] {
			s.most[same]++
			s.elements = append(s.elements, e)
		}
	}
	for i := range c.lines {
		l := &c.lines[i]
		add(domains.Element{Kind: "calendar property", Key: l.Name, Fields: l.fields()})
	}
	for _, other := range c.others {
		add(other.element(strings.ToLower(other.Name), other.label()))
	}
}

// label is what a practitioner would call the component: its start and title.
func (c *component) label() string {
	if c.Name == "VTIMEZONE" {
		return "time zone " + c.value("TZID")
	}
	start := strings.TrimSuffix(normalMoment(c.value("DTSTART")), ":00")
	return strings.TrimSpace(strings.Replace(start, "T", " ", 1) + " " + normalText(c.value("SUMMARY")))
}

// element has a field for each property, list item and nested component, in a sorted way, so that components that
// differ only in order are recognised as identical.
func (c *component) element(kind, key string) domains.Element {
	fields := make([]domains.Field, 0, len(c.Lines)+len(c.Parts))
	end := c.impliedEnd()
	for i := range c.Lines {
		l := &c.Lines[i]
		if end != "" && l == c.find("DURATION") { // a second one is a property too many
			continue
		}
		fields = append(fields, l.fields()...)
	}
	if end != "" {
		fields = append(fields, domains.Field{Name: "DTEND", Value: end})
	}
	for _, part := range c.Parts {
		values := lists.Map(part.element("", "").Fields, func(f domains.Field) string { return f.Name + " " + f.Value })
		fields = append(fields, domains.Field{Name: part.Name, Value: strings.Join(values, ", ")})
	}
	slices.SortFunc(fields, func(a, b domains.Field) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Value, b.Value))
	})
	return domains.Element{Kind: kind, Key: key, Fields: fields}
}

// impliedEnd is the end of an event that has none written: after its duration,
// or after a day if it lasts all day. It is empty if there is no such end.
func (c *component) impliedEnd() string {
	start := c.find("DTSTART")
	if c.Name != "VEVENT" || start == nil || c.find("DTEND") != nil {
		return ""
	}
	end := *start
	m, ok := readMoment(start.Value)
	if !ok {
		return ""
	}
	if d := c.find("DURATION"); d != nil {
		length, ok := readDuration(d.Value)
		if !ok || m.allDay && !length.wholeDays() {
			return ""
		}
		end.Value = m.plus(length).String()
	} else if m.allDay {
		end.Value = m.plus(span{days: 1}).String()
	} else {
		return ""
	}
	return end.normal()
}

// fields are the items of a list, or the one value.
func (l *line) fields() []domains.Field {
	if !slices.Contains(listProperties, l.Name) {
		return []domains.Field{{Name: l.Name, Value: l.normal()}}
	}
	var fields []domains.Field
	for _, item := range splitUnescaped(l.Value) {
		one := line{Name: l.Name, Parameters: l.Parameters, Value: item}
		value := one.normal()
		if l.Name == "CATEGORIES" {
			value = pytext.Lower(value) // programs group by them in any letter case
		}
		if value != "" {
			fields = append(fields, domains.Field{Name: l.Name, Value: value})
		}
	}
	return fields
}

var listProperties = []string{"CATEGORIES", "RESOURCES", "EXDATE", "RDATE", "FREEBUSY"}

// without leaves out events; what is around them stays.
func without(_, text string, leave func() bool) string {
	var out []*component
	for _, c := range read(text) {
		out = append(out, slices.DeleteFunc(c.events, func(*component) bool { return !leave() })...)
	}
	return plain.Splice(text, out, func(event *component) (int, int, string) { return event.from, event.to, "" })
}

// normal is the value and the parameters in a form that is equal for what the format holds equal.
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

// unescaped resolves the escapes of the format, and those of the colon and the quote, which some programs write.
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

// normalRule sorts the parts of a recurrence rule and drops those that say the default.
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

const counted = "event"

// wellFormed checks that each component is ended, that a file is calendars, and that each line is a property.
var wellFormed = wellformed.All(
	wellformed.Begins(`(?i)^BEGIN:VCALENDAR\s*$`, "BEGIN:VCALENDAR is not the first line"),
	wellformed.Ends(`(?i)^END:VCALENDAR\s*$`, "END:VCALENDAR is not the last line"),
	wellformed.Blocks(`(?i)^BEGIN:(\S+)`, `(?i)^END:(\S+)`, ""),
	byProperty(wellformed.Lines(`^[A-Za-z0-9-]+(?:;[A-Za-z0-9-]+=(?:"[^"]*"|[^";:]*)(?:,(?:"[^"]*"|[^";:]*))*)*:`, "the line is no property with parameters and a value")),
	wellformed.Not(`(?i)^[^:"]*;(?:CN|TZID|ROLE|PARTSTAT|LANGUAGE|FBTYPE|VALUE)=[^":;,]*,`, "a comma stands in a parameter without quotes"),
)

// byProperty makes a check of lines that are carried on in the next one, which begins with a blank. They keep their numbers.
func byProperty(check wellformed.Check) wellformed.Check {
	return func(name, text string) []domains.Slip {
		var out strings.Builder
		carried := 0
		for line := range strings.Lines(text) {
			if line[0] == ' ' || line[0] == '\t' {
				out.WriteString(strings.TrimRight(line[1:], "\n"))
				carried++
				continue
			}
			if out.Len() > 0 {
				out.WriteString(strings.Repeat("\n", carried+1))
			}
			carried = 0
			out.WriteString(strings.TrimRight(line, "\n"))
		}
		return check(name, out.String())
	}
}
