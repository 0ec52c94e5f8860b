package calendar

import (
	"strconv"
	"time"
)

// finish is when an event of a time of day ends, in the zone of its start, by DTEND or DURATION;
// empty for others.
func finish(part string) string {
	if _, end, ok := times(part); ok {
		return end.Format("20060102T150405")
	}
	return ""
}

// minutes is how long an event of a time of day takes; empty for others, and where start and end
// are not in one zone.
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
