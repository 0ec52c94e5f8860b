package calendar

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const scheduleFile = "schedule.json"

// entry is a component in the schedule.
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

// toJSON makes an array of the calendar itself and its components.
func toJSON(files vfs.Files) (vfs.Files, error) {
	c, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	schedule := []entry{entryOf(&component{name: "VCALENDAR", lines: c.lines})}
	for _, part := range slices.Concat(c.others, c.events) {
		schedule = append(schedule, entryOf(part))
	}
	return vfs.Files{scheduleFile: writeJSON(schedule)}, nil
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

func fromJSON(files vfs.Files) (vfs.Files, error) {
	var schedule []entry
	if err := plain.JSON(files, scheduleFile, &schedule); err != nil {
		return nil, err
	}
	c := &calendar{}
	for _, e := range schedule {
		switch part := e.read(); part.name {
		case "VCALENDAR":
			c.lines = append(c.lines, part.lines...)
		case "VEVENT":
			c.events = append(c.events, part)
		default:
			c.others = append(c.others, part)
		}
	}
	if len(c.events) == 0 {
		return nil, fmt.Errorf("%s has no VEVENT", scheduleFile)
	}
	return asDocument(c), nil
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

func writeJSON(value any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(value) // these values cannot fail
	return b.String()
}

const (
	titledFile = "titled.ics"
	tracksFile = "tracks.json"
)

// tracks are the CATEGORIES lines that an event had.
type tracks struct {
	mark
	Categories []string `json:"categories"`
}

// trackToTitle puts the first category before the title, and all of them into a
// file.
func trackToTitle(files vfs.Files) (vfs.Files, error) {
	c, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	moved := []tracks{}
	for n, e := range c.events {
		track, title := e.track(), e.find("SUMMARY")
		if track == "" || title == nil {
			continue
		}
		title.value = titlePrefix(track) + title.value
		t := tracks{mark: mark{n + 1, e.value("UID")}}
		for _, l := range e.remove("CATEGORIES") {
			t.Categories = append(t.Categories, l.text())
		}
		moved = append(moved, t)
	}
	return vfs.Files{titledFile: c.print(), tracksFile: writeJSON(moved)}, nil
}

// track is the first category as written, empty if there is none.
func (c *component) track() string {
	return strings.TrimSpace(splitUnescaped(c.value("CATEGORIES"))[0])
}

func titlePrefix(track string) string { return "[" + track + "] " }

func trackFromTitle(files vfs.Files) (vfs.Files, error) {
	c, err := readNamed(files, titledFile)
	if err != nil {
		return nil, err
	}
	var moved []tracks
	if err := plain.JSON(files, tracksFile, &moved); err != nil {
		return nil, err
	}
	marks := make([]mark, len(moved))
	for i := range moved {
		marks[i] = moved[i].mark
	}
	for i, e := range c.marked(marks) {
		if e == nil {
			continue
		}
		for _, text := range moved[i].Categories {
			if l, ok := readLine(lineBreaks.Replace(text)); ok {
				e.lines = append(e.lines, l)
			}
		}
		if title := e.find("SUMMARY"); title != nil {
			title.value = strings.TrimPrefix(title.value, titlePrefix(e.track()))
		}
	}
	return asDocument(c), nil
}

const (
	groupedFile = "by_track.ics"
	place       = "X-PLACE"
)

// groupByTrack sorts the events by first category and start, and writes into
// each its place in the document and in its group.
func groupByTrack(files vfs.Files) (vfs.Files, error) {
	c, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	c.number()
	slices.SortStableFunc(c.events, func(a, b *component) int {
		if (a.track() == "") != (b.track() == "") {
			return -cmp.Compare(a.track(), b.track())
		}
		return cmp.Or(cmp.Compare(a.track(), b.track()), cmp.Compare(a.value("DTSTART"), b.value("DTSTART")))
	})
	places := map[string]int{}
	for _, e := range c.events {
		if track := e.track(); track != "" {
			places[track]++
			e.add(place, track+" "+strconv.Itoa(places[track]))
		}
	}
	return vfs.Files{groupedFile: c.print()}, nil
}

func ungroup(files vfs.Files) (vfs.Files, error) {
	c, err := readNamed(files, groupedFile)
	if err != nil {
		return nil, err
	}
	c.sortByNumber()
	for _, e := range c.events {
		e.remove(place)
	}
	return asDocument(c), nil
}

const (
	codedFile = "coded.ics"
	roomsFile = "rooms.csv"
)

// registerRooms puts a number in place of every location.
func registerRooms(files vfs.Files) (vfs.Files, error) {
	c, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	ids := map[string]string{}
	rooms := [][]string{{"id", "location"}}
	for _, e := range c.events {
		l := e.find("LOCATION")
		if l == nil || normalText(l.value) == "" {
			continue
		}
		room := normalText(l.value)
		if ids[room] == "" {
			ids[room] = fmt.Sprintf("R%02d", len(rooms))
			rooms = append(rooms, []string{ids[room], room})
		}
		l.value = ids[room]
	}
	return vfs.Files{codedFile: c.print(), roomsFile: plain.WriteCSV(rooms)}, nil
}

func nameRooms(files vfs.Files) (vfs.Files, error) {
	c, err := readNamed(files, codedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, roomsFile, "id", "location")
	if err != nil {
		return nil, err
	}
	rooms := map[string]string{}
	for _, row := range rows {
		rooms[row[0]] = row[1]
	}
	for _, e := range c.events {
		if l := e.find("LOCATION"); l != nil {
			if room, ok := rooms[strings.TrimSpace(l.value)]; ok {
				l.value = escaped(room)
			}
		}
	}
	return asDocument(c), nil
}
