package calendar

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, "calendar1"),
		Generate: rapid.Custom(drawDocument),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "calendar1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "calendar1"))
}

// document is the file of the calendars in these tests.
const document = "peat_workshop_2024.ics"

// drawDocument draws a calendar of the workshop's days, folded at some width. An
// event has at most one CATEGORIES line: the published reading makes several a
// text that does not equal itself.
func drawDocument(t *rapid.T) vfs.Files {
	d := drawer{t}
	lines := []string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Tartu//Kalender 2.1//ET"}
	lines = append(lines, d.some("X-WR-TIMEZONE:Europe/Tallinn", `X-WR-CALNAME:Soo\, raba & rest`, "CALSCALE:GREGORIAN")...)
	if d.sometimes("time zone") {
		lines = append(lines, tallinn...)
	}
	lines = append(lines, d.some("BEGIN:VTODO\nUID:t1\nSUMMARY:Badges\nDUE;VALUE=DATE:20240906\nEND:VTODO")...)
	for n := range 1 + d.upTo(11, "events") {
		lines = append(lines, d.event(n)...)
	}
	lines = append(lines, "END:VCALENDAR", "")
	end := d.one("line end", "\n", "\n", "\r\n")
	text := strings.ReplaceAll(strings.Join(lines, "\n"), "\n", end)
	return vfs.Files{document: d.folded(text, end)}
}

var tallinn = []string{
	"BEGIN:VTIMEZONE", "TZID:Europe/Tallinn", "X-LIC-LOCATION:Europe/Tallinn",
	"BEGIN:DAYLIGHT", "TZNAME:EEST", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0300", "DTSTART:19700329T030000",
	"RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "END:DAYLIGHT",
	"BEGIN:STANDARD", "TZNAME:EET", "TZOFFSETFROM:+0300", "TZOFFSETTO:+0200", "DTSTART:19701025T040000", "END:STANDARD",
	"END:VTIMEZONE",
}

type drawer struct{ *rapid.T }

func (d drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d drawer) sometimes(label string) bool     { return d.upTo(3, label) == 0 }
func (d drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

// some draws some of the texts, split into lines.
func (d drawer) some(texts ...string) []string {
	var lines []string
	for _, text := range texts {
		if d.sometimes(text) {
			lines = append(lines, strings.Split(text, "\n")...)
		}
	}
	return lines
}

func (d drawer) event(n int) []string {
	lines := []string{"BEGIN:VEVENT", "DTSTAMP:20240826T113000Z"}
	if !d.sometimes("recurs") {
		lines = append(lines, fmt.Sprintf("UID:%s%d@soo24.ee", d.one("uid", "mon-", "C1D0E7A2-", "Käo "), n))
	} else {
		lines = append(lines, "UID:series@soo24.ee", fmt.Sprintf("RECURRENCE-ID;TZID=Europe/Tallinn:202409%02dT100000", n+1))
	}
	lines = append(lines, d.times()...)
	if summary := d.one("summary", "", "Coffee", `Peat\, bog\; mire`, " [draft] Keynote", "Ärge hilinege %2C 🐸", `"Open" data`); summary != "" {
		lines = append(lines, "SUMMARY:"+summary)
	}
	if location := d.one("location", "", `Delta\, 1037`, "Delta", `Vanemuise 46\, 246`, "Zoom", `C:\\maps\; sheet 3`, `Tooma\nEndla`); location != "" {
		lines = append(lines, d.one("location parameters", "LOCATION:", "LOCATION:", `LOCATION;LANGUAGE=et;ALTREP="https://soo24.ee/a:b,c":`)+location)
	}
	if track := d.one("track", "", "Water", "Carbon,Field methods", `Policy\, law and money,Carbon`, "early career", " , Water"); track != "" {
		lines = append(lines, "CATEGORIES:"+track)
	}
	lines = append(lines, d.some(
		`DESCRIPTION:Track: Water`,
		`DESCRIPTION:24 seats\, 31 names.\nBring a lens\; and "boots". `+strings.Repeat("Väga oluline! ", 12),
		`ATTENDEE;CN="Ozoliņa, Marta";PARTSTAT=TENTATIVE:mailto:marta@purvi.lv`,
		"RRULE:FREQ=WEEKLY;COUNT=4;BYDAY=TU,TH\nEXDATE;TZID=Europe/Tallinn:20240910T100000,20240917T100000\nEXDATE;VALUE=DATE:20240918",
		"RDATE;VALUE=PERIOD;TZID=Europe/Tallinn:20240910T100000/PT1H,20240911T100000/20240911T113000",
		"STATUS:TENTATIVE\nCLASS:PRIVATE\nTRANSP:TRANSPARENT",
		"BEGIN:VALARM\nACTION:DISPLAY\nDESCRIPTION:Boots!\nTRIGGER:-PT15M\nEND:VALARM",
		"BEGIN:VALARM\nACTION:AUDIO\nTRIGGER;VALUE=DATE-TIME:20240910T040000Z\nREPEAT:2\nDURATION:PT5M\nEND:VALARM",
		"x-moz-lastack:20240910T040000Z",
	)...)
	return append(lines, "END:VEVENT")
}

// times draws a start with an end, a duration or neither.
func (d drawer) times() []string {
	day := fmt.Sprintf("202409%02d", 9+d.upTo(4, "day"))
	start, end := day+"T090000", fmt.Sprintf("%sT%02d%02d00", day, 10+d.upTo(8, "hour"), 15*d.upTo(3, "quarter"))
	zone := d.one("zone", ";TZID=Europe/Tallinn", ";TZID=Europe/Tallinn", `;TZID="America/Toronto"`, "", "Z", "all day", "none")
	suffix := ""
	switch zone {
	case "none":
		return nil
	case "all day":
		return append([]string{"DTSTART;VALUE=DATE:" + day}, d.some("DTEND;VALUE=DATE:20240916", "X-NOTE:whole day")...)
	case "Z":
		zone, suffix = "", "Z"
	}
	lines := []string{"DTSTART" + zone + ":" + start + suffix}
	switch d.upTo(4, "end") {
	case 0:
		lines = append(lines, "DURATION:"+d.one("duration", "PT1H", "PT90M", "P1DT2H", "P1W"))
	case 1:
	case 2:
		lines = append(lines, "DTEND;TZID=Europe/Riga:"+end)
	default:
		lines = append(lines, "DTEND"+zone+":"+end+suffix)
	}
	return lines
}

func (d drawer) folded(text, end string) string {
	width := 40 + d.upTo(80, "width")
	blank := d.one("blank", " ", "\t")
	var b strings.Builder
	for line := range strings.SplitAfterSeq(text, end) {
		at := 0
		for _, r := range line {
			if at == width && r != '\r' && r != '\n' {
				b.WriteString(end + blank)
				at = 0
			}
			b.WriteRune(r)
			at++
		}
	}
	return b.String()
}

func TestWithoutCopiesText(t *testing.T) {
	t.Parallel()
	const around = "Here it is:\r\nBEGIN:VCALENDAR\r\n\r\nx-note:folded\r\n  here\r\n%sBEGIN:VTODO\r\nUID:t\r\nEND:VTODO\r\nEND:VCALENDAR\r\nthat is all"
	for rule, event := range map[string]string{
		"an event":               "begin:vevent\r\nSUMMARY:a\r\n\tb\r\n\r\nBEGIN:VALARM\r\nEND:VALARM\r\nEND:VEVENT\r\n",
		"an event without end":   "BEGIN:VEVENT\r\nSUMMARY:a\r\n",
		"an alarm without end":   "BEGIN:VEVENT\r\nBEGIN:VALARM\r\nEND:VEVENT\r\n",
		"an event after another": "BEGIN:VEVENT\r\nSUMMARY:a\r\nBEGIN:VEVENT\r\nEND:VEVENT\r\n",
	} {
		if got, want := without("", fmt.Sprintf(around, event), func() bool { return true }), fmt.Sprintf(around, ""); got != want {
			t.Errorf("%s: %q, want %q", rule, got, want)
		}
	}
}

const sample = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Tartu//Kalender 2.1//ET
X-WR-TIMEZONE:Europe/Tallinn
BEGIN:VTIMEZONE
TZID:Europe/Tallinn
BEGIN:STANDARD
TZOFFSETFROM:+0300
TZOFFSETTO:+0200
DTSTART:19701025T040000
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:a1@soo24.ee
DTSTAMP:20240826T113000Z
DTSTART;TZID=Europe/Tallinn:20240909T100000
DTEND;TZID=Europe/Tallinn:20240909T104500
RRULE:FREQ=WEEKLY;BYDAY=MO,TU;COUNT=3
EXDATE;TZID=Europe/Tallinn:20240910T100000,20240916T100000
SUMMARY:Keynote\, with slides
LOCATION:Delta\, 1037
CATEGORIES:Plenary,Water
ATTENDEE;CN="Ozolina, Marta";PARTSTAT=ACCEPTED:mailto:marta@purvi.lv
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:now
TRIGGER:-PT10M
END:VALARM
END:VEVENT
BEGIN:VEVENT
UID:b2@soo24.ee
DTSTAMP:20240826T113000Z
DTSTART;VALUE=DATE:20240911
SUMMARY:Excursion
DESCRIPTION:Boots\; no sessions.\nBus 1 and bus 2 leave from the kerb at a quarter past eight.
CLASS:PUBLIC
END:VEVENT
BEGIN:VEVENT
UID:c3@soo24.ee
DTSTAMP:20240826T113000Z
DTSTART:20240912T055500Z
DURATION:PT1H
SUMMARY:Livestream
STATUS:TENTATIVE
END:VEVENT
END:VCALENDAR
`

var sampleFiles = vfs.Files{"soo.ics": sample}

// change is the sample with one text replaced by another.
func change(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{"soo.ics": strings.ReplaceAll(sample, was, is)}
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	const last = "BEGIN:VEVENT\nUID:c3"
	for rule, edit := range map[string][2]string{
		"the title":                             {"SUMMARY:Excursion", "SUMMARY:Excursions"},
		"the start":                             {"DTSTART;TZID=Europe/Tallinn:20240909T100000", "DTSTART;TZID=Europe/Tallinn:20240909T101000"},
		"the end":                               {"T104500", "T105000"},
		"the zone of a time":                    {"DTSTART;TZID=Europe/Tallinn", "DTSTART;TZID=Europe/Riga"},
		"a zone that was lost":                  {"DTEND;TZID=Europe/Tallinn", "DTEND"},
		"UTC made floating":                     {"055500Z", "055500"},
		"a date made a time":                    {"DTSTART;VALUE=DATE:20240911", "DTSTART:20240911T000000"},
		"the definition of a zone":              {"TZOFFSETTO:+0200", "TZOFFSETTO:+0100"},
		"a zone without definition":             {"BEGIN:VTIMEZONE\nTZID:Europe/Tallinn\nBEGIN:STANDARD\nTZOFFSETFROM:+0300\nTZOFFSETTO:+0200\nDTSTART:19701025T040000\nEND:STANDARD\nEND:VTIMEZONE\n", ""},
		"the calendar's zone":                   {"X-WR-TIMEZONE:Europe/Tallinn", "X-WR-TIMEZONE:Asia/Kolkata"},
		"a property of the calendar":            {"VERSION:2.0\n", "VERSION:2.0\nMETHOD:CANCEL\n"},
		"a repeated property of the calendar":   {"VERSION:2.0\n", "VERSION:2.0\nVERSION:2.0\n"},
		"the UID's domain":                      {"@soo24.ee", ""},
		"the recurrence rule":                   {"COUNT=3", "COUNT=4"},
		"a rule that was lost":                  {"RRULE:FREQ=WEEKLY;BYDAY=MO,TU;COUNT=3\n", ""},
		"an exception":                          {",20240916T100000", ""},
		"the duration":                          {"PT1H", "PT2H"},
		"the status":                            {"TENTATIVE", "CONFIRMED"},
		"the class":                             {"CLASS:PUBLIC", "CLASS:PRIVATE"},
		"the description":                       {"Bus 1 and", "Bus 1 or"},
		"a line break in the description":       {`\nBus`, " Bus"},
		"an attendee":                           {"mailto:marta@", "mailto:marit@"},
		"an attendee's answer":                  {"ACCEPTED", "DECLINED"},
		"an attendee's name":                    {"Ozolina", "Ozola"},
		"an alarm's time":                       {"-PT10M", "-PT15M"},
		"an alarm after the start":              {"-PT10M", "PT10M"},
		"an alarm that was lost":                {"BEGIN:VALARM\nACTION:DISPLAY\nDESCRIPTION:now\nTRIGGER:-PT10M\nEND:VALARM\n", ""},
		"a room":                                {"1037", "1038"},
		"a room that was lost":                  {"LOCATION:Delta\\, 1037\n", ""},
		"a category":                            {"Water", "Carbon"},
		"the comma between categories escaped":  {"Plenary,Water", `Plenary\,Water`},
		"a category where there was none":       {"SUMMARY:Excursion", "SUMMARY:Excursion\nCATEGORIES:Social"},
		"an event that was lost":                {last + "@soo24.ee\nDTSTAMP:20240826T113000Z\nDTSTART:20240912T055500Z\nDURATION:PT1H\nSUMMARY:Livestream\nSTATUS:TENTATIVE\nEND:VEVENT\n", ""},
		"an event that was added":               {last, "BEGIN:VEVENT\nUID:ghost\nDTSTART:20240913T120000Z\nSUMMARY:Ghost\nEND:VEVENT\n" + last},
		"a repeated event":                      {last, "BEGIN:VEVENT\nUID:b2@soo24.ee\nDTSTAMP:20240826T113000Z\nDTSTART;VALUE=DATE:20240911\nSUMMARY:Excursion\nEND:VEVENT\n" + last},
		"an override of a series":               {last, "BEGIN:VEVENT\nUID:a1@soo24.ee\nRECURRENCE-ID;TZID=Europe/Tallinn:20240917T100000\nSUMMARY:Moved\nEND:VEVENT\n" + last},
		"a component of another kind":           {last, "BEGIN:VTODO\nUID:t1\nSUMMARY:Badges\nEND:VTODO\n" + last},
		"prose between events":                  {last, "The third one I have from the mail\n" + last},
		"prose in an event":                     {"SUMMARY:Excursion", "and so on\nSUMMARY:Excursion"},
		"properties that are indented":          {"SUMMARY:Excursion", "  SUMMARY:Excursion"},
		"a fold without its blank":              {"a quarter past", "a quarter\npast"},
		"a fold that swallowed a blank":         {"a quarter past", "a quarter\n past"},
		"the end of a file inside an event":     {"STATUS:TENTATIVE\nEND:VEVENT\nEND:VCALENDAR\n", "STATUS:TENT"},
		"an end that a whole day does not have": {"SUMMARY:Excursion", "DTEND;VALUE=DATE:20240913\nSUMMARY:Excursion"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			if score := New().Compare(sampleFiles, change(t, edit[0], edit[1])); score.Strict >= 1 {
				t.Errorf("Strict is %v", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"lines folded elsewhere":               {"a quarter past", "a qua\n rter\n\t past"},
		"a blank line":                         {"BEGIN:VEVENT", "\nBEGIN:VEVENT"},
		"the order of properties":              {"DTSTART:20240912T055500Z\nDURATION:PT1H\nSUMMARY:Livestream", "SUMMARY:Livestream\nDURATION:PT1H\nDTSTART:20240912T055500Z"},
		"names in lower case":                  {"SUMMARY", "summary"},
		"the order of parameters":              {`;CN="Ozolina, Marta";PARTSTAT=ACCEPTED`, `;PARTSTAT=ACCEPTED;CN="Ozolina, Marta"`},
		"a parameter's case":                   {"PARTSTAT=ACCEPTED", "partstat=accepted"},
		"quotes around a zone":                 {"TZID=Europe/Tallinn", `TZID="Europe/Tallinn"`},
		"the order of categories":              {"Plenary,Water", "Water,Plenary"},
		"categories in lines of their own":     {"Plenary,Water", "Plenary\nCATEGORIES:Water"},
		"the order of exceptions":              {"20240910T100000,20240916T100000", "20240916T100000,20240910T100000"},
		"exceptions in lines of their own":     {"20240910T100000,20240916T100000", "20240910T100000\nEXDATE;TZID=Europe/Tallinn:20240916T100000"},
		"the order of a rule's parts":          {"FREQ=WEEKLY;BYDAY=MO,TU;COUNT=3", "FREQ=WEEKLY;COUNT=3;INTERVAL=1;BYDAY=TU,MO"},
		"another form of a duration":           {"DURATION:PT1H", "DURATION:PT60M"},
		"another form of an alarm's time":      {"-PT10M", "-PT600S"},
		"an end in place of a duration":        {"DURATION:PT1H", "DTEND:20240912T065500Z"},
		"a duration in place of an end":        {"DTEND;TZID=Europe/Tallinn:20240909T104500", "DURATION:PT45M"},
		"a whole day's end written out":        {"SUMMARY:Excursion", "DTEND;VALUE=DATE:20240912\nSUMMARY:Excursion"},
		"a whole day's length written out":     {"SUMMARY:Excursion", "DURATION:P1D\nSUMMARY:Excursion"},
		"a type that the value shows":          {"DTSTART;TZID", "DTSTART;VALUE=DATE-TIME;TZID"},
		"a missing type that the value shows":  {";VALUE=DATE:", ":"},
		"times with separators":                {"20240909T100000", "2024-09-09T10:00:00"},
		"dates with separators":                {":20240911", ":2024-09-11"},
		"a comma without escape in a text":     {`Delta\, 1037`, "Delta, 1037"},
		"line breaks with a capital":           {`\nBus`, `\NBus`},
		"a mail address in capitals":           {"mailto:", "MAILTO:"},
		"a status in lower case":               {"STATUS:TENTATIVE", "STATUS:tentative"},
		"white space at a line's end":          {"SUMMARY:Livestream", "SUMMARY:Livestream "},
		"the end of the calendar missing":      {"END:VCALENDAR\n", ""},
		"the beginning of the calendar":        {"BEGIN:VCALENDAR\n", ""},
		"the end of an event missing":          {"CLASS:PUBLIC\nEND:VEVENT\n", "CLASS:PUBLIC\n"},
		"the end of an alarm missing":          {"END:VALARM\n", ""},
		"a second calendar in the file":        {"BEGIN:VEVENT\nUID:c3", "END:VCALENDAR\nBEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Tartu//Kalender 2.1//ET\nBEGIN:VEVENT\nUID:c3"},
		"the zone defined in both calendars":   {"BEGIN:VEVENT\nUID:c3", "END:VCALENDAR\nBEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VTIMEZONE\nTZID:Europe/Tallinn\nBEGIN:STANDARD\nTZOFFSETFROM:+0300\nTZOFFSETTO:+0200\nDTSTART:19701025T040000\nEND:STANDARD\nEND:VTIMEZONE\nBEGIN:VEVENT\nUID:c3"},
		"a code fence":                         {"BEGIN:VCALENDAR", "```ics\nBEGIN:VCALENDAR"},
		"a code fence after the last calendar": {"END:VCALENDAR\n", "END:VCALENDAR\n```\n"},
		"prose before the calendar":            {"BEGIN:VCALENDAR", "Here is the merged calendar:\n\nBEGIN:VCALENDAR"},
		"prose after the calendar":             {"END:VCALENDAR\n", "END:VCALENDAR\n\nNote: I left the third event as it was.\n"},
		"a byte order mark":                    {"BEGIN:VCALENDAR", "\ufeffBEGIN:VCALENDAR"},
		"CRLF":                                 {"\n", "\r\n"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			candidate := change(t, edit[0], edit[1])
			if score := New().Compare(sampleFiles, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(sampleFiles, candidate))
			}
		})
	}
}

func TestStrictReadsFilesOfAnyNameAndNumber(t *testing.T) {
	t.Parallel()
	head, events, _ := strings.Cut(sample, "BEGIN:VEVENT")
	first, rest, _ := strings.Cut(events, "BEGIN:VEVENT")
	for rule, candidate := range map[string]vfs.Files{
		"another extension":       {"soo.txt": sample},
		"no extension":            {"out/soo": sample},
		"two files":               {"a.ics": head + "BEGIN:VEVENT" + first + "END:VCALENDAR\n", "b.ics": head + "BEGIN:VEVENT" + rest},
		"events in another order": {"a.ics": head + "BEGIN:VEVENT" + strings.TrimSuffix(rest, "END:VCALENDAR\n") + "BEGIN:VEVENT" + first + "END:VCALENDAR\n"},
		"an event by itself":      {"a.ics": head + "BEGIN:VEVENT" + rest, "b.ics": "BEGIN:VEVENT" + first},
	} {
		if score := New().Compare(sampleFiles, candidate); score.Strict != 1 {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(sampleFiles, candidate))
		}
	}
}

func TestStrictSeesFilesThatWereAdded(t *testing.T) {
	t.Parallel()
	for rule, added := range map[string]string{
		"prose":          "I have merged the calendars.\n",
		"the same again": sample,
	} {
		candidate := vfs.Files{"soo.ics": sample, "zz.txt": added}
		if score := New().Compare(sampleFiles, candidate); score.Strict >= 1 || score.Strict < 0.4 {
			t.Errorf("%s: Strict is %v", rule, score.Strict)
		}
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "calendar1")
	one := vfs.Files{document: strings.Replace(seed[document], ":20240912T090000", ":20240912T093000", 1)}
	score := New().Compare(seed, one)
	if score.Strict < 0.99 || score.Strict >= 1 {
		t.Errorf("one wrong start in 33 events leaves Strict at %v", score.Strict)
	}
	want := []domains.Difference{{
		Kind: domains.Changed, Where: "2024-09-12 09:00 Smouldering: what the 2023 fires left, DTSTART",
		Was: "2024-09-12T09:00:00 Europe/Tallinn", Is: "2024-09-12T09:30:00 Europe/Tallinn",
	}}
	if diff := cmp.Diff(want, New().Differences(seed, one)); diff != "" {
		t.Error(diff)
	}
}
