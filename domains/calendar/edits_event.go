package calendar

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

func (c *component) text() string {
	var b strings.Builder
	c.print(func(lines ...line) {
		for i := range lines {
			b.WriteString(lines[i].text() + "\n")
		}
	})
	return b.String()
}

// add puts a property after the others.
func (c *component) add(name, value string) {
	c.Lines = append(c.Lines, line{Name: name, Value: value})
}

// remove drops the properties of a name and returns them.
func (c *component) remove(name string) []line {
	var removed []line
	c.Lines = slices.DeleteFunc(c.Lines, func(l line) bool {
		if l.Name == name {
			removed = append(removed, l)
		}
		return l.Name == name
	})
	return removed
}

// category is the first category as written, empty if there is none.
func (c *component) category() string {
	return strings.TrimSpace(splitUnescaped(c.value("CATEGORIES"))[0])
}

// number keeps each event's place in the document in a property.
func (c *calendar) number(property string) {
	calendars.Number(c, func(e **component, position int) { (*e).add(property, strconv.Itoa(position)) })
}

// sortByNumber takes the numbers away, and another property. Events without one come last.
func (c *calendar) sortByNumber(property, also string) {
	calendars.SortByNumber(c, func(e **component) (int, bool) {
		n, err := strconv.Atoi(strings.TrimSpace((*e).value(property)))
		(*e).remove(property)
		(*e).remove(also)
		return n, err == nil
	})
}

// times are when an event starts and ends, with the hours added that belong to their zones;
// false for whole days.
func (c *component) times(hours map[string]int) (start, end time.Time, ok bool) {
	at := func(l *line) (time.Time, bool) {
		if l == nil {
			return time.Time{}, false
		}
		m, ok := readMoment(l.Value)
		zone := l.parameter("TZID")
		if m.utc {
			zone = "UTC"
		}
		return m.time.Add(time.Duration(hours[zone]) * time.Hour), ok && !m.allDay
	}
	start, ok = at(c.find("DTSTART"))
	end, ends := at(c.find("DTEND"))
	if !ends {
		length, _ := readDuration(c.value("DURATION"))
		end = instant{time: start}.plus(length).time
	}
	return start, end, ok
}

// mark is an entry of a table that names events by place and UID.
type mark struct {
	Position int    `json:"position"`
	UID      string `json:"uid"`
}

// mark is that of the event at a position, counted from 0.
func (c *component) mark(at int) mark { return mark{at + 1, c.value("UID")} }

// marked returns for each mark its event: the one at the place if it has the
// UID, otherwise, in a document that lost events, the next with the UID, or nil.
func (c *calendar) marked(marks []mark) []*component {
	found := make([]*component, len(marks))
	used := map[*component]bool{}
	for i, m := range marks {
		if m.Position < 1 || m.Position > len(c.events) {
			continue
		}
		if e := c.events[m.Position-1]; e.value("UID") == m.UID && !used[e] {
			found[i], used[e] = e, true
		}
	}
	waiting := map[string][]*component{}
	for _, e := range c.events {
		if !used[e] {
			waiting[e.value("UID")] = append(waiting[e.value("UID")], e)
		}
	}
	for i, m := range marks {
		if queue := waiting[m.UID]; found[i] == nil && len(queue) > 0 {
			found[i], waiting[m.UID] = queue[0], queue[1:]
		}
	}
	return found
}
