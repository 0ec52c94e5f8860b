package calendar

import (
	"math"
	"strings"
	"testing"

	"agentd/domains/domaintest"
	"agentd/vfs"
)

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
