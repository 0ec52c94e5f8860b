package calendar

import (
	"cmp"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
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

// surroundings are what is around the events of several calendars: properties,
// time zones and so on. A document that is divided over calendars repeats them
// in each, so of equal ones there are as many as in the calendar with the most.
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

// element has a field for each property, list item and nested component, in a
// sorted way, so that components that differ only in order are recognised as
// identical.
func (c *component) element(kind, key string) domains.Element {
	fields := make([]domains.Field, 0, len(c.Lines)+len(c.Parts))
	end := c.impliedEnd()
	for i := range c.Lines {
		l := &c.Lines[i]
		if end != "" && l.Name == "DURATION" {
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
	var printed strings.Builder
	for _, c := range read(text) {
		c.events = slices.DeleteFunc(c.events, func(*component) bool { return leave() })
		printed.WriteString(c.print())
	}
	return printed.String()
}
