package calendar

import (
	"encoding/json"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// inJSON makes an array of the calendar itself and its components.
func inJSON(p struct{ Document, To string }) exact.Steps {
	forward := func(c calendar) (vfs.Files, error) {
		itself := &component{Name: "VCALENDAR", Lines: append([]line{}, c.lines...)}
		return vfs.Files{p.To: plain.WriteJSON(slices.Concat([]*component{itself}, c.others, c.events))}, nil
	}
	return calendars.Whole(p.Document, forward, func(files vfs.Files) (c calendar, err error) {
		var all components
		err = plain.JSON(files, p.To, &all)
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
		return c, err
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
