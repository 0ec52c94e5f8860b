package calendar

import (
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// entry is a component in JSON.
type entry struct {
	Component  string          `json:"component"`
	Properties []entryProperty `json:"properties"`
	Components []entry         `json:"components,omitempty"`
}

type entryProperty struct {
	Name       string   `json:"name"`
	Parameters []string `json:"parameters,omitempty"`
	Value      string   `json:"value"`
}

// inJSON makes an array of the calendar itself and its components.
func inJSON(p struct{ Document, To string }) exact.Steps {
	forward := func(c calendar) (vfs.Files, error) {
		all := []entry{entryOf(&component{name: "VCALENDAR", lines: c.lines})}
		for _, part := range slices.Concat(c.others, c.events) {
			all = append(all, entryOf(part))
		}
		return vfs.Files{p.To: plain.WriteJSON(all)}, nil
	}
	return calendars.Whole(p.Document, forward, func(files vfs.Files) (c calendar, err error) {
		var all []entry
		err = plain.JSON(files, p.To, &all)
		for _, e := range all {
			switch part := e.read(); part.name {
			case "VCALENDAR":
				c.lines = append(c.lines, part.lines...)
			case "VEVENT":
				c.events = append(c.events, part)
			default:
				c.others = append(c.others, part)
			}
		}
		return c, err
	})
}

func entryOf(c *component) entry {
	e := entry{Component: c.name, Properties: make([]entryProperty, len(c.lines))}
	for i := range c.lines {
		l := &c.lines[i]
		e.Properties[i] = entryProperty{Name: l.name, Value: l.value}
		if len(l.parameters) > 0 {
			e.Properties[i].Parameters = l.writtenParameters()
		}
	}
	for _, part := range c.parts {
		e.Components = append(e.Components, entryOf(part))
	}
	return e
}

// lineBreaks cannot stand in a content line.
var lineBreaks = strings.NewReplacer("\r\n", `\n`, "\n", `\n`, "\r", `\n`)

func (e *entry) read() *component {
	c := &component{name: lineBreaks.Replace(e.Component)}
	for _, p := range e.Properties {
		l := line{name: lineBreaks.Replace(p.Name), value: lineBreaks.Replace(p.Value)}
		for _, written := range p.Parameters {
			name, value, _ := strings.Cut(lineBreaks.Replace(written), "=")
			l.parameters = append(l.parameters, parameter{name, value})
		}
		c.lines = append(c.lines, l)
	}
	for i := range e.Components {
		c.parts = append(c.parts, e.Components[i].read())
	}
	return c
}
