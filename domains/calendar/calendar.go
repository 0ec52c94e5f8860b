// Package calendar is the domain of iCalendar files (RFC 5545): conference sessions, bookings and appointments as
// VEVENT components, with the calendar's own properties and time zones around them. The event is what is counted.
//
// The published score looks at UIDs up to the first "@", at the digits of the end, at locations and categories, and at
// the order in which events start. Strict also looks at every other property and parameter, at time zones and their
// definitions, recurrences, alarms, properties of the calendar, other components, repeated events, and text between
// components; text before and after a calendar is no part of it. Strict reads by the format's own rules (folding,
// escaped text, lists, a duration in place of an end, an all-day event without one), in a file of any name, in one
// calendar or several. The order of events, of properties and of the items of a list means nothing to it.
package calendar

import (
	"agentd/domains"
	published "agentd/domains/published/calendar"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[[]published.Event]{
		Info: domains.Info{
			Name:     "calendar",
			Title:    "iCalendar file",
			Category: "Structured Records",
			Patterns: []string{"*.ics"},
			Element:  counted,
			Example: "BEGIN:VEVENT\n" +
				"UID:dinner-14@harbour.example\n" +
				"DTSTART:20250614T190000\n" +
				"SUMMARY:Dinner\n" +
				"END:VEVENT",
			Components: []string{"coverage", "accuracy", "ordering", "category"},
		},
		Parse:      published.Parse,
		Score:      domains.Noting(published.Score),
		Stats:      published.Stats,
		Form:       wellFormed,
		Elements:   elements,
		Evidence:   domains.OfKinds(counted, "vtodo", "vjournal", "vfreebusy", "vtimezone", "vavailability"),
		Without:    without,
		Sampling:   domains.Sampling{Category: domains.ByField("CATEGORIES")},
		Vocabulary: vocabulary,
	})
}
