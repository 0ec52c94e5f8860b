package calendar

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

// published lists what the published reading finds.
func published(text string) []string {
	events, _ := Parse(vfs.Files{"a.ics": text})
	var found []string
	for _, e := range events {
		found = append(found, strings.Join([]string{e.uid, e.start, e.end, e.location, strings.Join(e.categories, "+")}, "|"))
	}
	return found
}

func TestPublishedReadingOfAnEvent(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct{ lines, want string }{
		"nothing":                                       {"", "||||"},
		"the zone is discarded":                         {"DTSTART;TZID=Europe/Tallinn:20240903T183000", "|2024-09-03T18:30:00|||"},
		"and so is Z":                                   {"DTEND:20240903T183000Z", "||2024-09-03T18:30:00||"},
		"another last character needs a zone":           {"DTSTART;TZID=X:20240903T183000Q\nDTEND:20240903T183000Q", "|2024-09-03T18:30:00|||"},
		"a zone needs a name in capitals":               {"dtstart;TZID=X:20240903T183000Q", "||||"},
		"a whole day ends a day on":                     {"DTSTART;VALUE=DATE:20240930", "|2024-09-30|2024-10-01||"},
		"a duration is not an end":                      {"DTSTART:20240903T183000\nDURATION:PT1H", "|2024-09-03T18:30:00|||"},
		"an invalid date is absent":                     {"DTSTART:20240231\nDTEND:20240903T240000", "||||"},
		"dates with separators are invalid":             {"DTSTART:2024-09-03T18:30:00\nDTEND:2024-09-03", "||||"},
		"numbers are read as Python does":               {"DTSTART:2024 9 3T 1 2 3\nDTEND:2_24+9+3", "|2024-09-03T01:02:03|0224-09-03||"},
		"a clock time":                                  {"DTEND:183000", "||18:30:00||"},
		"separators lose their escape":                  {`LOCATION:a\, b\; c\: d\\ e`, `|||a, b; c: d\ e|`},
		"and come from percent signs":                   {"LOCATION:a%2Cb%3Bc%3Ad%5Ce", `|||a,b;c:d\e|`},
		"line breaks in either case":                    {`LOCATION:a\nb\Nc`, "|||a\nb\nc|"},
		"a colon in quotes is part of a parameter":      {`LOCATION;ALTREP="http://a;b,c":Hall`, "|||Hall|"},
		"names in any case":                             {"uid:x\nLocation:y", "x|||y|"},
		"categories split at escaped commas too":        {`CATEGORIES:a, b\,c,,`, "||||a+b+c"},
		"a track in the description":                    {`DESCRIPTION:TRACK:  Water `, "||||Water"},
		"a track counts only without categories":        {"DESCRIPTION:track:Water\nCATEGORIES:Food", "||||Food"},
		"a track in the middle does not count":          {"DESCRIPTION:the track: Water", "||||"},
		"a wrong line is skipped":                       {"no separator\n:x\n;A=B:x\na b:x\nUID;A:x\nUID;:x\nUID;A=b\"c:x\nLOCATION:y", "|||y|"},
		"a list of parameter values":                    {`LOCATION;A=b,"c,d":y`, "|||y|"},
		"a repeated property is a printed list":         {"LOCATION:Delta\\, 1\nLOCATION:Käos", `|||[vText('b'Delta\\, 1''), vText('b'K\xc3\xa4os'')]|`},
		"alarms are gone":                               {"BEGIN:VALARM\nLOCATION:a\nEND:VALARM\nUID:x", "x||||"},
		"an alarm without end stays, and loses its own": {"begin:valarm\nLOCATION:a\nEND:X\nUID:x", "x||||"},
		"lines that go on":                              {"LOCATION:a\n b\n\n\tc\r\n  d", "|||abc d|"},
	} {
		if diff := cmp.Diff([]string{c.want}, published("BEGIN:VCALENDAR\nBEGIN:VEVENT\n"+c.lines+"\nEND:VEVENT\nEND:VCALENDAR\n")); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestPublishedReadingOfAFile(t *testing.T) {
	t.Parallel()
	const event = "BEGIN:VEVENT\nUID:x\nEND:VEVENT\n"
	for rule, c := range map[string]struct {
		text   string
		events int
	}{
		"a calendar":                              {"BEGIN:VCALENDAR\n" + event + event + "END:VCALENDAR\n", 2},
		"an event by itself":                      {event, 1},
		"an event in an event":                    {"BEGIN:VEVENT\n" + event + "END:VEVENT\n", 2},
		"any END ends the innermost":              {"BEGIN:VCALENDAR\nBEGIN:vevent\nEND:X\nEND:Y", 1},
		"a component of unknown name":             {"BEGIN:X\n" + event + "END:X", 1},
		"two calendars are none":                  {event + event, 0},
		"no end":                                  {"BEGIN:VCALENDAR\n" + event, 0},
		"a second one without end is not seen":    {event + "BEGIN:VCALENDAR\n" + event, 1},
		"an end too many":                         {event + "END:VCALENDAR\n", 0},
		"text before":                             {"Here it is:\n" + event, 0},
		"a code fence":                            {"```ics\n" + event + "```\n", 0},
		"a byte order mark":                       {"\ufeff" + event, 0},
		"a wrong line of the calendar":            {"BEGIN:VCALENDAR\nnothing\n" + event + "END:VCALENDAR", 0},
		"a wrong value of the calendar":           {"BEGIN:VCALENDAR\nLAST-MODIFIED:today\n" + event + "END:VCALENDAR", 0},
		"a value of the calendar":                 {"BEGIN:VCALENDAR\nLAST-MODIFIED:20240101T000000Z\nSEQUENCE: 1\n" + event + "END:VCALENDAR", 1},
		"two starts":                              {"BEGIN:VEVENT\nDTSTART:x\nDTSTART:20240101\nEND:VEVENT", 0},
		"a to-do with an event in it is no event": {"BEGIN:VCALENDAR\nBEGIN:VTODO\n" + event + "END:VTODO\n" + event + "END:VCALENDAR", 1},
	} {
		if got := len(published(c.text)); got != c.events {
			t.Errorf("%s: %d events, want %d", rule, got, c.events)
		}
	}
}

func TestPublishedReadingTakesOneSuffix(t *testing.T) {
	t.Parallel()
	files := vfs.Files{}
	for _, name := range []string{"b.ics", "a.ics", "c.ICS", "d.ical", "ics"} {
		files[name] = "BEGIN:VEVENT\nUID:" + name + "\nEND:VEVENT\n"
	}
	events, _ := Parse(files)
	if len(events) != 2 || events[0].uid != "a.ics" || events[1].uid != "b.ics" {
		t.Errorf("read %+v", events)
	}
}
