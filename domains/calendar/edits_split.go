package calendar

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	elsewhereFile = "elsewhere.ics"
	orderFile     = "order.csv"
)

// buildings are the beginnings of the locations in them.
var buildings = []struct{ name, file string }{
	{"Delta", "delta.ics"},
	{"Vanemuise 46", "vanemuise_46.ics"},
}

// splitByBuilding makes a file of the events in each building.
func splitByBuilding(files vfs.Files) (vfs.Files, error) {
	c, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	order := [][]string{{"position", "file"}}
	out := split(c, elsewhereFile, func(e *component) string {
		name := buildingFile(e)
		order = append(order, []string{strconv.Itoa(len(order)), name})
		return name
	})
	out[orderFile] = plain.WriteCSV(order)
	return out, nil
}

func buildingFile(e *component) string {
	for _, building := range buildings {
		if strings.HasPrefix(normalText(e.value("LOCATION")), building.name) {
			return building.file
		}
	}
	return elsewhereFile
}

// mergeBuildings takes the events in the order of the table. Those that it does
// not place come last.
func mergeBuildings(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, orderFile, "position", "file")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	files = files.Match([]string{"*.ics"})
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	waiting := map[string][]*component{}
	for name, text := range files {
		waiting[name] = joined(read(text)).events
	}
	all.events = nil
	for _, row := range rows {
		if queue := waiting[row[1]]; len(queue) > 0 {
			all.events = append(all.events, queue[0])
			waiting[row[1]] = queue[1:]
		}
	}
	for _, name := range files.Names() {
		all.events = append(all.events, waiting[name]...)
	}
	return asDocument(all), nil
}

const (
	freeFile     = "free.ics"
	conflictFile = "conflict.ics"
	conflict     = "X-CONFLICT"
)

// slots are when the photographer is not available, in the time of Tallinn.
var slots = []struct{ name, start, end string }{
	{"A", "20240909T103000", "20240909T120000"},
	{"B", "20240910T153000", "20240910T170000"},
	{"C", "20240912T093000", "20240912T101500"},
}

// hoursToTallinn are to be added to the times of a zone during the workshop.
var hoursToTallinn = map[string]int{"UTC": 3, "America/Toronto": 7}

// splitByPhotographer sets apart the events that fall into a slot.
func splitByPhotographer(files vfs.Files) (vfs.Files, error) {
	c, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	c.number()
	return split(c, freeFile, func(e *component) string {
		name := e.slot()
		if name == "" {
			return freeFile
		}
		e.add(conflict, name)
		return conflictFile
	}), nil
}

func mergePhotographer(files vfs.Files) (vfs.Files, error) {
	c, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	c.sortByNumber()
	for _, e := range c.events {
		e.remove(conflict)
	}
	return asDocument(c), nil
}

// slot is the first slot that the event overlaps, empty if there is none.
func (c *component) slot() string {
	start, ok := inTallinn(c.find("DTSTART"))
	if !ok {
		return ""
	}
	end, ok := inTallinn(c.find("DTEND"))
	if !ok {
		length, _ := readDuration(c.value("DURATION"))
		end = instant{time: start}.plus(length).time
	}
	for _, s := range slots {
		from, _ := readMoment(s.start)
		to, _ := readMoment(s.end)
		if start.Before(to.time) && end.After(from.time) {
			return s.name
		}
	}
	return ""
}

// inTallinn is the time of a date-time in Tallinn; false for whole days.
func inTallinn(l *line) (time.Time, bool) {
	if l == nil {
		return time.Time{}, false
	}
	m, ok := readMoment(l.value)
	zone := l.parameter("TZID")
	if m.utc {
		zone = "UTC"
	}
	return m.time.Add(time.Duration(hoursToTallinn[zone]) * time.Hour), ok && !m.allDay
}
