package calendar

import (
	"encoding/json"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
)

// inJSON makes an array of the calendar itself and its components.
func inJSON(p struct{ Document, To string }) exact.Steps {
	forward := func(c calendar) (components, error) {
		itself := &component{Name: "VCALENDAR", Lines: append([]line{}, c.lines...)}
		return slices.Concat([]*component{itself}, c.others, c.events), nil
	}
	return exact.JSON(&calendars, p.Document, p.To, forward, func(all components) (c calendar, err error) {
		for _, part := range all {
			switch part.Name {
			case "VCALENDAR":
				c.lines = append(c.lines, part.Lines...)
			case "VEVENT":
				c.events = append(c.events, part)
			default:
				c.others = append(c.others, part)
			}
		}
		return c, nil
	})
}

// MarshalText writes a parameter as in TZID=Europe/Tallinn.
func (p parameter) MarshalText() ([]byte, error) { return []byte(p.text()), nil }

// UnmarshalText reads what MarshalText writes.
func (p *parameter) UnmarshalText(text []byte) error {
	p.name, p.value, _ = strings.Cut(string(text), "=")
	return nil
}

// UnmarshalJSON reads an array. A null in it is an empty component.
func (c *components) UnmarshalJSON(text []byte) error {
	var all []component
	err := json.Unmarshal(text, &all)
	for i := range all {
		*c = append(*c, &all[i])
	}
	return err
}
