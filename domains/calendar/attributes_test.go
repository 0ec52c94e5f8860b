package calendar

import (
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
)

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "calendar1") }

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ lines, finish, minutes string }{
		"an end":                {"DTSTART;TZID=Europe/Tallinn:20240909T100000\nDTEND;TZID=Europe/Tallinn:20240909T113000\n", "20240909T113000", "90"},
		"a duration":            {"DTSTART:20240909T233000Z\nDURATION:PT45M\n", "20240910T001500", "45"},
		"days of a duration":    {"DTSTART:20240909T233000Z\nDURATION:P1D\n", "20240910T233000", "1440"},
		"a whole day":           {"DTSTART;VALUE=DATE:20240909\nDTEND;VALUE=DATE:20240910\n", "", ""},
		"two zones":             {"DTSTART;TZID=Europe/Tallinn:20240909T100000\nDTEND:20240909T100000Z\n", "", ""},
		"no end":                {"DTSTART:20240909T233000Z\n", "", ""},
		"no start":              {"DURATION:PT45M\n", "", ""},
		"an alarm's time":       {"DTSTART:20240909T100000\nDTEND:20240909T101500\nBEGIN:VALARM\nDURATION:PT5M\nEND:VALARM\n", "20240909T101500", "15"},
		"seconds are no minute": {"DTSTART:20240909T100000\nDTEND:20240909T100030\n", "20240909T100030", ""},
	} {
		part := "BEGIN:VEVENT\n" + c.lines + "END:VEVENT"
		if got := finish(part); got != c.finish {
			t.Errorf("%s: it ends %q, want %q", name, got, c.finish)
		}
		if got := minutes(part); got != c.minutes {
			t.Errorf("%s: %q minutes, want %q", name, got, c.minutes)
		}
	}
}
