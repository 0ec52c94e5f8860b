package calendar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains/internal/exact"
)

// move is from a zone to another that is always the same number of hours ahead.
type move struct {
	from, to string
	hours    int
	names    map[string]string // of standard and daylight time
}

// moveZone restates the times of a zone in those of another one.
func moveZone(p struct {
	Document, To string
	From, Zone   string
	Hours        int               // that the other one is ahead
	Names        map[string]string // of standard and daylight time in the zones
}) exact.Steps {
	there := move{p.From, p.Zone, p.Hours, p.Names}
	back := move{p.Zone, p.From, -p.Hours, map[string]string{}}
	for from, to := range p.Names {
		back.names[to] = from
	}
	return calendars.Change(p.Document, p.To, there.calendar, back.calendar)
}

func (m move) calendar(c *calendar) {
	for i := range c.lines {
		m.rename(&c.lines[i])
	}
	for _, part := range slices.Concat(c.others, c.events) {
		m.component(part)
	}
}

func (m move) component(c *component) {
	if c.Name == "VTIMEZONE" {
		if c.value("TZID") == m.from {
			m.zone(c)
		}
		return
	}
	for i := range c.Lines {
		l := &c.Lines[i]
		if l.parameter("TZID") == m.from {
			for k := range l.Parameters {
				if l.Parameters[k].name == "TZID" {
					l.Parameters[k].value = m.to
				}
			}
			l.Value = m.times(l.Value)
		}
	}
	for _, part := range c.Parts {
		m.component(part)
	}
}

// zone makes the definition of the one zone that of the other.
func (m move) zone(c *component) {
	for i := range c.Lines {
		m.rename(&c.Lines[i])
	}
	for _, part := range c.Parts {
		for i := range part.Lines {
			switch l := &part.Lines[i]; l.Name {
			case "DTSTART", "RDATE":
				l.Value = m.times(l.Value)
			case "TZOFFSETFROM", "TZOFFSETTO":
				l.Value = m.offset(l.Value)
			case "TZNAME":
				if name, ok := m.names[l.Value]; ok {
					l.Value = name
				}
			}
		}
	}
}

// rename changes a property whose value is the zone.
func (m move) rename(l *line) {
	if l.Value == m.from {
		l.Value = m.to
	}
}

// times moves the local date-times of a list, which may have periods.
func (m move) times(list string) string {
	items := strings.Split(list, ",")
	for i, item := range items {
		ends := strings.Split(item, "/")
		for k, end := range ends {
			if at, ok := readMoment(end); ok && !at.allDay && !at.utc {
				ends[k] = at.plus(span{clock: time.Duration(m.hours) * time.Hour}).String()
			}
		}
		items[i] = strings.Join(ends, "/")
	}
	return strings.Join(items, ",")
}

// offset moves an offset from UTC, as in +0300.
func (m move) offset(text string) string {
	if len(text) != len("+0300") {
		return text
	}
	hours, err := strconv.Atoi(text[:3])
	if err != nil {
		return text
	}
	return fmt.Sprintf("%+03d%s", hours+m.hours, text[3:])
}
