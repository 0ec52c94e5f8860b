package calendar

import (
	"strconv"
	"time"

	"agentd/domains/edit"
)

// folded is a value with the lines on which it goes on.
const folded = `[^\r\n]+(?:\r?\n[ \t][^\r\n]*)*`

// vocabulary makes parts of the components that are events, to-dos and journals.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "calendar", Part: "event", Parts: "events",
		Cut:    edit.Enclosed(`^BEGIN:V(EVENT|TODO|JOURNAL)\s*$`, `^END:V(EVENT|TODO|JOURNAL)\s*$`),
		Tree:   edit.Nested(`^BEGIN:`, `^END:`),
		Remark: "X-COMPUTED:{}", RemarkAt: edit.Inside,
		Attributes: []edit.Attribute{
			edit.Has("summary", "summaries", `^SUMMARY[^:\n]*:(`+folded+`)`),
			edit.Has("day", "days", `^DTSTART[^:\n]*:(\d{8})`),
			edit.Has("start", "starts", `^DTSTART[^:\n]*:(\d{8}T?\d*)`),
			edit.Has("end", "ends", `^DTEND[^:\n]*:(\d{8}T?\d*)`),
			edit.Has("location", "locations", `^LOCATION[^:\n]*:(`+folded+`)`),
			edit.Has("category", "categories", `^CATEGORIES[^:\n]*:((?:[^\r\n,\\]|\\.)+)`),
			edit.Has("status", "statuses", `^STATUS:(\w+)`),
			edit.Has("organizer", "organizers", `^ORGANIZER[^\n]*mailto:([^\r\n]+)`),
			edit.Has("description", "descriptions", `^DESCRIPTION[^:\n]*:(`+folded+`)`),
			edit.Has("uid", "uids", `^UID:([^\r\n]+)`),
			edit.Computed("finish", "finishes", finish),
			edit.ComputedNumber("length in minutes", "lengths in minutes", minutes),
		},
	}
}

// finish is when an event of a time of day ends, in the zone of its start, by DTEND or DURATION; empty for others.
func finish(part string) string {
	if _, end, ok := times(part); ok {
		return end.Format("20060102T150405")
	}
	return ""
}

// minutes is how long an event of a time of day takes; empty for others, and where start and end are not in one zone.
func minutes(part string) string {
	start, end, ok := times(part)
	if length := end.Sub(start); ok && length%time.Minute == 0 {
		return strconv.Itoa(int(length / time.Minute))
	}
	return ""
}

// times are when an event starts and ends; false if it has no time of day, or none of one zone.
func times(part string) (start, end time.Time, ok bool) {
	for _, c := range read(part) {
		for _, e := range c.events {
			from, to := e.find("DTSTART"), e.find("DTEND")
			if from == nil {
				continue
			}
			begins, ok := readMoment(from.Value)
			if !ok || begins.allDay {
				continue
			}
			if to == nil {
				length, ok := readDuration(e.value("DURATION"))
				return begins.time, begins.plus(length).time, ok
			}
			ends, ok := readMoment(to.Value)
			ok = ok && !ends.allDay && ends.utc == begins.utc && from.parameter("TZID") == to.parameter("TZID")
			return begins.time, ends.time, ok
		}
	}
	return time.Time{}, time.Time{}, false
}
