package calendar

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "calendar1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":       {Before: "BEGIN:VCALENDAR\n", Record: "BEGIN:VEVENT\nEND:VEVENT\n", After: "END:VCALENDAR\n"},
	"uids":       {Before: "BEGIN:VCALENDAR\n", Record: "BEGIN:VEVENT\nUID:%d\nEND:VEVENT\n", After: "END:VCALENDAR\n"},
	"starts":     {Before: "BEGIN:VCALENDAR\n", Record: "BEGIN:VEVENT\nUID:1\nDTSTART:20240909\nSUMMARY:%d\nEND:VEVENT\n", After: "END:VCALENDAR\n"},
	"one event":  {Before: "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\n", Record: "A:%d\n", After: "END:VEVENT\nEND:VCALENDAR\n"},
	"categories": {Before: "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\n", Record: "CATEGORIES:%d\n", After: "END:VEVENT\nEND:VCALENDAR\n"},
	"properties": {Before: "BEGIN:VCALENDAR\n", Record: "A:%d\n", After: "END:VCALENDAR\n"},
	"calendars":  {Record: "BEGIN:VCALENDAR\nX:%d\nEND:VCALENDAR\n"},
	"alarms":     {Before: "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\n", Record: "BEGIN:VALARM\nEND:VALARM\n", After: "END:VEVENT\nEND:VCALENDAR\n"},
	"kinds":      {Before: "BEGIN:VCALENDAR\n", Record: "BEGIN:A%d\nEND:A%d\n", After: "END:VCALENDAR\n"},
}
