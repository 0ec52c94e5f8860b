package calendar

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// calendars says how calendars are taken apart and put together. Each part has the properties
// and time zones of the calendar.
var calendars = exact.Format[calendar, *component]{
	Patterns: []string{"*.ics"},
	Read: func(text string) calendar {
		return joined(lists.Map(read(text), func(c *calendar) calendar { return *c }))
	},
	Print:  func(c calendar) string { return c.print() },
	Parts:  func(c *calendar) *[]*component { return &c.events },
	Follow: func(*calendar) {},
	Join:   joined,
	Shell: func(c calendar) calendar {
		c.others = slices.DeleteFunc(slices.Clone(c.others), func(other *component) bool { return other.Name != "VTIMEZONE" })
		return c
	},
	Empty: errors.New("no calendar file with an event"),
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_location", splitByLocation),
		domains.Taking("json", inJSON),
		domains.Taking("move_zone", moveZone),
		domains.Taking("split_by_conflict", splitByConflict),
		domains.Taking("category_in_title", categoryInTitle),
		domains.Taking("durations", durations),
		domains.Taking("sort_by_category", sortByCategory),
		domains.Taking("code_locations", codeLocations),
	}
}

// joined makes one calendar of several. What a later one repeats of what is
// around the events comes once.
func joined(parts []calendar) (all calendar) {
	known := map[string]bool{}
	for _, part := range parts {
		var here []string
		isNew := func(text string) bool {
			here = append(here, text)
			return !known[text]
		}
		for _, l := range part.lines {
			if isNew(l.text()) {
				all.lines = append(all.lines, l)
			}
		}
		for _, other := range part.others {
			if isNew(other.text()) {
				all.others = append(all.others, other)
			}
		}
		for _, text := range here {
			known[text] = true
		}
		all.events = append(all.events, part.events...)
	}
	return all
}

// splitByLocation makes files of the events whose location begins with some texts.
func splitByLocation(p struct {
	Document string
	Places   []struct{ Begins, File string }

	Others, Table string
}) exact.Steps {
	return calendars.Split(p.Document, p.Others, p.Table, func(e **component) (string, []string) {
		for _, place := range p.Places {
			if strings.HasPrefix(normalText((*e).value("LOCATION")), place.Begins) {
				return place.File, nil
			}
		}
		return p.Others, nil
	})
}

// splitByConflict sets apart the events that fall into a slot. A property of each event has its
// position, another one the slot.
func splitByConflict(p struct {
	Document string
	Slots    []struct{ Name, Start, End string } // times as in DTSTART, of the calendar's own zone
	Zones    map[string]int                      // hours to be added to the times of other zones
	Apart    string
	Others   string
	Position string // a property
	Conflict string // a property
}) exact.Steps {
	forward := func(c calendar) (vfs.Files, error) {
		c.number(p.Position)
		return calendars.Divide(c, p.Others, func(e **component) string {
			start, end, ok := (*e).times(p.Zones)
			for _, s := range p.Slots {
				from, _ := readMoment(s.Start)
				to, _ := readMoment(s.End)
				if ok && start.Before(to.time) && end.After(from.time) {
					(*e).add(p.Conflict, s.Name)
					return p.Apart
				}
			}
			return p.Others
		}), nil
	}
	return calendars.Whole(p.Document, forward, func(files vfs.Files) (calendar, error) {
		c, err := calendars.Document(files)
		c.sortByNumber(p.Position, p.Conflict)
		return c, err
	})
}

// sortByCategory sorts the events by first category and start, and writes into
// each its place in the document and in its group.
func sortByCategory(p struct {
	Document, To string
	Position     string // a property
	Place        string // a property
}) exact.Steps {
	change := func(c *calendar) {
		c.number(p.Position)
		slices.SortStableFunc(c.events, func(a, b *component) int {
			if (a.category() == "") != (b.category() == "") {
				return -cmp.Compare(a.category(), b.category())
			}
			return cmp.Or(cmp.Compare(a.category(), b.category()), cmp.Compare(a.value("DTSTART"), b.value("DTSTART")))
		})
		places := map[string]int{}
		for _, e := range c.events {
			if category := e.category(); category != "" {
				places[category]++
				e.add(p.Place, category+" "+strconv.Itoa(places[category]))
			}
		}
	}
	return calendars.Change(p.Document, p.To, change, func(c *calendar) { c.sortByNumber(p.Position, p.Place) })
}

// categoryInTitle puts the first category before the title, and all of them into a file.
func categoryInTitle(p struct{ Document, To, List string }) exact.Steps {
	type removed struct {
		mark
		Categories []string `json:"categories"` // lines
	}
	prefix := func(e *component) string { return "[" + e.category() + "] " }
	change := func(c *calendar) ([]removed, error) {
		moved := []removed{}
		for n, e := range c.events {
			title := e.find("SUMMARY")
			if e.category() == "" || title == nil {
				continue
			}
			title.Value = prefix(e) + title.Value
			from := removed{mark: e.mark(n)}
			for _, l := range e.remove("CATEGORIES") {
				from.Categories = append(from.Categories, l.text())
			}
			moved = append(moved, from)
		}
		return moved, nil
	}
	return exact.Keeping(&calendars, p.Document, p.To, p.List, change, func(c *calendar, moved []removed) error {
		marks := lists.Each(moved, func(m *removed) mark { return m.mark })
		for i, e := range c.marked(marks) {
			if e == nil {
				continue
			}
			for _, text := range moved[i].Categories {
				if l, ok := readLine(text); ok {
					e.Lines = append(e.Lines, l)
				}
			}
			if title := e.find("SUMMARY"); title != nil {
				title.Value = strings.TrimPrefix(title.Value, prefix(e))
			}
		}
		return nil
	})
}

// durations writes the length of events in place of their end.
func durations(p struct{ Document, To, Table string }) exact.Steps {
	change := func(c *calendar) (vfs.Files, error) {
		ends := [][]string{{"position", "uid"}}
		for n, e := range c.events {
			if length, ok := e.length(); ok {
				*e.find("DTEND") = line{Name: "DURATION", Value: "P" + clockText(length)}
				ends = append(ends, []string{strconv.Itoa(n + 1), e.value("UID")})
			}
		}
		return vfs.Files{p.Table: plain.WriteCSV(ends)}, nil
	}
	return calendars.Rewrite(p.Document, p.To, change, func(c *calendar, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "position", "uid")
		marks := lists.Map(rows, func(row []string) mark { return mark{plain.LineNumber(row[0]), row[1]} })
		for _, e := range c.marked(marks) {
			if e != nil {
				e.writeEnd()
			}
		}
		return err
	})
}

// length is the time from start to end in hours and minutes; false if these are
// no date-times of one zone.
func (c *component) length() (length time.Duration, ok bool) {
	start, end := c.find("DTSTART"), c.find("DTEND")
	if start == nil || end == nil || !slices.Equal(start.Parameters, end.Parameters) {
		return 0, false
	}
	from, ok := readMoment(start.Value)
	to, too := readMoment(end.Value)
	length = to.time.Sub(from.time)
	return length, ok && too && !from.allDay && !to.allDay && from.utc == to.utc &&
		length >= time.Minute && length%time.Minute == 0 && length <= 1000*time.Hour
}

// writeEnd writes the end of an event in place of its duration.
func (c *component) writeEnd() {
	start, duration := c.find("DTSTART"), c.find("DURATION")
	if start == nil || duration == nil {
		return
	}
	from, ok := readMoment(start.Value)
	length, too := readDuration(duration.Value)
	if ok && too {
		*duration = line{Name: "DTEND", Parameters: start.Parameters, Value: from.plus(length).String()}
	}
}

// codeLocations puts a code in place of every location.
func codeLocations(p struct {
	Document, To string
	First        string // code
	Table        string
}) exact.Steps {
	change := func(c *calendar) (vfs.Files, error) {
		codes := exact.Codes{New: exact.Counting(p.First)}
		for _, e := range c.events {
			if l := e.find("LOCATION"); l != nil && normalText(l.Value) != "" {
				l.Value = codes.Of(normalText(l.Value))
			}
		}
		return vfs.Files{p.Table: codes.CSV("id", "location")}, nil
	}
	return calendars.Rewrite(p.Document, p.To, change, func(c *calendar, files vfs.Files) error {
		locations, err := exact.ReadRegister(files, p.Table, "id", "location")
		for _, e := range c.events {
			if l := e.find("LOCATION"); l != nil {
				if location, ok := locations[strings.TrimSpace(l.Value)]; ok {
					l.Value = escaped(location)
				}
			}
		}
		return err
	})
}
