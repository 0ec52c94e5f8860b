package calendar

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains/domaintest"
	"agentd/vfs"
)

// published lists what the published reading finds.
func published(text string) []string {
	events, _ := parse(vfs.Files{"a.ics": text})
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
		"a repeated property is a printed list":         {"LOCATION:Delta\\, 1\nLOCATION:Käo's", `|||[vText('b'Delta\\, 1''), vText('b"K\xc3\xa4o's"')]|`},
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
		"a line without value":                    {"BEGIN:VEVENT\nUID;A=B\nEND:VEVENT", 0},
		"two starts":                              {"BEGIN:VEVENT\nDTSTART:x\nDTSTART:20240101\nEND:VEVENT", 0},
		"a list of zones":                         {"BEGIN:VEVENT\nDTSTART;TZID=A,B:20240101T000000\nEND:VEVENT", 0},
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
	events, _ := parse(files)
	if len(events) != 2 || events[0].uid != "a.ics" || events[1].uid != "b.ics" {
		t.Errorf("read %+v", events)
	}
}

func TestPublishedScore(t *testing.T) {
	t.Parallel()
	const reference = "BEGIN:VCALENDAR\n" +
		"BEGIN:VEVENT\nUID:a@x\nDTSTART:20240101T100000\nDTEND:20240101T110000\nLOCATION:Hall\nCATEGORIES:Water\nEND:VEVENT\n" +
		"BEGIN:VEVENT\nUID:b@x\nDTSTART:20240101T120000\nDTEND:20240101T130000\nEND:VEVENT\nEND:VCALENDAR\n"
	for rule, c := range map[string]struct {
		was, is string
		want    float64
	}{
		"nothing changed":                       {"", "", 1},
		"titles are free":                       {"UID:a@x", "SUMMARY:x\nUID:a@x", 1},
		"the UID's domain is free":              {"@x", "", 1},
		"a start of the same rank is free":      {"T100000", "T090000", 1},
		"another rank costs half the order":     {"T120000", "T080000", math.Sqrt(0.75)},
		"another end keeps half its likeness":   {"T130000", "T140000", (1 + 0.5*18.0/19) / 2},
		"a location's case and blanks are free": {"LOCATION:Hall", "LOCATION: HALL ", 1},
		"a location where there was none":       {"UID:b@x", "LOCATION:Hall\nUID:b@x", 0.75},
		"a category where there was none":       {"UID:b@x", "CATEGORIES:water\nUID:b@x", 1},
		"a new category where there was none":   {"UID:b@x", "CATEGORIES:Food\nUID:b@x", math.Sqrt(0.75)},
		"an event that was lost":                {reference[strings.Index(reference, "BEGIN:VEVENT\nUID:b"):], "END:VCALENDAR", 0.25 * math.Sqrt((2.0/3+1)/2)},
		"an event that was repeated":            {"BEGIN:VEVENT\nUID:a", "BEGIN:VEVENT\nUID:a\nEND:VEVENT\nBEGIN:VEVENT\nUID:a", math.Sqrt((0.8 + 1) / 2)},
		"of a repeated event the last counts":   {"END:VCALENDAR", "BEGIN:VEVENT\nUID:b\nEND:VEVENT\nEND:VCALENDAR", 0.5 * math.Sqrt((0.8+1)/2)},
		"several lines of categories":           {"CATEGORIES:Water", "CATEGORIES:Water\nCATEGORIES:Water", (1 + 2.0/3) / 2 * math.Sqrt(0.5)},
	} {
		candidate := strings.ReplaceAll(reference, c.was, c.is)
		if c.was == "" {
			candidate = reference
		}
		score := New().Compare(vfs.Files{"a.ics": reference}, vfs.Files{"a.ics": candidate})
		if math.Abs(score.RS-c.want) > 1e-9 {
			t.Errorf("%s: Value %v, want %v (%v)", rule, score.RS, c.want, score.Components)
		}
	}
	if score := New().Compare(vfs.Files{"a.ics": ""}, vfs.Files{"a.ics": ""}); score.RS != 1 || score.Strict != 0 {
		t.Errorf("two empty documents: %+v", score)
	}
}

func TestBadInputHasAReason(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "calendar1")
	whole := seed[document]
	for name, text := range map[string]string{
		"empty":                    "",
		"prose":                    "I have merged the calendars as you asked.\n",
		"binary":                   "\x00\xff\xfePNG\r\n\x1a",
		"cut off":                  whole[:len(whole)/2],
		"five megabytes":           strings.Repeat(whole[:len(whole)/2], 5<<20/(len(whole)/2)),
		"one line of five":         strings.Repeat("SUMMARY;A=\"b\":", 5<<20/14),
		"five of folded lines":     strings.Repeat("\n x", 5<<20/3),
		"nested components":        strings.Repeat("BEGIN:X\n", 10_000) + strings.Repeat("END:X\n", 10_000),
		"nested events":            strings.Repeat("BEGIN:VEVENT\n", 10_000) + "END:VEVENT\n",
		"ends without beginning":   strings.Repeat("END:VCALENDAR\n", 10_000),
		"time zones without end":   strings.Repeat("BEGIN:VTIMEZONE\n", 10_000),
		"many quotes":              strings.Repeat(`"`, 1<<20),
		"many escapes in one line": "SUMMARY:" + strings.Repeat(`\,\\`, 1<<18),
	} {
		score := New().Compare(seed, vfs.Files{document: text})
		if score.Problem == "" || score.RS != 0 || score.Strict < 0 || score.Strict >= 1 {
			t.Errorf("%s: %+v", name, score)
		}
	}
}
