package calendar

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// document is the file that every backward step leaves.
const document = "peat_workshop_2024.ics"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "split_by_building", Forward: splitByBuilding, Backward: mergeBuildings},
		{Name: "json_schedule", Forward: toJSON, Backward: fromJSON},
		{Name: "london_time", Forward: toLondon, Backward: toTallinn},
		{Name: "photographer_slots", Forward: splitByPhotographer, Backward: mergePhotographer},
		{Name: "track_in_title", Forward: trackToTitle, Backward: trackFromTitle},
		{Name: "duration_form", Forward: endsToDurations, Backward: durationsToEnds},
		{Name: "grouped_by_track", Forward: groupByTrack, Backward: ungroup},
		{Name: "room_register", Forward: registerRooms, Backward: nameRooms},
	}
}

var errNoEvent = errors.New("no calendar file with an event")

// readDocument reads the calendar files that a step is given, as one.
func readDocument(files vfs.Files) (*calendar, error) {
	var parts []*calendar
	files = files.Match([]string{"*.ics"})
	for _, name := range files.Names() {
		parts = append(parts, read(files[name])...)
	}
	c := joined(parts)
	if len(c.events) == 0 {
		return nil, errNoEvent
	}
	return c, nil
}

// readNamed reads the calendar file that a backward step needs.
func readNamed(files vfs.Files, name string) (*calendar, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	return readDocument(vfs.Files{name: text})
}

func asDocument(c *calendar) vfs.Files { return vfs.Files{document: c.print()} }

// joined makes one calendar of several. What a later one repeats of what is
// around the events comes once.
func joined(parts []*calendar) *calendar {
	all := &calendar{}
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

func (c *component) text() string {
	var b strings.Builder
	c.print(func(lines ...line) {
		for i := range lines {
			b.WriteString(lines[i].text() + "\n")
		}
	})
	return b.String()
}

// split hands the events out, in order, to the files that fileOf names. Each has
// the properties and time zones of the calendar, and main what else there is.
func split(c *calendar, main string, fileOf func(*component) string) vfs.Files {
	zones, rest := []*component{}, []*component{}
	for _, other := range c.others {
		if other.name == "VTIMEZONE" {
			zones = append(zones, other)
		} else {
			rest = append(rest, other)
		}
	}
	parts := map[string]*calendar{main: {lines: c.lines, others: slices.Concat(zones, rest)}}
	for _, e := range c.events {
		name := fileOf(e)
		if parts[name] == nil {
			parts[name] = &calendar{lines: c.lines, others: zones}
		}
		parts[name].events = append(parts[name].events, e)
	}
	files := vfs.Files{}
	for name, part := range parts {
		files[name] = part.print()
	}
	return files
}

// add puts a property after the others.
func (c *component) add(name, value string) {
	c.lines = append(c.lines, line{name: name, value: value})
}

// remove drops the properties of a name and returns them.
func (c *component) remove(name string) []line {
	var removed []line
	c.lines = slices.DeleteFunc(c.lines, func(l line) bool {
		if l.name == name {
			removed = append(removed, l)
		}
		return l.name == name
	})
	return removed
}

// sequence is the property that keeps an event's place in the document.
const sequence = "X-SEQ"

func (c *calendar) number() {
	for n, e := range c.events {
		e.add(sequence, strconv.Itoa(n+1))
	}
}

// sortByNumber takes the numbers away. Events without one come last.
func (c *calendar) sortByNumber() {
	numbers := map[*component]int{}
	for _, e := range c.events {
		n, err := strconv.Atoi(strings.TrimSpace(e.value(sequence)))
		if err != nil {
			n = len(c.events) + 1
		}
		numbers[e] = n
		e.remove(sequence)
	}
	slices.SortStableFunc(c.events, func(a, b *component) int { return cmp.Compare(numbers[a], numbers[b]) })
}

// mark is an entry of a table that names events by place and UID.
type mark struct {
	Position int    `json:"position"`
	UID      string `json:"uid"`
}

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
