package calendar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const londonFile = "peat_workshop_2024_london.ics"

// move is from a zone to another that is always the same number of hours ahead.
type move struct {
	from, to string
	ahead    time.Duration
	names    map[string]string // of standard and daylight time
}

var (
	westward = move{"Europe/Tallinn", "Europe/London", -2 * time.Hour, map[string]string{"EET": "GMT", "EEST": "BST"}}
	eastward = move{"Europe/London", "Europe/Tallinn", 2 * time.Hour, map[string]string{"GMT": "EET", "BST": "EEST"}}
)

// toLondon restates the times of Tallinn in those of London.
func toLondon(files vfs.Files) (vfs.Files, error) {
	c, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	westward.calendar(c)
	return vfs.Files{londonFile: c.print()}, nil
}

func toTallinn(files vfs.Files) (vfs.Files, error) {
	c, err := readNamed(files, londonFile)
	if err != nil {
		return nil, err
	}
	eastward.calendar(c)
	return asDocument(c), nil
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
	if c.name == "VTIMEZONE" {
		if c.value("TZID") == m.from {
			m.zone(c)
		}
		return
	}
	for i := range c.lines {
		l := &c.lines[i]
		if l.parameter("TZID") == m.from {
			for k := range l.parameters {
				if l.parameters[k].name == "TZID" {
					l.parameters[k].value = m.to
				}
			}
			l.value = m.times(l.value)
		}
	}
	for _, part := range c.parts {
		m.component(part)
	}
}

// zone makes the definition of the one zone that of the other.
func (m move) zone(c *component) {
	for i := range c.lines {
		m.rename(&c.lines[i])
	}
	for _, part := range c.parts {
		for i := range part.lines {
			switch l := &part.lines[i]; l.name {
			case "DTSTART", "RDATE":
				l.value = m.times(l.value)
			case "TZOFFSETFROM", "TZOFFSETTO":
				l.value = m.offset(l.value)
			case "TZNAME":
				if name, ok := m.names[l.value]; ok {
					l.value = name
				}
			}
		}
	}
}

// rename changes a property whose value is the zone.
func (m move) rename(l *line) {
	if l.value == m.from {
		l.value = m.to
	}
}

// times moves the local date-times of a list, which may have periods.
func (m move) times(list string) string {
	items := strings.Split(list, ",")
	for i, item := range items {
		ends := strings.Split(item, "/")
		for k, end := range ends {
			if at, ok := readMoment(end); ok && !at.allDay && !at.utc {
				ends[k] = at.plus(span{clock: m.ahead}).String()
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
	return fmt.Sprintf("%+03d%s", hours+int(m.ahead/time.Hour), text[3:])
}

const (
	durationsFile = "durations.ics"
	endsFile      = "ends.csv"
)

// endsToDurations writes the length of events in place of their end.
func endsToDurations(files vfs.Files) (vfs.Files, error) {
	c, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	ends := [][]string{{"position", "uid"}}
	for n, e := range c.events {
		if length, ok := e.length(); ok {
			*e.find("DTEND") = line{name: "DURATION", value: length}
			ends = append(ends, []string{strconv.Itoa(n + 1), e.value("UID")})
		}
	}
	return vfs.Files{durationsFile: c.print(), endsFile: plain.WriteCSV(ends)}, nil
}

// length is the time from start to end in hours and minutes; false if these are
// no date-times of one zone.
func (c *component) length() (string, bool) {
	start, end := c.find("DTSTART"), c.find("DTEND")
	if start == nil || end == nil || !slices.Equal(start.parameters, end.parameters) {
		return "", false
	}
	from, ok := readMoment(start.value)
	to, too := readMoment(end.value)
	if !ok || !too || from.allDay || to.allDay || from.utc != to.utc {
		return "", false
	}
	length := to.time.Sub(from.time)
	if length < time.Minute || length%time.Minute != 0 || length > 1000*time.Hour {
		return "", false
	}
	return "P" + clockText(length), true
}

func durationsToEnds(files vfs.Files) (vfs.Files, error) {
	c, err := readNamed(files, durationsFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, endsFile, "position", "uid")
	if err != nil {
		return nil, err
	}
	marks := make([]mark, len(rows))
	for i, row := range rows {
		marks[i].Position, _ = strconv.Atoi(strings.TrimSpace(row[0]))
		marks[i].UID = row[1]
	}
	for _, e := range c.marked(marks) {
		if e != nil {
			e.writeEnd()
		}
	}
	return asDocument(c), nil
}

// writeEnd writes the end of an event in place of its duration.
func (c *component) writeEnd() {
	start, duration := c.find("DTSTART"), c.find("DURATION")
	if start == nil || duration == nil {
		return
	}
	from, ok := readMoment(start.value)
	length, too := readDuration(duration.value)
	if ok && too {
		*duration = line{name: "DTEND", parameters: start.parameters, value: from.plus(length).String()}
	}
}
